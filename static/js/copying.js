// Copies what a link leads to, where a person would else open it: the request as JSON or as curl.

import { copyArriving } from "./clipboard.js";
import { emit, onClick } from "./events.js";

async function textOf(link) {
  const response = await fetch(link.href);
  if (!response.ok) throw new Error(`${response.status}`);
  return response.text();
}

function showDone(link) {
  const label = link.querySelector("span");
  const before = label.textContent;
  if (before === "Copied") return;
  label.textContent = "Copied";
  setTimeout(() => (label.textContent = before), 1_500);
}

onClick("[data-copy-from]", async (link, event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    await copyArriving(textOf(link));
  } catch {
    emit("chat:problem", "That could not be copied. Open the link in a new tab instead.");
    return;
  }
  emit("chat:say", "Copied");
  showDone(link);
});
