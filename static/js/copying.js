// Copies what a link leads to, the request as JSON or as a curl command, instead of opening it.

import { copyArriving } from "./clipboard.js";
import { emit, onClick } from "./events.js";
import { worded } from "./texts.js";

async function textOf(link) {
  const response = await fetch(link.href);
  if (!response.ok) throw new Error(`${response.status}`);
  return response.text();
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
