// Draws the table of figures over time, one column of it at a time. The table stays beside it.

import { duration } from "./durations.js";
import { worded } from "./texts.js";

const table = document.getElementById("trend-table");
const chart = document.getElementById("chart");
const choice = document.querySelector(".metrics");
const PERCENT = new Set(["cache", "left_out"]);
const TIMES = new Set(["first", "whole"]); // Milliseconds: the median, and what 95 of 100 kept to.
const COUNTS = new Set(["requests", "failures", "tokens"]); // Nothing is between 0 and 1.
const STEPS = Array.from({ length: 30 }, (_, at) => [1, 2, 5][at % 3] * 10 ** Math.floor(at / 3));
let plot = null;

/** Oldest first: seconds, and the values of a column; null for unknown ones. */
function series(name) {
  const rows = [...table.tBodies[0].rows].reverse();
  const times = rows.map((row) => new Date(`${row.dataset.start}T00:00`).getTime() / 1000);
  return [times, ...drawn(name).map((each) => rows.map((row) => value(row, each)))];
}

function drawn(name) {
  return TIMES.has(name) ? [name, `${name}_p95`] : [name];
}

function value(row, name) {
  const text = row.querySelector(`[data-${name}]`).getAttribute(`data-${name}`);
  return text === "" ? null : Number(text);
}

function shown(name, value) {
  if (value == null) return "—";
  if (TIMES.has(name)) return duration(value);
  if (name === "cost") return `$${value.toFixed(value && value < 0.1 ? 4 : 2)}`;
  return value.toLocaleString("en") + (PERCENT.has(name) ? "%" : "");
}

function day(moment) {
  const options = { day: "numeric", month: "short" };
  return moment == null ? "—" : new Date(moment * 1000).toLocaleDateString("en-GB", options);
}

function colours() {
  const names = ["line", "grid", "ink"];
  const probe = document.createElement("i");
  chart.append(probe);
  const found = names.map((name) => {
    probe.style.color = `var(--chart-${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(found);
}

function axis(colour, more) {
  const line = { stroke: colour.grid, width: 1 };
  return { stroke: colour.ink, grid: line, ticks: line, ...more };
}

function options(name, label) {
  const colour = colours();
  const style = getComputedStyle(chart);
  const inside = chart.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const write = (_, values) => values.map((value) => shown(name, value));
  const highest = (high) => (PERCENT.has(name) ? 100 : high || 1);
  return {
    width: Math.max(inside, 200),
    height: 250,
    scales: { y: { range: (_, low, high) => [0, highest(high)] } },
    axes: [
      axis(colour, { values: (_, moments) => moments.map(day) }),
      axis(colour, { size: 76, values: write, ...(COUNTS.has(name) && { incrs: STEPS }) }),
    ],
    series: [
      { label: table.tHead.rows[0].cells[0].textContent, value: (_, moment) => day(moment) },
      ...drawn(name).map((each) => ({
        label: each === name ? label : "p95",
        stroke: each === name ? colour.line : colour.ink,
        dash: each === name ? [] : [4, 4],
        width: 2,
        points: { show: true, size: 5, fill: each === name ? colour.line : colour.ink },
        value: (_, value) => shown(name, value),
      })),
    ],
  };
}

function draw() {
  const pressed = choice.querySelector('[aria-pressed="true"]');
  const { metric } = pressed.dataset;
  plot?.destroy();
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label", worded("chart", { metric: pressed.textContent }));
  plot = new uPlot(options(metric, pressed.textContent), series(metric), chart);
}

choice.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  for (const other of choice.children) other.setAttribute("aria-pressed", String(other === button));
  keep(button.dataset.metric);
  draw();
});

/** In the address, and in those of this page that its links and fields lead to. */
function keep(metric) {
  const addresses = document.querySelectorAll('.staff-main a[href^="?"]');
  for (const link of addresses) link.search = withChart(link.search, metric);
  document.querySelector(".filters-form [name=chart]").value = metric;
  history.replaceState(null, "", withChart(location.search, metric) + location.hash);
}

function withChart(search, metric) {
  const query = new URLSearchParams(search);
  query.set("chart", metric);
  return `?${query}`;
}

draw();
new ResizeObserver(draw).observe(chart.parentElement);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
