// Django's choosers of permissions and groups: the label of each of their filters is an icon, whose
// words count only where it has a role that may be named.

export function nameTooltips() {
  for (const icon of document.querySelectorAll(".selector .help-tooltip[aria-label]")) {
    icon.setAttribute("role", "img");
  }
}
