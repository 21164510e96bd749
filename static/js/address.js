// Removes from the page's address what would override the chat's own settings.

/** Take out what `root` says has left: the chat's next message names the address. The notices on the
 *  address come anew. */
export function leaveAddress(root) {
  const names = root.querySelector("[data-leaves]")?.dataset.leaves.split(" ") ?? [];
  if (!names.length) return;
  const without = (search) => {
    const query = new URLSearchParams(search);
    for (const name of names) query.delete(name);
    return query.size ? `?${query}` : "";
  };
  history.replaceState(history.state, "", location.pathname + without(location.search));
  const toggle = document.querySelector(".panel-toggle");
  toggle?.setAttribute("href", without(toggle.search) || "?");
  if (document.querySelector(NOTICES)) htmx.ajax("GET", location.pathname + location.search, SWAPPED);
}

const NOTICES = ".address-notices";
const SWAPPED = { target: NOTICES, select: NOTICES, swap: "outerHTML" };
