// What no script caught, and scripts that could not be loaded: said once for each kind, with a way
// out. Not a module: it has to be here before they are, and when one of them cannot be loaded.

(() => {
  const HARMLESS = /^ResizeObserver loop/;
  const UNREACHABLE = /^(Failed to fetch|Load failed|network error|NetworkError.*)$/; // Said elsewhere.
  const told = new Set();
  let isLeaving = false;

  const isOurs = (address) => String(address).startsWith(location.origin);

  /** Whether somebody gave a request up, or it found no server. */
  const isOfNetwork = (reason) =>
    reason?.name === "AbortError" ||
    (reason instanceof TypeError && UNREACHABLE.test(reason.message));

  function tell(kind) {
    if (isLeaving || told.has(kind)) return;
    told.add(kind);
    if (document.readyState !== "loading") show();
    else document.addEventListener("DOMContentLoaded", show, { once: true });
  }

  function show() {
    const place = document.getElementById("fault");
    if (!place || place.childElementCount) return;
    const { content } = document.getElementById("piece-fault");
    const notice = content.firstElementChild.cloneNode(true);
    notice.querySelector("[data-reload]").addEventListener("click", () => location.reload());
    notice.querySelector("[data-dismiss]").addEventListener("click", () => notice.remove());
    place.append(notice);
  }

  addEventListener(
    "error",
    ({ target, filename, message, error }) => {
      const isScript = target instanceof HTMLScriptElement;
      if (isScript && isOurs(target.src)) tell(target.src);
      const isError = target === window && isOurs(filename);
      if (isError && !HARMLESS.test(message) && !isOfNetwork(error)) tell(message);
    },
    { capture: true }, // A script that cannot be loaded tells itself alone.
  );
  addEventListener("unhandledrejection", ({ reason }) => {
    if (!isOfNetwork(reason)) tell(String(reason));
  });
  addEventListener("beforeunload", () => (isLeaving = true));
  addEventListener("pageshow", () => (isLeaving = false));
})();
