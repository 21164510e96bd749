// The choice of a chat's model. A chat that has begun stores it at once; a new one sends it with
// its first message.

import { emit } from "./events.js";
import * as view from "./view.js";

document.addEventListener("change", async ({ target }) => {
  const conversation = view.conversation();
  if (!target.matches?.(".model-choice") || !conversation) return;
  const values = { model: target.value };
  await htmx.ajax("POST", `/chat/${conversation}/model`, { source: target, values, swap: "none" });
  emit("memory:saved");
});
