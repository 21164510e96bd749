// Chooses the column of the table of figures that the chart draws, and keeps the choice.

import { drawBars } from "./bars.js";

const chart = document.getElementById("chart");
const choice = document.querySelector(".metrics");

function draw() {
  drawBars(chart, choice.querySelector('[aria-pressed="true"]'));
}

choice?.addEventListener("click", (event) => {
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

if (chart) draw();
