// Chooses the column of the table of figures that the chart draws, and keeps the choice.

import { drawBars } from "./bars.js";

const chart = document.getElementById("chart");
const choice = document.querySelector(".metrics");

function draw() {
  drawBars(chart, choice.querySelector("[aria-current]"));
}

choice?.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  choice.querySelector("[aria-current]").removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  keep(link.dataset.metric);
  draw();
});

/** In the address, and in those of this page that its other links and fields lead to. */
function keep(metric) {
  const addresses = document.querySelectorAll('.staff-main a[href^="?"]:not([data-metric])');
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
