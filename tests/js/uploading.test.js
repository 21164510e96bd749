import { equal } from "./assert.js";
import { upload } from "../../static/js/uploading.js";

const file = new File(["x"], "x.txt");
const sent = () => performance.getEntriesByName(new URL("/attachments", location.href).href);

export async function what_is_removed_before_the_visitor_is_known_is_never_sent() {
  document.body.setAttribute("hx-headers:inherited", "{}");
  const told = [];
  const before = sent().length;
  upload(file, { refused: () => told.push("removed") })();
  await new Promise((refused) => upload(file, { refused }));
  equal([told, sent().length - before], [[], 1]);
}

export async function files_are_sent_one_after_another() {
  document.body.setAttribute("hx-headers:inherited", "{}");
  const before = sent().length;
  const order = [];
  const add = (name) => new Promise((end) => upload(file, { refused: () => end(order.push(name)) }));
  await Promise.all(["a", "b", "c"].map(add));
  equal(order, ["a", "b", "c"]);
  const [first, second, third] = sent().slice(before);
  equal([second.startTime >= first.responseEnd, third.startTime >= second.responseEnd], [true, true]);
}

export async function one_that_is_removed_meanwhile_keeps_nobody_waiting() {
  document.body.setAttribute("hx-headers:inherited", "{}");
  const first = new Promise((refused) => upload(file, { refused }));
  const removed = upload(file, { refused: () => equal("removed", "never told") });
  const last = new Promise((refused) => upload(file, { refused }));
  removed();
  await Promise.all([first, last]);
}
