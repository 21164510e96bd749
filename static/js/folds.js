// Opens what contains an element, so that it can be seen and focused.

export function unfold(element) {
  const within = element?.matches(".zone") ? element.querySelector("details") : element;
  for (let fold = within?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    fold.open = true;
  }
}
