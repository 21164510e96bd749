// Shows the open end of a running answer until the server's rendering replaces it, similar enough
// that little moves then. It builds elements and never parses HTML.

import { piece } from "./html.js";

const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})\s*(\S*)/;
const HALF_FENCE = /^\s*(`{1,2}|`{3,}[^`]*|~{1,2}|~{3,}.*)$/;
const LONGEST_NAME = 32; // Of a language.
const HEADING = /^(#{1,6})\s+(.*)/;
const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const SEPARATOR = /^[\s|:-]+$/;
const INLINE = /\\([!-/:-@[-`{-~])|(`+)(.+?)(?:\2|$)|\*\*([^*]+)(?:\*\*|$)|(?<=^|[\s(])\*([^*\s][^*]*)(?:\*|$)|\[([^\]]*)\]\([^)\s]*(?:\)|$)/gs;

/** Runs of text, each with its element's name, "" for none. An unclosed mark reaches to the end. */
export function inlineParts(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [, escaped, , code, strong, em, link] = match;
    parts.push(["", text.slice(end, match.index)]);
    const kinds = [["", escaped], ["code", code], ["strong", strong], ["em", em], ["", link]];
    parts.push(kinds.find(([, inner]) => inner !== undefined));
    end = match.index + match[0].length;
  }
  parts.push(["", text.slice(end)]);
  return parts.filter(([, inner]) => inner);
}

/** Top-level blocks: {tag, text}, `items` of a list, `rows` of a table, or `name` and `lines` of code.
 *  The last line has no end yet: it is left out while it may become a fence. */
export function blockParts(text) {
  const blocks = [];
  const lines = text.split("\n");
  const half = lines.pop();
  for (const line of lines) takeLine(blocks, line);
  const fence = blocks.at(-1)?.fence;
  const maybeFence = fence ? isMadeOf(fence[0], half) : HALF_FENCE.test(half);
  if (!maybeFence) takeLine(blocks, half);
  return blocks.filter((block) => block.tag !== "gap");
}

const isMadeOf = (mark, line) => !line.trim().replaceAll(mark, "");

function takeCode(block, line) {
  const isEnd = isMadeOf(block.fence[0], line) && line.trim().length >= block.fence.length;
  if (isEnd) block.fence = "";
  else block.lines.push(line);
}

function takeLine(blocks, line) {
  const last = blocks.at(-1);
  if (last?.fence) return takeCode(last, line);
  const code = FENCE.exec(line);
  const heading = HEADING.exec(line);
  const item = ITEM.exec(line);
  if (code) blocks.push({ tag: "figure", fence: code[1], name: code[2].slice(0, LONGEST_NAME), lines: [] });
  else if (!line.trim()) blocks.push({ tag: "gap" });
  else if (RULE.test(line)) blocks.push({ tag: "hr", text: "" });
  else if (heading) blocks.push({ tag: `h${heading[1].length}`, text: heading[2] });
  else if (item) addEntry(blocks, last, item[1] ? "ol" : "ul", "items", item[2]);
  else if (line.startsWith("|")) addEntry(blocks, last, "table", "rows", line);
  else if (line.startsWith(">")) blocks.push({ tag: "blockquote", text: line.slice(1).trim() });
  else if (last?.items) last.items.push(`${last.items.pop()} ${line.trim()}`);
  else if (last?.tag === "p") last.text += `\n${line}`;
  else blocks.push({ tag: "p", text: line });
}

function addEntry(blocks, last, tag, list, entry) {
  if (last?.tag === tag) last[list].push(entry);
  else blocks.push({ tag, [list]: [entry] });
}

const cellsOf = (row) => row.replace(/^\||\|\s*$/g, "").split("|");

function element(tag, children) {
  const node = document.createElement(tag);
  node.append(...children);
  return node;
}

const inline = (text) =>
  inlineParts(text).map(([tag, inner]) => (tag ? element(tag, [inner]) : inner));

function codeElement(name, lines) {
  const block = piece("code");
  if (name) block.querySelector(".code-language").textContent = name;
  block.querySelector("code").textContent = lines.join("\n");
  return block;
}

function blockElement({ tag, text, items, rows, name, lines }) {
  if (lines) return codeElement(name, lines);
  if (items) return element(tag, items.map((item) => element("li", inline(item))));
  if (rows) {
    const tableRows = rows.filter((row) => !SEPARATOR.test(row));
    const cells = (row, kind) => cellsOf(row).map((cell) => element(kind, inline(cell.trim())));
    return element(tag, tableRows.map((row, n) => element("tr", cells(row, n ? "td" : "th"))));
  }
  return element(tag, inline(text));
}

/** A text that is too long to be formatted. */
function plainElement(text) {
  const block = element("pre", [text]);
  block.className = "plain";
  block.dataset.plain = "";
  return block;
}

/** The elements of a Markdown text. */
export function tailElements(text) {
  return blockParts(text).map(blockElement);
}

const PARTS = ".code-language, code";
const isCode = (node) => node.localName === "figure";

/** Make what is shown look like that. A code block keeps its button, which somebody may be pressing. */
function become(old, model) {
  if (old.isEqualNode(model)) return;
  if (!isCode(old) || !isCode(model)) return old.replaceWith(model);
  const parts = model.querySelectorAll(PARTS);
  for (const [n, part] of old.querySelectorAll(PARTS).entries()) {
    part.textContent = parts[n].textContent;
  }
}

const tails = new WeakMap(); // .tail -> its Markdown

/** Where a text gets too long to be formatted, the server says so: it is only added to from then on. */
export function growTail(tail, text) {
  const plain = tail.querySelector("[data-plain]");
  if (plain) plain.append(text);
  else showTail(tail, (tails.get(tail) ?? "") + text);
}

export function showTail(tail, text, isPlain = false) {
  tails.set(tail, text);
  const nodes = [...tail.childNodes];
  const elements = isPlain ? [plainElement(text)] : tailElements(text);
  for (const [n, model] of elements.entries()) {
    if (n < nodes.length) become(nodes[n], model);
    else tail.append(model);
  }
  for (const rest of nodes.slice(elements.length)) rest.remove();
}
