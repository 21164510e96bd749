// Chooses "The last turns" for whoever types how many: beside "Default" the number would contradict
// what its label says.

export function chooseWindow(form) {
  const turns = form.querySelector("[name=history_length]");
  const [usual, last] = ["", "lastN"].map((value) =>
    form.querySelector(`[name=history_policy][value="${value}"]:enabled`));
  if (!turns || !usual || !last) return;
  let isOurs = false; // Then the choice ends with the number that it was made for.
  form.addEventListener("change", ({ target }) => {
    if (target.name === usual.name) isOurs = false;
  });
  turns.addEventListener("input", () => {
    if (turns.value ? !usual.checked : !isOurs) return;
    isOurs = turns.value !== "";
    (isOurs ? last : usual).checked = true;
  });
}
