// Shows the open end of a running answer until the server's rendering replaces it, similar enough
// that little moves then. It builds elements and never parses HTML.

const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^(#{1,6})\s+(.*)/;
const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const SEPARATOR = /^[\s|:-]+$/;
const INLINE = /\\([!-/:-@[-`{-~])|(`+)(.+?)(?:\2|$)|\*\*([^*]+)(?:\*\*|$)|(?<=^|[\s(])\*([^*\s][^*]*)(?:\*|$)|\[([^\]]*)\]\([^)\s]*(?:\)|$)/gs;

/** Runs of text, each with its element's name, "" for none. An unclosed mark reaches to the end. */
export function inlineParts(text) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    const [, escaped, , code, strong, em, link] = found;
    parts.push(["", text.slice(end, found.index)]);
    const kinds = [["", escaped], ["code", code], ["strong", strong], ["em", em], ["", link]];
    parts.push(kinds.find(([, inner]) => inner !== undefined));
    end = found.index + found[0].length;
  }
  parts.push(["", text.slice(end)]);
  return parts.filter(([, inner]) => inner);
}

/** Top-level blocks: {tag, text}, and `items` of a list or `rows` of a table. */
export function blockParts(text) {
  const blocks = [];
  let fence = null;
  for (const line of text.split("\n")) {
    const last = blocks.at(-1);
    if (fence) {
      if (line.trim().startsWith(fence)) fence = null;
      else last.text += `${line}\n`;
    } else if (FENCE.test(line)) {
      fence = FENCE.exec(line)[1];
      blocks.push({ tag: "pre", text: "" });
    } else {
      takeLine(blocks, line, last);
    }
  }
  return blocks.filter((block) => block.tag !== "gap");
}

function takeLine(blocks, line, last) {
  const heading = HEADING.exec(line);
  const item = ITEM.exec(line);
  if (!line.trim()) blocks.push({ tag: "gap" });
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
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}

const inline = (text) =>
  inlineParts(text).map(([tag, inner]) => (tag ? element(tag, [inner]) : inner));

function blockElement({ tag, text, items, rows }) {
  if (items) return element(tag, items.map((item) => element("li", inline(item))));
  if (rows) {
    const shown = rows.filter((row) => !SEPARATOR.test(row));
    const cells = (row, kind) => cellsOf(row).map((cell) => element(kind, inline(cell.trim())));
    return element(tag, shown.map((row, n) => element("tr", cells(row, n ? "td" : "th"))));
  }
  if (tag === "pre") return element("pre", [element("code", [text])]);
  return element(tag, inline(text));
}

/** A text that is too long to be formatted. */
function plainElement(text) {
  const made = element("pre", [text]);
  made.className = "plain";
  made.dataset.plain = "";
  return made;
}

/** The elements of a Markdown text. */
export function tailElements(text) {
  return blockParts(text).map(blockElement);
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
  tail.replaceChildren(...(isPlain ? [plainElement(text)] : tailElements(text)));
}
