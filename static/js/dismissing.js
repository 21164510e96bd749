// Notices that stay away once they were dismissed; theme.js hides them before the first paint.

import { onClick } from "./events.js";
import * as view from "./view.js";

onClick("[data-dismiss-for-good]", (button) => {
  const root = document.documentElement;
  root.dataset.dismissed = `${root.dataset.dismissed} ${button.dataset.dismissForGood}`.trim();
  try {
    localStorage.setItem("dismissed", root.dataset.dismissed);
  } catch {
    // Storage may be forbidden: then it is gone until the page is loaded again.
  }
  view.writing()?.focus();
});
