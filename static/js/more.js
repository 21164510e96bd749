// The menu of a message or a tool call. There is only one, which is put beside the button that
// opens it: a long chat has hundreds of such buttons.

import { emit, onClick } from "./events.js";
import { enliven, piece } from "./html.js";
import { place } from "./menus.js";

const menu = () => document.querySelector("[data-more-menu]");
/** The button that opened it, or any part of its row. */
export const buttonBeside = (element) => element.closest("[data-places]").querySelector("[data-more]");

function open(button) {
  const more = piece("more");
  const { request } = button.parentElement.dataset;
  const link = more.querySelector("[data-asks-request]");
  if (request) link.href = request;
  link.hidden = !request;
  more.querySelector("[data-asks-verdict]").hidden = !button.parentElement.dataset.places;
  button.after(more);
  enliven(more);
  button.ariaExpanded = "true";
  button.closest(".message").dataset.moreOpen = "";
  emit("more:opened", { marking: button.parentElement });
  place(more);
}

/** Close it, and give the focus back if it was inside. */
export function closeMore() {
  const popup = menu();
  if (!popup) return;
  const button = popup.previousElementSibling;
  const hadFocus = popup.contains(document.activeElement);
  button.ariaExpanded = "false";
  if (hadFocus) button.focus({ preventScroll: true });
  delete button.closest(".message").dataset.moreOpen;
  popup.remove();
}

onClick("[data-more]", (button) => {
  const isOpen = button.nextElementSibling === menu() && menu();
  closeMore();
  if (!isOpen) open(button);
});
document.addEventListener("click", ({ target }) => {
  const popup = menu();
  if (!popup || popup.previousElementSibling.contains(target)) return;
  if (!popup.contains(target) || target.closest("a")) closeMore();
});
/** Tab leads out of it: it was moved through. */
document.addEventListener("focusout", ({ target, relatedTarget }) => {
  const popup = menu();
  if (!popup?.contains(target) || !relatedTarget || popup.contains(relatedTarget)) return;
  if (relatedTarget !== popup.previousElementSibling) closeMore();
});
document.addEventListener("keydown", (event) => {
  if (!menu() || event.key !== "Escape") return;
  event.stopImmediatePropagation();
  closeMore();
});
