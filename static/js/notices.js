// What the server says beside the transcript: replies to commands, and news of summaries.

import { run } from "./commands.js";
import { emit, on } from "./events.js";
import * as view from "./view.js";

on("socket:notice", ({ message, undo }) => {
  emit("chat:notice", { sentence: message, undo: undo ? () => run(undo) : null });
});
on("socket:summary", ({ conversation }) => {
  if (conversation === view.conversation()) emit("summary:changed");
});
