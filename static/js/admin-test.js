// The test of a provider's connection: the server asks the provider with the form's values, as typed.

import { elementsOf } from "./html.js";

const TOO_MANY = 429; // Its page says when to try again.

export function offerTest(place) {
  const button = place.querySelector("button");
  const found = place.querySelector("[role=status]");
  place.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    found.replaceChildren();
    found.setAttribute("aria-busy", "true");
    try {
      found.replaceChildren(...elementsOf(await tested(place)));
    } catch {
      found.textContent = found.dataset.failed;
    }
    found.removeAttribute("aria-busy");
    button.disabled = false;
    button.focus();
  });
}

async function tested(place) {
  const body = new FormData(place.closest("form"));
  const answer = await fetch(place.dataset.test, { method: "POST", body });
  const isTold = (answer.ok && !answer.redirected) || answer.status === TOO_MANY; // Not to sign in.
  if (!isTold) throw new Error(String(answer.status));
  return answer.text();
}
