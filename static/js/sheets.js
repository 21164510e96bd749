// Style sheets that a page has in a template until something needs their looks.

const coming = new Map();

/** None if the page was rendered with them. */
const links = (id) => [...(document.getElementById(id)?.content.cloneNode(true).children ?? [])];

/** Settles also if a sheet cannot come: without its looks an element still says something. */
export function added(link) {
  return new Promise((settle) => {
    link.onload = link.onerror = settle;
    document.head.append(link);
  });
}

/** The sheets in this template, once they are there. */
export function looks(id) {
  if (!coming.has(id)) coming.set(id, Promise.all(links(id).map(added)));
  return coming.get(id);
}
