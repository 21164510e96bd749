// Copies what a link leads to, where a person would else open it: the request as JSON or as curl.

import { emit, onClick } from "./events.js";

/** The clipboard is asked at once, while the click still counts; the text may come later. */
async function copyFrom(link) {
  const text = fetch(link.href).then((response) => {
    if (!response.ok) throw new Error(`${response.status}`);
    return response.blob();
  });
  const plain = text.then((blob) => new Blob([blob], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain })]);
}

function showDone(link) {
  const label = link.querySelector("span");
  const before = label.textContent;
  if (before === "Copied") return;
  label.textContent = "Copied";
  setTimeout(() => (label.textContent = before), 1_500);
}

onClick("[data-copy-from]", async (link, event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !navigator.clipboard?.write) return;
  event.preventDefault();
  try {
    await copyFrom(link);
  } catch {
    emit("chat:problem", "That could not be copied. Open the link in a new tab instead.");
    return;
  }
  emit("chat:say", "Copied");
  showDone(link);
});
