// The test of a provider's connection: the server asks the provider with the form's values, as typed.

import { elementsOf } from "./html.js";

const TOO_MANY = 429; // Its page says when to try again.

export function offerTest(place) {
  const button = place.querySelector("button");
  place.hidden = false;
  button.addEventListener("click", async () => {
    if (button.ariaDisabled) return;
    button.ariaDisabled = "true"; // The focus stays where it is.
    await test(place);
    button.ariaDisabled = null;
  });
}

/** What was found is announced; the models' names, which may be a thousand, are not. */
async function test(place) {
  const status = place.querySelector("[role=status]");
  const models = place.querySelector(".provider-listed");
  status.replaceChildren();
  models.replaceChildren();
  status.ariaBusy = "true";
  try {
    const [result, ...listed] = elementsOf(await tested(place));
    status.replaceChildren(result);
    models.replaceChildren(...listed);
  } catch {
    status.textContent = status.dataset.failed;
  }
  status.ariaBusy = null;
  if (isWaiting(place)) status.scrollIntoView({ block: "nearest" }); // The save bar may cover it.
}

/** Whoever went on to type elsewhere stays there. A browser may give a clicked button no focus. */
function isWaiting(place) {
  return document.activeElement === document.body || place.contains(document.activeElement);
}

async function tested(place) {
  const body = new FormData(place.closest("form"));
  const answer = await fetch(place.dataset.test, { method: "POST", body });
  const isTold = (answer.ok && !answer.redirected) || answer.status === TOO_MANY; // Not to sign in.
  if (!isTold) throw new Error(String(answer.status));
  return answer.text();
}
