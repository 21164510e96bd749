// Says at once that a text is too long to be sent, before the browser has to lay it out.

import { emit } from "./events.js";
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
