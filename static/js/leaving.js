// Gives the page a new chat's address as soon as somebody asks for a new chat: the server may take
// a moment, and whoever reloads the page meanwhile wants the new chat, too. If it doesn't come, the
// old chat's address is restored.

const NEW = ".new-chat, .new-here";
let left = null; // The old chat's address, while the new chat is on its way.
let newestRequest = null; // The newest request for a new chat.

/** Give the chat that is shown, and has just begun, its own address. */
export function begin(path) {
  const address = path + kept(new URL(left ?? location.href).search);
  if (left === null) history.replaceState({ htmx: true }, "", address);
  else left = address;
}

/** What stays of an address's query: the settings that are the begun chat's own now do not. */
function kept(query) {
  const pairs = query.slice(1).split("&").filter((pair) => pair && !pair.startsWith("own."));
  return pairs.length ? `?${pairs.join("&")}` : "";
}

const isToNew = ({ sourceElement, target }) => target?.id === "main" && sourceElement?.matches?.(NEW);

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (!isToNew(ctx)) return;
  newestRequest = ctx;
  left ??= location.href;
  ctx.push = "false"; // It is done here.
  history.pushState({ htmx: true }, "", ctx.request.action);
});
const forget = () => (left = null);
document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  if (isToNew(ctx) && ctx.response.status < 400) forget();
});
document.addEventListener("htmx:after:history:push", forget); // Another chat was opened meanwhile.
addEventListener("popstate", forget);
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (left === null || ctx !== newestRequest) return;
  history.replaceState({ htmx: true }, "", left);
  forget();
});

/** Sign in, and come back to the chat, which may have got its address after its page came. */
function leadBack({ target }) {
  const link = target.closest?.("[data-sign-in]");
  if (link) link.search = new URLSearchParams({ next: location.pathname + location.search });
}

for (const kind of ["click", "auxclick"]) addEventListener(kind, leadBack, true);
