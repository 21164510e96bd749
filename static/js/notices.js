// What the server says beside the transcript: answers to commands, and summaries that were made.

import { emit, on } from "./events.js";
import * as view from "./view.js";

on("socket:notice", ({ message }) => emit("chat:problem", message));
on("socket:summary", ({ conversation }) => {
  if (conversation === view.conversation()) emit("summary:changed");
});
