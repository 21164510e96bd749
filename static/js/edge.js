// The inspector's edge: it is dragged, or moved by arrow keys, and the width is kept.

const EDGE = ".panel-edge";
const STEP = 24;
const root = document.documentElement;
const panel = () => document.getElementById("panel");
/** 1 if the inspector is at the right, else -1. */
const side = () => (getComputedStyle(root).direction === "rtl" ? -1 : 1);

const limits = () => ({ least: 320, most: Math.round(panel().parentElement.clientWidth * 0.65) });

function widen(edge, wish) {
  const { least, most } = limits();
  const width = Math.round(Math.max(least, Math.min(most, wish)));
  root.style.setProperty("--panel", `${width}px`);
  tell(edge, width);
  keep((storage) => storage.setItem("panel-width", `${width}px`));
}

function keep(change) {
  try {
    change(localStorage);
  } catch {
    // It is as before after a reload.
  }
}

function tell(edge, width = panel().offsetWidth) {
  const { least, most } = limits();
  Object.assign(edge, { ariaValueMin: least, ariaValueMax: most, ariaValueNow: Math.round(width) });
}

function drag(edge, event) {
  event.preventDefault();
  edge.setPointerCapture(event.pointerId);
  const { left, right } = panel().getBoundingClientRect();
  const end = side() === 1 ? right : left;
  const move = ({ clientX }) => widen(edge, side() * (end - clientX));
  edge.addEventListener("pointermove", move);
  edge.addEventListener("lostpointercapture", () => edge.removeEventListener("pointermove", move), {
    once: true,
  });
}

const moved = {
  ArrowLeft: (width) => width + side() * STEP,
  ArrowRight: (width) => width - side() * STEP,
  Home: () => 0,
  End: () => Infinity,
};

document.addEventListener("pointerdown", (event) => {
  if (event.button === 0 && event.target.matches?.(EDGE)) drag(event.target, event);
});
document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.(EDGE) || !(event.key in moved)) return;
  event.preventDefault();
  widen(event.target, moved[event.key](panel().offsetWidth));
});
document.addEventListener("focusin", ({ target }) => {
  if (target.matches?.(EDGE)) tell(target);
});
document.addEventListener("dblclick", ({ target }) => {
  if (!target.matches?.(EDGE)) return;
  root.style.removeProperty("--panel");
  keep((storage) => storage.removeItem("panel-width"));
  tell(target);
});
