// Files that are chosen, pasted or dropped go to the tray of their form.

import { trayHere } from "./attachments.js";
import { onClick } from "./events.js";

const chooserOf = (form) => form.querySelector("input[type=file]");
const takesFiles = (form) => Boolean(form?.matches("#composer, .edit-form") && !chooserOf(form).disabled);

/** `files`: a list that is emptied when the event is over. */
async function supply(form, files) {
  const all = [...files];
  const isEdit = form.matches(".edit-form");
  const tray = isEdit ? (await import("./tray.js")).trayOf(form) : await trayHere();
  tray?.add(all);
}

onClick(".attach", (button) => chooserOf(button.form).click());
document.addEventListener("change", ({ target }) => {
  if (target.type !== "file" || !takesFiles(target.form)) return;
  supply(target.form, target.files);
  target.value = ""; // The same file may be chosen again.
});
document.addEventListener("paste", (event) => {
  const { files, types } = event.clipboardData ?? {};
  if (!files?.length || types.includes("text/plain") || !takesFiles(event.target.form)) return;
  event.preventDefault();
  supply(event.target.form, files);
});

const isOfFiles = (type) => type.toLowerCase() === "files";

/** The form that a file would be dropped on: the one under it, or else the composer. */
function formUnder(event) {
  if (!event.dataTransfer?.types.some(isOfFiles)) return null;
  const form = event.target.closest?.("form");
  return [form, document.getElementById("composer")].find(takesFiles);
}

function showTarget(form) {
  for (const other of document.querySelectorAll("form[data-dragging]")) {
    if (other !== form) delete other.dataset.dragging;
  }
  if (form) form.dataset.dragging = "";
}

document.addEventListener("dragover", (event) => {
  const form = formUnder(event);
  showTarget(form);
  if (form) event.preventDefault(); // Or the browser would open the file.
});
for (const name of ["dragleave", "dragend", "drop"]) {
  document.addEventListener(name, (event) => {
    if (name !== "dragleave" || !event.relatedTarget) showTarget(null);
  });
}
document.addEventListener("drop", (event) => {
  const form = formUnder(event);
  if (!form) return;
  event.preventDefault();
  supply(form, event.dataTransfer.files);
});
