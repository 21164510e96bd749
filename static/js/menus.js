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
    const entry = event.target.closest("a.entry");
    if (entry || !menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
    event.preventDefault(); // The drawer stays open.
    event.stopImmediatePropagation();
  }
});

const GAP = 8;

/** Open it where there is room, and no higher than that. A list makes room below by scrolling. */
export function place(menu) {
  const sheet = menu.querySelector(".sheet");
  menu.classList.remove("up");
  sheet.removeAttribute("style");
  const within = menu.closest("#scroller, #chats");
  const { top, bottom } = within?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  const at = menu.getBoundingClientRect();
  const [above, below, wanted] = [at.top - top, bottom - at.bottom, sheet.offsetHeight + GAP];
  const scrolls = within?.id === "chats" && above < wanted;
  const up = wanted > below && above > below && !scrolls;
  menu.classList.toggle("up", up);
  if (scrolls) sheet.scrollIntoView({ block: "nearest" });
  else if (wanted > Math.max(above, below)) limit(sheet, up ? above : below);
}

const limit = (sheet, room) => Object.assign(sheet.style, { maxHeight: `${room - GAP}px`, overflowY: "auto" });

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
