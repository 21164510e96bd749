// Marks the images and files in the transcript that the newest request left out.

import { on } from "./events.js";

/** The gauge names them: their message's position, and their place among its parts. */
function show() {
  const omissions = document.getElementById("gauge")?.dataset.omitted ?? "";
  const omitted = new Set(omissions.split(" "));
  for (const item of document.querySelectorAll(".attached > [data-part]")) {
    const isOmitted = omitted.has(item.dataset.part);
    item.toggleAttribute("data-omitted", isOmitted);
    item.querySelector(".not-sent").hidden = !isOmitted;
  }
}

on("chat:shown", show);
on("chat:plan", show);
document.addEventListener("htmx:after:swap", show);
