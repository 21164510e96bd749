// Runs before the first paint, so that neither colours nor the sidebar flash.

(() => {
  const root = document.documentElement;
  const setting = (name, usual) => {
    try {
      return localStorage.getItem(name) ?? usual;
    } catch {
      return usual; // Storage may be forbidden.
    }
  };
  root.dataset.theme = setting("theme", "system");
  root.dataset.sidebar = setting("sidebar", "open");
  root.dataset.dismissed = setting("dismissed", "");
  const width = setting("panel-width", "");
  if (width) root.style.setProperty("--panel", width);
  // The server groups conversations by the reader's days.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
  document.cookie = `timezone=${encodeURIComponent(zone)}; path=/; max-age=31536000; samesite=lax`;
})();
