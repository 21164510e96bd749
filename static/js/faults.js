// Reports uncaught errors and scripts that could not be loaded, once each, with a way out. It is not
// a module: it must run before they do, and even if one of them cannot be loaded.

(() => {
  const HARMLESS = /^ResizeObserver loop/;
  const UNREACHABLE = /^(Failed to fetch|Load failed|network error|NetworkError.*)$/; // Reported elsewhere.
  const kinds = new Set();
  let isLeaving = false;

  const isOurs = (address) => String(address).startsWith(location.origin);

  /** Whether a request was aborted, or found no server. */
  const isOfNetwork = (reason) =>
    reason?.name === "AbortError" ||
    (reason instanceof TypeError && UNREACHABLE.test(reason.message));

  function tell(kind) {
    if (isLeaving || kinds.has(kind)) return;
    kinds.add(kind);
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
    { capture: true }, // The event of a script that cannot be loaded does not bubble.
  );
  addEventListener("unhandledrejection", ({ reason }) => {
    if (!isOfNetwork(reason)) tell(String(reason));
  });
  addEventListener("beforeunload", () => (isLeaving = true));
  addEventListener("pageshow", () => (isLeaving = false));
})();
