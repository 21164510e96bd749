// htmx parses what the server rendered; under Trusted Types it needs a policy to do so. Fragments
// with scripts are refused. Not a module: it must run between htmx and its first swap.

if (globalThis.trustedTypes) {
  const policy = trustedTypes.createPolicy("htmx", {
    createHTML: (html) => html,
    createScript: () => {
      throw new TypeError("A fragment holds no scripts.");
    },
  });
  htmx.registerExtension("trusted-types", { init: (api) => api.initSecurity(policy) });
}
