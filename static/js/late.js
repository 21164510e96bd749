// What a page loads at the first event that needs it.

import { giveBack } from "./commands.js";
import { on } from "./events.js";
import { loadAtClick, loadAtEvent, loadAtInput, loadBefore, loadForKeys, needed } from "./needed.js";

const tabs = new BroadcastChannel("vitrine-marks");

/** Before the browser's own search reaches a long message that has just been sent. */
on("answer:ended", () => document.querySelector(".bubble[data-long]") && needed(() => import("./folding.js")));

/** Before somebody writes on: the server may be gone by then, and what waits is shown all the same. */
on("chat:busy", ({ busy }) => {
  if (!busy) return;
  import("./follow_up.js").catch(() => {});
  getReadyToEdit();
});

/** As soon as there is something to edit: whoever loses the connection can write on. */
const getReadyToEdit = () => Promise.all([import("./editing.js"), import("./reopening.js")]).catch(() => {});
on("chat:shown", () => document.querySelector("#transcript [data-action=edit]") && getReadyToEdit());

const reaching = () => needed(() => import("./reaching.js"));

/** From then on they listen to other tabs themselves. */
function loadMarks() {
  tabs.close();
  return import("./marks.js");
}

tabs.addEventListener("message", async ({ data }) => (await needed(loadMarks))?.show(data));
loadBefore(".menu, [data-more]", () => import("./walking.js"));
loadForKeys("#chat-search", () => import("./searching.js"), "press");
loadAtClick("[data-asks-verdict]", () => import("./verdict.js"));
loadAtClick(
  ".chat-entry > .menu > summary, .chat-menu > summary, [data-choose-chats], [data-archive-open], [data-archive-close]",
  () => import("./shelving.js"),
);
if (sessionStorage.undo) import("./shelving.js");
loadAtClick("[data-more]", loadMarks);
loadAtClick("[data-reach] button", () => import("./reaching.js"));
loadAtClick(".approval [data-decide]", () => import("./approvals.js"));
loadAtClick("button[data-follow-up]", () => import("./follow_up.js"));
loadAtClick("[data-unfold]", () => import("./folding.js"));
loadAtEvent("chat:plan", () => import("./rail.js"), "show");
loadAtEvent("composer:config", () => import("./memory.js"), "open", ({ typed }) => giveBack(typed));
loadAtEvent("socket:follow_up", () => import("./follow_up.js"), "show");
loadAtEvent("message:reached", () => import("./folding.js"), "reached");
loadAtEvent("summary:changed", () => import("./summary_line.js"), "fetchLine");
loadAtEvent("chat:begun", () => import("./exporting.js"), "offerExports");
loadAtInput(({ id, value }) => id === "text" && value.startsWith("/"), () => import("./completion.js"), "offer");
document.addEventListener("htmx:after:swap", () => document.querySelector("#chats .found") && reaching());
addEventListener("hashchange", reaching);
if (location.hash) reaching();
if (Object.keys(localStorage).some((name) => name.startsWith("outbox:"))) import("./returning.js");
