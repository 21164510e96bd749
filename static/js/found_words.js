// Marks what was searched for in the message that a search led to, and brings it into view: a long
// message may have it far down, or in a file that is folded.

import { on } from "./events.js";
import "./folding.js";

const NAME = "found-words";
const NOT_SAID = ".unseen, .marking, .links, .about";
const SHORT = 3; // Letters. Fewer are marked as whole words: inside of others they are everywhere.
const LETTER = /[\p{L}\p{N}]/u;
let hit = null; // The result that was opened last: its place in its chat, and the words in it.

document.addEventListener("click", ({ target }) => {
  const result = target.closest(".found-text:not(.found-more, .found-older)");
  if (!result) return;
  const words = [...result.querySelectorAll("mark")].map((mark) => mark.textContent.toLowerCase());
  hit = { position: Number(result.form?.dataset.reach ?? result.hash.replace("#at-", "")), words: new Set(words) };
});

/** Another message may be reached meanwhile: a result that was opened before, or a row of the panel. */
on("message:reached", ({ message, position }) => {
  CSS.highlights?.delete(NAME);
  if (hit?.position !== position || !CSS.highlights) return;
  const places = [...hit.words].map((word) => [...placesOf(word, message)]);
  unfoldFor(places);
  CSS.highlights.set(NAME, new Highlight(...places.flat()));
  requestAnimationFrame(() => show(rarest(places)));
});

function* placesOf(word, message) {
  const texts = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (parentElement.closest(NOT_SAID)) continue;
    const letters = data.toLowerCase();
    if (letters.length !== data.length) continue;
    for (let at = letters.indexOf(word); at >= 0; at = letters.indexOf(word, at + word.length)) {
      if (word.length < SHORT && isInside(letters, at, at + word.length)) continue;
      const place = new Range();
      place.setStart(texts.currentNode, at);
      place.setEnd(texts.currentNode, at + word.length);
      yield place;
    }
  }
}

/** Whether letters beside it belong to the same word. Scripts without spaces have no such words. */
function isInside(letters, start, end) {
  if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/.test(letters.slice(start, end))) return false;
  return LETTER.test(letters[start - 1] ?? "") || LETTER.test(letters[end] ?? "");
}

/** Unfold the files that have a word which stands nowhere else. */
function unfoldFor(places) {
  for (const all of places) {
    const folds = all.map((place) => place.startContainer.parentElement.closest("details:not([open])"));
    if (folds.length && folds.every(Boolean)) folds[0].open = true;
  }
}

/** The first place of the word that is there least often. */
const rarest = (places) => places.filter((all) => all.length).sort((one, other) => one.length - other.length)[0]?.[0];

function show(place) {
  if (!place) return;
  const file = place.startContainer.parentElement.closest(".attached pre");
  if (file) file.scrollTop += place.getBoundingClientRect().top - file.getBoundingClientRect().top - file.clientHeight / 2;
  const { top, bottom } = place.getBoundingClientRect();
  const isInView = top > innerHeight * 0.1 && bottom < innerHeight * 0.75;
  if (!isInView) document.getElementById("scroller").scrollBy({ top: top - innerHeight * 0.4, behavior: "instant" });
}
