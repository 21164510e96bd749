// Sends files to the server, one after another, and says how far each has come.

import { headers, tell } from "./server.js";
import { ready } from "./visitor.js";

const last = {}; // address -> when its last upload is over: of a person, one file is read at a time.

/** Upload a file; `progress` gets a number from 0 to 1. Returns a function that stops it. */
export function upload(file, { address = "/attachments", fields = [], progress, done, refused }) {
  const request = new XMLHttpRequest(); // fetch doesn't tell how much was sent.
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  form.append("file", file);
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) progress(event.loaded / event.total);
  });
  request.addEventListener("error", () => refused());
  request.addEventListener("load", () => answered(request, done, refused));
  let end;
  const over = new Promise((resolve) => (end = resolve));
  request.addEventListener("loadend", end);
  let isWanted = true; // Nothing is under way until the visitor is known, and its turn has come.
  Promise.all([ready(), last[address]]).then(([refusal]) => {
    if (isWanted && !refusal) return begin(request, address, form);
    if (isWanted) refused(refusal.sentence);
    end();
  });
  last[address] = over;
  return () => {
    isWanted = false;
    request.abort();
  };
}

function begin(request, address, form) {
  request.open("POST", address);
  for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
  request.send(form);
}

function answered(request, done, refused) {
  const type = request.getResponseHeader("content-type") ?? "";
  if (type.startsWith("text/plain")) return refused(request.responseText);
  if (!type.startsWith("application/json")) return refused();
  const reply = JSON.parse(request.responseText);
  if (reply.refused) refused(reply.refused);
  else done(reply);
}

/** Tell the server that a file is not wanted any more; if that fails, it goes after a day. */
export const removed = (id) => tell(`/attachments/${id}/remove`);
