// Commands to the server that are answered with JSON.

import { emit } from "./events.js";
import { worded } from "./texts.js";

/** What is told of a server that could not be reached; it is over as soon as it can. */
const UNREACHED = () => ({ sentence: worded("not-done"), isUnreachable: true });

/** Tell somebody of a problem: its sentence, and whether the server could not be reached. */
export const complain = ({ sentence, isUnreachable = false }) =>
  emit(isUnreachable ? "chat:unreachable" : "chat:problem", sentence);

/** The result of an API call: whether it was done, and the answer or else the problem. */
export async function ask(url, body) {
  const json = { "Content-Type": "application/json" };
  const options = { method: "POST", headers: { ...headers(), ...json }, body: JSON.stringify(body) };
  try {
    const response = await fetch(url, options);
    const answer = await response.json();
    return { done: response.ok, answer, problem: { sentence: answer.detail } };
  } catch {
    return { done: false, answer: {}, problem: UNREACHED() };
  }
}

/** Send a command without an answer: nothing if it was done, else the problem. */
export async function tell(url, body) {
  try {
    const response = await fetch(url, { method: "POST", headers: headers(), body });
    if (response.ok) return null;
    return { sentence: await why(response) };
  } catch {
    return UNREACHED();
  }
}

/** The page keeps the CSRF token for htmx, in the header of all its requests. */
export const headers = () => JSON.parse(document.body.getAttribute("hx-headers:inherited"));

/** The answer; nothing, with a message, if there is none or it is a refusal. */
export async function command(url, body) {
  try {
    const options = { method: "POST", headers: headers(), body: JSON.stringify(body) };
    const response = await fetch(url, options);
    const answer = response.ok && !response.redirected ? await response.json() : null;
    if (answer && !answer.refused) return answer;
    emit("chat:problem", answer?.refused ?? (await why(response)));
  } catch {
    complain(UNREACHED());
  }
}

/** A refusal in plain text is a sentence for people. */
const why = async (response) =>
  response.headers.get("content-type")?.startsWith("text/plain")
    ? await response.text()
    : worded("failed");
