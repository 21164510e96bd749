import { equal } from "./assert.js";
import { blockParts, inlineParts, tailElements } from "../../static/js/tail.js";

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

export function an_open_fence_is_code() {
  equal(html("```py\n# not a heading\n**x"), "<pre><code># not a heading\n**x\n</code></pre>");
}

export function a_closed_fence_ends() {
  equal(blockParts("```\nx\n```\nafter").map((block) => block.tag), ["pre", "p"]);
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
