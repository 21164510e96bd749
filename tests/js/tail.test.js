import { equal } from "./assert.js";
import { blockParts, growTail, inlineParts, showTail, tailElements } from "../../static/js/tail.js";

const html = (text) => tailElements(text).map((element) => element.outerHTML).join("");

export function plain_text_stays_plain() {
  equal(inlineParts("2 * 3 * 4 and a_b"), [["", "2 * 3 * 4 and a_b"]]);
}

export function marks_become_elements() {
  equal(inlineParts("a **b** *c* `d*e*`"), [
    ["", "a "], ["strong", "b"], ["", " "], ["em", "c"], ["", " "], ["code", "d*e*"],
  ]);
}

export function an_open_mark_reaches_to_the_end() {
  equal(inlineParts("say **bol"), [["", "say "], ["strong", "bol"]]);
  equal(inlineParts("say `co"), [["", "say "], ["code", "co"]]);
}

export function escapes_lose_their_backslash() {
  equal(inlineParts("\\*\\*x"), [["", "*"], ["", "*"], ["", "x"]]);
}

export function a_link_shows_its_text() {
  equal(inlineParts("see [here](https://example.org"), [["", "see "], ["", "here"]]);
}

export function headings_and_paragraphs() {
  equal(html("## Title\n\none\ntwo\n\nthree"), "<h2>Title</h2><p>one\ntwo</p><p>three</p>");
}

export function lists_take_their_continuations() {
  equal(html("- a\n  more\n- **b**\n\n1. c"), "<ul><li>a more</li><li><strong>b</strong></li></ul><ol><li>c</li></ol>");
}

const code = (text) => blockParts(text).map(({ tag, name, lines }) => (lines ? [name, ...lines] : tag));

export function an_open_fence_is_code() {
  equal(code("```py x\n# not a heading\n**x"), [["py", "# not a heading", "**x"]]);
  equal(code("~~~\n```\n\nx"), [["", "```", "", "x"]]);
}

export function a_closed_fence_ends() {
  equal(code("```\nx\n```\nafter"), [["", "x"], "p"]);
  equal(code("````\n```\n```js\n`````\nafter"), [["", "```", "```js"], "p"]);
}

export function half_a_fence_is_no_line() {
  const begun = ["`", "``", "```", "```p", "~", "~~~py"];
  equal(begun.map((half) => code(`Look:\n${half}`)), begun.map(() => ["p"]));
  const ended = ["", " ", "`", "``", "```"];
  equal(ended.map((half) => code(`\`\`\`py\nx\n${half}`)), ended.map(() => [["py", "x"]]));
  equal(code("```py\nx\n```\n"), [["py", "x"]]);
}

export function code_in_a_line_is_no_fence() {
  equal(["`a", "``a``", "```a`", "```a`\nb"].flatMap(code), ["p", "p", "p", "p"]);
}

export function a_code_block_that_grows_keeps_its_frame() {
  const frame = document.createElement("template");
  frame.id = "piece-code";
  frame.innerHTML = '<figure><span class="code-language">text</span><pre><code></code></pre></figure>';
  document.body.append(frame);
  const tail = document.createElement("div");
  showTail(tail, "Look:\n```py\nx");
  const [, figure] = tail.children;
  growTail(tail, " = 1\n\ny");
  equal(tail.innerHTML, '<p>Look:</p><figure><span class="code-language">py</span><pre><code>x = 1\n\ny</code></pre></figure>');
  equal(tail.children[1] === figure, true);
  showTail(tail, "");
  equal(tail.childNodes.length, 0);
}

export function a_table_grows_by_rows() {
  equal(
    html("| a | b |\n|---|---|\n| 1 | 2 |"),
    "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
  );
}

export function markup_is_never_parsed() {
  equal(html("<img src=x onerror=alert(1)>"), "<p>&lt;img src=x onerror=alert(1)&gt;</p>");
}
