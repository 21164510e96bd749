// `/config`: the settings of this chat in a dialog. None of it is sent to a model.

import { leaveAddress } from "./address.js";
import { emit, on } from "./events.js";
import { elementsOf } from "./html.js";
import { looks } from "./sheets.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

const dialog = () => document.getElementById("config-dialog");
const body = () => dialog().querySelector("[role=tabpanel]");

/** A chat that has not begun keeps its settings in its address. */
const address = () => (view.conversation() ? `/chat/${view.conversation()}/memory` : "/chat/memory");

export async function open() {
  const asked = ask(`${address()}${location.search}`);
  const [{ shown, failed }] = await Promise.all([asked, looks("memory-styles")]);
  if (failed === "unreachable") return emit("chat:unreachable", worded(failed));
  if (failed) return emit("chat:problem", worded("no-settings"));
  body().replaceChildren(...shown);
  dialog().showModal();
}

async function save(form) {
  tellFailure(form, "");
  const { shown, failed } = await ask(form.action, { method: "POST", body: new FormData(form) });
  if (failed) return tellFailure(form, worded(`unsaved-${failed}`));
  const isMore = form.querySelector(".memory-more").open;
  body().replaceChildren(...shown);
  body().querySelector(".memory-more").open ||= isMore;
  body().querySelector("[aria-invalid=true], [data-focus]")?.focus();
  const begins = shown.find((element) => element.dataset?.address)?.dataset.address;
  if (begins) htmx.ajax("GET", begins, { target: "#main", select: "#main", swap: "outerHTML", push: "true" });
  else leaveAddress(body());
  emit("memory:saved");
}

/** The elements that the server has `shown`, or how that `failed`. */
async function ask(url, options) {
  try {
    const response = await fetch(url, options);
    if (!response.ok || response.redirected) return { failed: "refused" };
    return { shown: elementsOf(await response.text()) };
  } catch {
    return { failed: "unreachable" };
  }
}

/** Behind the dialog nobody would see it. */
function tellFailure(form, sentence) {
  const place = form.querySelector(".memory-failed");
  place.textContent = sentence;
  place.hidden = !sentence;
}

/** What was said of the value before. The hint stays. */
function forgive(field) {
  if (!field.matches("[aria-invalid=true]")) return;
  field.removeAttribute("aria-invalid");
  document.getElementById(`${field.id || "id_policy"}_error`)?.remove();
}

on("composer:config", open);
document.addEventListener("input", ({ target }) => {
  if (target.matches("[data-memory] *")) forgive(target.type === "radio" ? target.closest("fieldset") : target);
  if (target.matches("[data-memory] [name=length]")) document.getElementById("remember-last").checked = true;
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-memory]")) return;
  event.preventDefault();
  save(event.target);
});

/** A closed dialog gives the focus back, but not to the field of a page that has come since, and in
 *  Chromium not the caret: typing would do nothing. */
document.addEventListener(
  "close",
  ({ target }) => {
    if (target !== dialog()) return;
    const { activeElement: focused } = document; // Still in the dialog, if its page has gone.
    if (focused === document.body || dialog().contains(focused)) view.writing()?.focus();
    const { activeElement: field } = document;
    field.setSelectionRange?.(field.value.length, field.value.length);
  },
  { capture: true },
);
