// `/config`: the settings of this chat in a dialog. None of it is sent to a model.

import { leaveAddress } from "./address.js";
import { giveBack } from "./commands.js";
import { emit, on } from "./events.js";
import { elementsOf } from "./html.js";
import { looks } from "./sheets.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

const dialog = () => document.getElementById("config-dialog");
const body = () => dialog().querySelector("[role=tabpanel]");

/** A chat that has not begun keeps its settings in its address. */
const address = () => (view.conversation() ? `/chat/${view.conversation()}/memory` : "/chat/memory");

export async function open({ typed = "" } = {}) {
  const { shown, failed } = await loaded();
  if (failed) {
    if (failed === "unreachable") emit("chat:unreachable", worded("no-settings-unreachable"));
    else emit("chat:problem", worded("no-settings"));
    return giveBack(typed);
  }
  body().replaceChildren(...shown);
  dialog().showModal();
}

/** The form, with its looks. */
async function loaded() {
  const answer = ask(`${address()}${location.search}`);
  return looks("memory-styles").then(() => answer, () => ({ failed: "unreachable" }));
}

async function save(form) {
  tellFailure(form, "");
  const { shown, failed } = await ask(form.action, { method: "POST", body: new FormData(form) });
  if (failed) return tellFailure(form, worded(`unsaved-${failed}`));
  const opened = [...form.querySelectorAll(".memory-more")].map((fold) => fold.open);
  body().replaceChildren(...shown);
  for (const [at, fold] of body().querySelectorAll(".memory-more").entries()) fold.open ||= opened[at];
  body().querySelector("[aria-invalid=true], [data-focus]")?.focus();
  const begins = shown.find((element) => element.dataset?.address)?.dataset.address;
  if (begins) htmx.ajax("GET", begins, { target: "#main", select: "#main", swap: "outerHTML", push: "true" });
  else leaveAddress(body());
  emit("memory:saved");
  leaveSaved(body().querySelector("[data-done]"));
}

/** Nothing is left to do in the dialog: the page says its line instead. */
function leaveSaved(line) {
  if (!line) return;
  dialog().close();
  emit("chat:notice", { sentence: line.textContent.replace(/\s+/g, " ").trim() });
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

/** Whether something was typed or chosen since the dialog came or was saved; what was refused still is. */
function isChanged(form) {
  if (form && "unsaved" in form.dataset) return true;
  const isOther = (field) =>
    field.type === "radio" ? field.checked !== field.defaultChecked : field.value !== untouched(field);
  return [...(form?.querySelectorAll("input:not([type=hidden]), select") ?? [])].some(isOther);
}

const untouched = (field) =>
  field.options ? ([...field.options].find((one) => one.defaultSelected) ?? field.options[0]).value : field.defaultValue;

/** Asks once before what was typed is discarded: whoever closes the dialog again wants that. */
function keep(event) {
  const form = dialog().querySelector("[data-memory]");
  if (!isChanged(form) || !form.querySelector(".memory-failed").hidden) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  tellFailure(form, worded("unsaved-settings"));
}

on("composer:config", open);
document.addEventListener("cancel", (event) => event.target === dialog() && keep(event), { capture: true });
document.addEventListener(
  "click",
  (event) => event.target.closest("#config-dialog [data-close]") && keep(event),
  { capture: true },
);
document.addEventListener("input", ({ target }) => {
  if (!target.matches("[data-memory] *")) return;
  tellFailure(target.form, "");
  forgive(target.type === "radio" ? target.closest("fieldset") : target);
  if (target.name === "length") document.getElementById("remember-last").checked = true;
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
