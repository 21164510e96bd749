import { equal } from "./assert.js";
import { upload } from "../../static/js/uploading.js";

const file = new File(["x"], "x.txt");
const sent = () => performance.getEntriesByName(new URL("/attachments", location.href).href);

export async function what_is_removed_before_the_visitor_is_known_is_never_sent() {
  document.body.setAttribute("hx-headers:inherited", "{}");
  const told = [];
  upload(file, { refused: () => told.push("removed") })();
  await new Promise((refused) => upload(file, { refused }));
  equal([told, sent().length], [[], 1]);
}
