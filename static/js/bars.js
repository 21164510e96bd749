// Draws one column of the table of figures as bars, and shows the figures of the period that
// somebody points at, touches, or reaches with the arrow keys. Lengths are percentages, so that
// nothing is redrawn when the window's size changes.

import { linesUpTo, told } from "./scale.js";
import { worded } from "./texts.js";

const LABELS = 8; // At most, below the bars.
const TIMES = new Set(["first", "whole"]); // Half of the requests, and 95 of 100.
const KEYS = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  Home: -Infinity,
  End: Infinity,
};

/** `link` is the chosen one, with the column's name and title. */
export function drawBars(chart, link) {
  const { metric, title } = link.dataset;
  const rows = [...document.querySelectorAll("#trend-table tr[data-drawn]")].reverse();
  const values = rows.map((row) => valueOf(row, TIMES.has(metric) ? `${metric}_p95` : metric));
  const lines = linesUpTo(Math.max(0, ...values), metric);
  const plot = part("div", "chart-plot");
  plot.append(...lines.map((value) => line(value, lines, metric)));
  const bars = part("div", "chart-bars");
  bars.append(...rows.map((row, at) => bar(row, metric, lines.at(-1), rows.length - 1 - at, rows.length)));
  plot.append(bars);
  const read = part("p", "chart-read");
  chart.dataset.metric = metric;
  chart.replaceChildren(head(title, metric), read, plot);
  readable(plot, bars, rows, { read, title, metric, chosen: link.textContent.trim() });
}

function valueOf(row, name) {
  return Number(row.querySelector(`[data-${name}]`).getAttribute(`data-${name}`));
}

function part(tag, name, text = "") {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}

function head(title, metric) {
  const heading = part("p", "chart-title", title);
  if (TIMES.has(metric)) {
    heading.append(part("span", "chart-key half", worded("chart-half")));
    heading.append(part("span", "chart-key most", worded("chart-most")));
  }
  return heading;
}

function line(value, lines, metric) {
  const line = part("div", "chart-line");
  line.style.setProperty("--at", `${(100 * value) / lines.at(-1)}%`);
  line.append(part("span", "", told(value, metric, lines[1])));
  return line;
}

/** One period, which is the `back`th from the newest. */
function bar(row, metric, highest, back, count) {
  const bar = part("div", "chart-bar");
  const every = Math.ceil(count / LABELS);
  if (TIMES.has(metric)) bar.append(pillar("most", valueOf(row, `${metric}_p95`), highest));
  bar.append(pillar("value", valueOf(row, metric), highest));
  if (!(back % every)) bar.append(part("span", back % (2 * every) ? "odd" : "", short(row)));
  if (row.hidden) bar.classList.add("silent");
  return bar;
}

function pillar(name, value, highest) {
  const column = part("i", name);
  column.style.setProperty("--high", `${(100 * value) / highest}%`);
  return column;
}

/** The day and the month, as the reader's browser writes them. */
function short({ dataset }) {
  return new Date(`${dataset.start}T00:00`).toLocaleDateString([], { day: "numeric", month: "short" });
}

/** What a cell says, part by part. */
function plain(cell) {
  const texts = [...cell.childNodes].map((node) => node.textContent.trim());
  return texts.filter(Boolean).join(", ");
}

/** One stop of the Tab key, like a slider over the periods; the newest is told first. */
function readable(plot, bars, rows, chart) {
  const last = rows.length - 1;
  const labels = { "aria-label": chart.title, "aria-valuemin": 1, "aria-valuemax": rows.length };
  const attributes = { role: "slider", tabindex: 0, "aria-orientation": "horizontal", ...labels };
  for (const [name, value] of Object.entries(attributes)) plot.setAttribute(name, value);
  let place = last;
  const choose = (at) => {
    place = Math.min(Math.max(at, 0), last);
    for (const [each, bar] of [...bars.children].entries())
      bar.classList.toggle("told", each === place);
    const sentence = figuresOf(rows[place], chart);
    plot.setAttribute("aria-valuenow", place + 1);
    plot.setAttribute("aria-valuetext", sentence.textContent);
    chart.read.replaceChildren(...sentence.childNodes);
  };
  const point = ({ clientX }) => {
    const { left, width } = bars.getBoundingClientRect();
    choose(Math.floor(((clientX - left) / width) * rows.length));
  };
  plot.addEventListener("pointermove", point);
  plot.addEventListener("pointerdown", point);
  const open = () => rows[place].querySelector("a").click();
  // A touch only shows the figures: a finger has no other way to point at a bar.
  bars.addEventListener("click", ({ pointerType }) => pointerType !== "touch" && open());
  plot.addEventListener("keydown", (event) => {
    if (event.key === "Enter") open();
    if (!(event.key in KEYS)) return;
    event.preventDefault();
    choose(place + KEYS[event.key]);
  });
  choose(last);
}

/** The day, the chosen figure, and how many requests it is of. */
function figuresOf(row, { metric, chosen }) {
  const paragraph = document.createElement("p");
  paragraph.append(part("b", "", plain(row.cells[0])), " ");
  if (row.hidden) {
    paragraph.append(worded("chart-none"));
    return paragraph;
  }
  const cells = [row.querySelector(`[data-${metric}]`), row.querySelector("[data-requests]")];
  for (const cell of new Set(cells)) {
    const label = cell.dataset.label;
    paragraph.append(part("span", "", `${label} ${plain(cell)}`), " ");
  }
  return paragraph;
}
