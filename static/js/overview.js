// Draws the table of figures over time, one column of it at a time. The table stays beside it.

import { worded } from "./texts.js";

const table = document.getElementById("trend-table");
const chart = document.getElementById("chart");
const choice = document.querySelector(".metrics");
const PERCENT = new Set(["cache", "left_out"]);
let plot = null;

/** Oldest first: seconds, and the values of a column; null for unknown ones. */
function series(name) {
  const rows = [...table.tBodies[0].rows].reverse();
  const times = rows.map((row) => new Date(`${row.dataset.start}T00:00`).getTime() / 1000);
  const values = rows.map((row) => {
    const text = row.querySelector(`[data-${name}]`).getAttribute(`data-${name}`);
    return text === "" ? null : Number(text);
  });
  return [times, values];
}

function shown(name, value) {
  if (value == null) return "—";
  if (name === "cost") return `$${value.toFixed(value < 1 ? 4 : 2)}`;
  return value.toLocaleString("en") + (PERCENT.has(name) ? "%" : "");
}

function day(seconds) {
  const options = { day: "numeric", month: "short" };
  return seconds == null ? "—" : new Date(seconds * 1000).toLocaleDateString("en-GB", options);
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
      axis(colour, { size: 76, values: write }),
    ],
    series: [
      { label: table.tHead.rows[0].cells[0].textContent, value: (_, moment) => day(moment) },
      {
        label,
        stroke: colour.line,
        width: 2,
        points: { show: true, size: 5, fill: colour.line },
        value: (_, value) => shown(name, value),
      },
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
  draw();
});

choice.hidden = chart.hidden = false;
draw();
new ResizeObserver(draw).observe(chart.parentElement);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
