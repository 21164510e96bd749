// The lines of a chart's scale, and how it writes a value.

import { duration } from "./durations.js";

const PERCENT = new Set(["cache", "left_out"]);
const TIMES = new Set(["first", "whole"]); // In milliseconds.
const COUNTS = new Set(["requests", "failures", "stopped", "tokens"]); // Nothing is between 0 and 1.
const MOST = 4; // Lines above the one for nothing.

/** Values from 0, in equal round steps, to the first that is not below `highest`. */
export function linesUpTo(highest, metric) {
  if (PERCENT.has(metric)) return [0, 25, 50, 75, 100];
  const step = stepFor(highest || 1, metric);
  const count = Math.max(1, Math.ceil(highest / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}

function stepFor(highest, metric) {
  const tenth = 10 ** Math.floor(Math.log10(highest / MOST));
  const step = [1, 2, 5, 10].map((times) => times * tenth).find((each) => each * MOST >= highest);
  return COUNTS.has(metric) ? Math.max(1, step) : step;
}

/** A value on a scale of such steps, which is as short as it can be. */
export function told(value, metric, step) {
  if (TIMES.has(metric)) return value ? duration(value) : "0";
  if (PERCENT.has(metric)) return `${value}%`;
  if (metric === "cost") return `$${value.toFixed(Math.max(2, Math.ceil(-Math.log10(step))))}`;
  return value.toLocaleString("en", value < 10_000 ? {} : { notation: "compact" });
}
