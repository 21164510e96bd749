// The dialog that imports chats: a file is chosen or dropped, uploaded, and read in the background.
// Loaded when it first opens. Closing it stops nothing: a message says how an import has ended.

import { emit } from "./events.js";
import { elementsOf, enliven } from "./html.js";
import { worded } from "./texts.js";
import { upload } from "./uploading.js";

const ASK_MS = 2_000;
const UNFINISHED = "[data-state=waiting], [data-state=running]";
const dialog = document.createElement("dialog");
dialog.id = "import-dialog";
dialog.className = "card";
dialog.setAttribute("aria-labelledby", "import-title");
document.body.append(dialog);

const find = (selector) => dialog.querySelector(selector);
const watched = new Set();
let sending = null; // The bar of an upload, and how to stop it.
let reportAddress = null; // The address of a report that has not come yet.
let opener = null; // Has the focus again afterwards.
let invitation = ""; // What stands where a file can be chosen.

export async function open(from) {
  opener = from;
  try {
    const response = await fetch("/imports");
    if (!response.ok || response.redirected) return emit("chat:problem", worded("failed"));
    dialog.replaceChildren(...elementsOf(await response.text()));
  } catch {
    return emit("chat:unreachable", worded("unreachable"));
  }
  enliven(dialog);
  invitation = find("[data-chosen]").textContent;
  if (sending) showSending();
  dialog.showModal();
}

/** Show which file it is; there is one at a time. */
function chosen() {
  const [file] = find("[type=file]").files;
  find("[type=submit]").disabled = !file || sending !== null;
  if (file) find("[data-chosen]").textContent = file.name;
  find("#import-report > [data-state=failed]")?.remove(); // It was about another file.
  refuse("");
}

function refuse(sentence) {
  const place = find(".import-refused");
  if (!place) return sentence && emit("chat:problem", sentence);
  place.textContent = sentence;
  place.hidden = !sentence;
}

function send(form) {
  const [file] = find("[type=file]").files;
  const bar = document.createElement("progress");
  bar.setAttribute("aria-label", worded("attaching", { name: file.name }));
  const fields = new FormData(form);
  fields.delete("file");
  refuse("");
  const stop = upload(file, {
    address: "/imports",
    fields,
    progress: (part) => (bar.value = part),
    done: ({ address }) => {
      sent();
      follow(address);
    },
    refused: (sentence) => {
      sent();
      refuse(sentence ?? worded("attach-failed", { name: file.name }));
    },
  });
  sending = { bar, stop };
  showSending();
}

function showSending() {
  find("#import-report").replaceChildren(sending.bar);
  find("[type=submit]").disabled = true;
  find("[data-import-stop]").hidden = false;
}

function sent() {
  sending.bar.remove();
  sending = null;
  if (!dialog.open) return;
  find("[data-import-stop]").hidden = true;
  find("[type=submit]").disabled = !find("[type=file]").files.length;
}

async function follow(address) {
  if (!dialog.open) return watch(address);
  reportAddress = address;
  find("[type=file]").value = "";
  find("[data-chosen]").textContent = invitation;
  find("[type=submit]").disabled = true;
  await htmx.ajax("GET", address, { target: "#import-report", swap: "innerHTML" });
  if (find("#import-report > *")) reportAddress = null;
}

/** Ask until it has ended, while the dialog is closed; in it the report asks itself. */
function watch(address) {
  if (watched.has(address)) return;
  watched.add(address);
  setTimeout(ask, ASK_MS, address, ASK_MS);
}

async function ask(address, after) {
  watched.delete(address);
  if (dialog.open) return;
  const response = await fetch(address).catch(() => null);
  if (response && !response.ok) return; // It is gone, or not ours any more.
  const [report] = response ? elementsOf(await response.text()) : [];
  if (report && !report.matches(UNFINISHED)) return ended(report);
  watched.add(address);
  setTimeout(ask, after, address, Math.min(2 * after, 30_000));
}

function ended(report) {
  const words = (selector) => report.querySelector(selector)?.textContent.trim().replace(/\s+/g, " ");
  const summary = words(".import-refused") || words(".import-sums");
  emit("chat:notice", { sentence: `${report.getAttribute("aria-label")}: ${summary}` });
  htmx.trigger(document.body, "chat:list");
}

dialog.addEventListener("change", ({ target }) => target.type === "file" && chosen());
dialog.addEventListener("submit", (event) => {
  if (event.target.id !== "import-form") return;
  event.preventDefault();
  send(event.target);
});
dialog.addEventListener("click", ({ target }) => {
  if (target.closest(".import-entry a")) dialog.close();
  if (!target.closest("[data-import-stop]")) return;
  sending?.stop();
  sent();
});
dialog.addEventListener("close", () => {
  const address = reportAddress ?? find(UNFINISHED)?.getAttribute("hx-get");
  reportAddress = null;
  dialog.replaceChildren(); // Its report asks no more.
  if (address) watch(address);
  const { activeElement: focused } = document;
  if (focused === document.body || dialog.contains(focused)) opener?.focus(); // Or something else is wanted.
});
for (const name of ["dragover", "dragenter", "dragleave", "drop"]) {
  dialog.addEventListener(name, (event) => {
    event.preventDefault();
    event.stopPropagation(); // It is not for the chat behind.
    find(".import-drop")?.toggleAttribute("data-over", name === "dragover" || name === "dragenter");
    if (name !== "drop" || !event.dataTransfer.files.length) return;
    find("[type=file]").files = event.dataTransfer.files;
    chosen();
  });
}
