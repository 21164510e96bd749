// The inspector's zone "What-if": a variant can be kept for a comparison, copied as a link, or applied to
// the chat. htmx tries it: each change of a field fetches the result.

import { leaveAddress } from "./address.js";
import { copyText } from "./clipboard.js";
import { emit, on, onClick } from "./events.js";
import { unfold } from "./folds.js";
import { refreshNotes } from "./panel.js";
import { worded } from "./texts.js";

const MOST = 4;
const RESULTS = ["advice-tried", "what-if-replay"]; // What they get comes into sight.
const comparison = () => document.querySelector(".whatif-kept");
const form = () => document.querySelector("[data-whatif]");

const dropped = new Set();
let isLost = false; // The last try brought no result.
let isApplied = false; // Since the last change of a field.

export const isChanged = (field) =>
  field.selectedOptions ? !field.selectedOptions[0]?.defaultSelected : field.value !== field.defaultValue;

/** Try what the fields say, if the result shows something else: a browser brings back what was typed
 *  before a reload, and a try may have found no server. */
function catchUp() {
  const isUntried = form() && !document.querySelector("#what-if-result [data-keep-try], [data-fault-of]");
  if (form() && (isLost || (isUntried && [...form().elements].some(isChanged)))) tryAgain();
}

const tryAgain = () => form().dispatchEvent(new Event("input", { bubbles: true }));

for (const failure of ["htmx:error", "htmx:response:error"]) {
  document.addEventListener(failure, ({ detail: { ctx } }) => (isLost ||= Boolean(ctx) && ctx.sourceElement === form()));
}
on("socket:open", catchUp);
for (const back of ["online", "pageshow"]) addEventListener(back, catchUp);
catchUp();

onClick("[data-keep-try]", keep);

/** A replay includes the present try, even if it was not kept, unless somebody dropped it. */
document.addEventListener(
  "submit",
  ({ target }) => {
    const variant = document.querySelector("#what-if-result [data-keep-try]");
    const isWanted = variant && !dropped.has(variant.dataset.keepTry);
    if (isWanted && target.matches("[data-compare]")) keep(variant);
  },
  { capture: true }, // Before htmx reads the form.
);

/** The try of a button, once. */
function keep({ dataset }) {
  const list = comparison();
  const queries = [...list.querySelectorAll("input")].map((field) => field.value);
  if (queries.includes(dataset.keepTry)) return;
  if (queries.length === MOST) {
    emit("chat:problem", worded("compared-most", { most: MOST }));
    return;
  }
  list.append(item(dataset.name, dataset.keepTry));
  dropped.delete(dataset.keepTry);
  showCompared();
  emit("chat:say", worded("compared", { name: dataset.name }));
}

/** Beside the button that adds a try: how many there are, and the way to them, which may be far below. */
function showCompared() {
  const link = document.querySelector("#what-if-result .compared");
  const count = comparison().childElementCount;
  if (!link) return;
  link.hidden = !count;
  link.textContent = worded("compared-count", { count });
}

/** One kept try: its name, its query in a hidden field, and a button that drops it. */
function item(name, query) {
  const entry = document.createElement("li");
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "v", value: query });
  const drop = Object.assign(document.createElement("button"), { type: "button", textContent: "×" });
  drop.setAttribute("aria-label", worded("remove", { name }));
  drop.addEventListener("click", () => {
    entry.remove();
    dropped.add(query);
    showCompared();
  });
  entry.append(name, field, drop);
  return entry;
}

onClick("[data-copy-link]", async (link, event) => {
  event.preventDefault();
  try {
    await copyText(link.href);
  } catch {
    emit("chat:problem", worded("copy-link-refused"));
    return;
  }
  emit("chat:say", worded("copied"));
  link.querySelector("span").textContent = worded("copied");
});

/** Fill in what is advised. The link itself leads to the form. */
onClick("[data-try]", ({ dataset }) => {
  for (const [name, value] of new URLSearchParams(dataset.try)) {
    form().elements[name].value = value;
    unfold(form().elements[name]);
  }
  tryAgain();
});

document.addEventListener("input", ({ target }) => {
  if (target.closest("[data-whatif]")) isApplied = false;
});
/** A try that begins late would break off the applying, and hide what became of it. */
document.addEventListener("htmx:config:request", (event) => {
  const { sourceElement, request } = event.detail.ctx;
  if (isApplied && sourceElement === form() && request.method === "GET") event.preventDefault();
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx.target?.id === "what-if-result") {
    isLost = false;
    showFaults();
    showCompared();
    showResult(ctx.target);
  }
  if (RESULTS.includes(ctx.target?.id)) ctx.target.scrollIntoView({ block: "nearest" });
  if (ctx.target?.matches?.("[data-standing]")) undone();
  else if (ctx.target?.matches?.(".taken")) showUpcoming();
});

/** The panel says what the next message will have, once settings were applied or taken back. */
function showUpcoming() {
  if (!document.querySelector("#what-if-result .whatif-said")) return;
  refreshNotes();
}

/** The panel says what the next message will have: no longer what was just undone. */
function undone() {
  emit("chat:say", document.querySelector("#panel .taken .whatif-said")?.textContent.trim() ?? "");
  emit("memory:saved");
}

/** Whoever changes a field sees what that changes, though the result is below all fields. */
function showResult(result) {
  const figures = result.querySelector("[data-keep-try]") && result.querySelector("table");
  if (form().contains(document.activeElement)) figures?.scrollIntoView({ block: "nearest" });
}

/** What is wrong with a try is said beside its fields, which are marked; the first comes into view. */
function showFaults() {
  const { elements } = form();
  for (const fault of form().querySelectorAll("[data-fault-of]")) {
    elements[fault.dataset.faultOf].removeAttribute("aria-invalid");
    elements[fault.dataset.faultOf].removeAttribute("aria-describedby");
    fault.remove();
  }
  const faults = [...document.querySelectorAll("#what-if-result [data-fault-of]")];
  for (const fault of faults) {
    const field = elements[fault.dataset.faultOf];
    field.ariaInvalid = "true";
    field.setAttribute("aria-describedby", fault.id);
    field.after(fault);
    unfold(field);
  }
  faults[0]?.scrollIntoView({ block: "nearest" });
}

/** Apply the form's present values, even those typed since the last result. */
onClick("[data-take]", async () => {
  isApplied = true;
  const values = new FormData(form());
  const query = new URLSearchParams({ generation: values.get("generation"), step: values.get("step") });
  await htmx.ajax("POST", `${form().getAttribute("hx-get")}/take?${query}`, {
    source: form(),
    values: Object.fromEntries(values),
    target: "#what-if-result",
    swap: "innerHTML",
  });
  document.querySelector("#what-if-result .taken")?.scrollIntoView({ block: "nearest" });
  leaveAddress(document.getElementById("what-if-result"));
  showUpcoming();
});

document.addEventListener("reset", ({ target }) => {
  if (!target.matches("[data-whatif]")) return;
  setTimeout(() => target.dispatchEvent(new Event("input", { bubbles: true })));
});
