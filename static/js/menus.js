// Menus are <details>: a click elsewhere or Escape closes them. In one of them the theme is chosen.

import { onClick } from "./events.js";

const root = document.documentElement;
const openMenus = () => document.querySelectorAll("details.menu[open]");

function showTheme() {
  for (const choice of document.querySelectorAll("[data-theme-choice]")) {
    choice.setAttribute("aria-pressed", choice.dataset.themeChoice === root.dataset.theme);
  }
}

document.addEventListener("click", (event) => {
  for (const menu of openMenus()) {
    const chosen = event.target.closest("a.entry");
    if (chosen || !menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
    event.stopImmediatePropagation();
  }
});
/** Open it upwards if there is no room below. */
function place(menu) {
  const sheet = menu.querySelector(".sheet");
  menu.classList.remove("up");
  const end = menu.closest("#scroller")?.getBoundingClientRect().bottom ?? innerHeight;
  menu.classList.toggle("up", sheet.getBoundingClientRect().bottom > end);
}

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.matches("details.menu[open]")) place(target);
  },
  { capture: true }, // It does not bubble.
);
onClick("[data-theme-choice]", (button) => {
  root.dataset.theme = button.dataset.themeChoice;
  localStorage.setItem("theme", root.dataset.theme);
  showTheme();
});
showTheme();
