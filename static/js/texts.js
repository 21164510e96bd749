// What scripts say to people. The texts come from the server, so that they can be translated: see
// templates/includes/texts.html.

/** The text of that name, with its {placeholders} filled in. */
export function worded(name, values = {}) {
  const texts = document.getElementById("texts").content;
  const text = texts.querySelector(`[data-text="${name}"]`).textContent.trim();
  return text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

const LONGEST = 48;

/** A title as far as it has room in a sentence. */
export function short(title) {
  const letters = [...title.trim()];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("").trimEnd()}…` : letters.join("");
}
