// Edits that are neither sent nor cancelled come back with their messages: those of this page, when
// another branch or chat is left again, and those from before it.

import { sourceOf } from "./actions.js";
import { drop, fill, formFor, place } from "./editing.js";
import { emit, on } from "./events.js";
import * as kept from "./kept_edits.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

const EDITABLE = ".message:has([data-action=edit]):not([data-editing])";

function bringBack() {
  for (const form of kept.away()) comeBack(form);
  for (const message of view.transcript()?.querySelectorAll(EDITABLE) ?? []) {
    const draft = kept.draftOf(message);
    if (draft) reopen(message, draft);
  }
}

function comeBack(form) {
  const message = kept.messageHere(form);
  if (message) show(message, form);
  else if (!kept.isChanged(form)) drop(form);
  else if (kept.isToBeTold(form)) emit("chat:notice", { sentence: worded("edit-kept") });
}

function reopen(message, draft) {
  const form = formFor(message, sourceOf(message));
  fill(form, draft);
  show(message, form);
}

/** On a phone the message's field makes room for it: then it must be in sight. */
function show(message, form) {
  place(message, form);
  if (!document.getElementById("composer")?.checkVisibility()) form.scrollIntoView({ block: "nearest" });
}

for (const change of ["chat:shown", "answer:started"]) on(change, bringBack);
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => ctx.target?.matches?.(".unloaded") && bringBack());
bringBack();
