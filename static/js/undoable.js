// Undoing a summary is offered only where one would be sent: in the chat's menu, and among the commands.
// Summarising is offered in a chat that has begun.

import * as view from "./view.js";

/** Look each time the menu opens: summaries come and go while the chat is open. */
export async function offerUndo(menu) {
  const conversation = view.conversation();
  menu.querySelector('[data-command="/compact"]').hidden = !conversation;
  const isThere = await hasSummary(conversation);
  if (conversation !== view.conversation()) return;
  menu.querySelector('[data-command="/undo"]').hidden = !isThere;
}

export async function hasSummary(conversation) {
  if (!conversation) return false;
  try {
    const response = await fetch(`/api/conversations/${conversation}/checkpoints`);
    return response.ok && (await response.json()).some(({ applies }) => applies);
  } catch {
    return false; // Nothing could be undone now anyway.
  }
}
