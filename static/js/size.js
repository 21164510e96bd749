// Says at once that a text is too long to be sent, before the browser has to lay it out, and about how
// many tokens a long one has.

import { emit, on } from "./events.js";
import { worded } from "./texts.js";

const field = () => document.getElementById("text");
const most = () => Number(document.getElementById("composer").dataset.most);
const bytes = (text) => (text.length * 3 <= most() ? 0 : new Blob([text]).size);

const UNITS = { gigabyte: 1e9, megabyte: 1e6, kilobyte: 1e3, byte: 1 };

/** As the server writes it: 1.5 kB. */
export function sizeOf(count) {
  const [unit, one] = Object.entries(UNITS).find(([, each]) => count >= each) ?? ["byte", 1];
  const unitDisplay = unit === "byte" ? "long" : "short";
  const format = { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(undefined, format).format(count / one);
}

/** Why a text cannot be sent; nothing if it can. */
export function whyTooLong(text, name = "too-large") {
  const size = bytes(text);
  if (size <= most()) return "";
  return worded(name, { size: sizeOf(size), most: sizeOf(most()) });
}

document.addEventListener(
  "paste",
  (event) => {
    if (event.target !== field()) return;
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    const why = whyTooLong(field().value + pasted, "paste-too-large");
    if (!why) return;
    event.preventDefault();
    event.stopPropagation();
    emit("composer:problem", why);
  },
  { capture: true },
);

const LONG = 2_000; // Characters.
const BYTES_PER_TOKEN = 4; // As a rule: models count differently.

/** Two digits of the count, since it is a guess. */
function tellTokens() {
  const text = field()?.value ?? "";
  const form = document.getElementById("composer");
  if (!form || (text.length < LONG && !("long" in form.dataset))) return;
  form.toggleAttribute("data-long", text.length >= LONG);
  const count = Number((new Blob([text]).size / BYTES_PER_TOKEN).toPrecision(2));
  form.querySelector(".size").textContent = worded("about-tokens", { count: count.toLocaleString("en") });
}

document.addEventListener("input", ({ target }) => target === field() && tellTokens());
on("composer:written", tellTokens);
