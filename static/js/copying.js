// Copies what a link leads to, the request as JSON or as a curl command, instead of opening it.

import { copyText } from "./clipboard.js";
import { emit, onClick } from "./events.js";
import { worded } from "./texts.js";

async function textOf(link) {
  const response = await fetch(link.href);
  if (!response.ok) throw new Error(`${response.status}`);
  return response.text();
}

/** `arriving` is a promise of text. Ask the browser at once, while it still
 *  counts the click as a permission; the way without a clipboard can wait for the text. */
async function copyArriving(arriving) {
  if (!navigator.clipboard?.write) return copyText(await arriving);
  const plain = arriving.then((text) => new Blob([text], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain })]);
}

function showDone(link) {
  const label = link.querySelector("span");
  const before = label.textContent;
  if (before === worded("copied")) return;
  label.textContent = worded("copied");
  setTimeout(() => (label.textContent = before), 1_500);
}

onClick("[data-copy-from]", async (link, event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    await copyArriving(textOf(link));
  } catch {
    emit("chat:problem", worded("copy-failed"));
    return;
  }
  emit("chat:say", worded("copied"));
  showDone(link);
});
