// Django's choosers of permissions and groups: the label of each filter is an icon, and screen
// readers read its name only if it has a role that may have one.

export function nameTooltips() {
  for (const icon of document.querySelectorAll(".selector .help-tooltip[aria-label]")) {
    icon.setAttribute("role", "img");
  }
}
