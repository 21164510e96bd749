// Adds, moves and removes the rows of a list in the administration's forms. The server rendered a
// template for every kind of row, and reads the rows in the order of the page.

const MARK = "__row__";

export function enlivenRows(root = document) {
  for (const rows of root.querySelectorAll("[data-rows]")) enliven(rows);
}

function enliven(rows) {
  show(rows);
  rows.addEventListener("click", ({ target }) => {
    const { addRow, moveRow, removeRow } = target.dataset;
    const row = target.closest("[data-row]");
    if (addRow !== undefined) add(rows, addRow);
    if (moveRow !== undefined) move(rows, row, moveRow, target);
    if (removeRow !== undefined) remove(rows, row);
  });
}

/** Show what works with a script alone, and hide its substitute. */
function show(root) {
  for (const tools of root.querySelectorAll(".rows-add, .row-tools")) tools.hidden = false;
  for (const keep of root.querySelectorAll(".row-keep")) keep.hidden = true;
}

function add(rows, kind) {
  const blank = rows.querySelector(`template[data-blank="${CSS.escape(kind)}"]`);
  const row = blank.content.firstElementChild.cloneNode(true);
  const number = String(nextNumber(rows));
  for (const element of [row, ...row.querySelectorAll("*")]) {
    for (const { name, value } of [...element.attributes]) {
      if (value.includes(MARK)) element.setAttribute(name, value.replaceAll(MARK, number));
    }
  }
  show(row);
  rows.querySelector("ol").append(row);
  row.querySelector("input:not([type=hidden], [type=checkbox]), textarea, select")?.focus();
  say(rows, "added");
}

function nextNumber(rows) {
  const numbers = [...rows.querySelectorAll("[data-row] .row-keep input")].map(({ value }) => Number(value));
  return Math.max(0, ...numbers.filter(Number.isFinite)) + 1;
}

function move(rows, row, way, button) {
  const other = way === "up" ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return;
  if (way === "up") other.before(row);
  else other.after(row);
  button.focus();
  say(rows, "moved");
}

function remove(rows, row) {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  (next ?? rows.querySelector("[data-add-row]"))?.focus();
  say(rows, "removed");
}

/** Tell people who don't see it, and whoever follows the form's changes. */
function say(rows, what) {
  const { textContent } = rows.querySelector(`[data-said="${what}"]`);
  rows.querySelector("[data-rows-status]").textContent = textContent;
  rows.dispatchEvent(new Event("change", { bubbles: true }));
}
