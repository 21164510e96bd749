// One socket per tab. It reconnects by itself and says so: modules that listen to "socket:open" ask
// again for what they missed.

import { emit, on } from "./events.js";
import { isBusy, isNewVisitor } from "./view.js";

const PING_MS = 20_000;
const SILENCE_MS = 32_000; // Longer than a ping and its answer take.
const PROBE_MS = 3_000; // The same where the browser says that there is no network.
// While somebody waits for the server, a line that is silent for QUIET_MS is asked for a word. If none
// comes in WORD_MS it is given up, and that is told: all within ten seconds.
const TICK_MS = 1_000;
const QUIET_MS = 2_000;
const WORD_MS = 5_000;
const SOON = 10; // Attempts, in about half a minute, that follow one another soon.
const SOON_WAIT_MS = 4_000;
const LONGEST_WAIT_MS = 20_000;
const SIGNED_OUT = 4401;
const SOMEBODY_ELSE = 4403;
const TOO_MANY = 4429;
const TOO_LONG = 1009;
const CROWDED_MS = 5_000;
const LONGEST_CROWDED_MS = 120_000;

const UNACKNOWLEDGED = ["ping", "subscribe", "seen"];

let socket = null;
let attempt = 0;
let retryTimer = 0;
let lastHeard = 0;
let pingedAt = 0; // When a ping was last sent to learn whether the line is dead.
let awaited = 0; // When something was last sent that the server acknowledges.
let listening = 0; // A timer, while somebody waits for the server.
let crowded = 0; // How many times in a row a limit of the server closed it.
let notBefore = 0; // No attempt before then.
let renewed = false; // Whether a new handshake was tried already for this lost session.
let signedOut = false; // Whether that was in vain.

/** Milliseconds until attempt number `attempt`; `chance` in 0 to 1 spreads a crowd. */
export const backoff = (attempt, chance) =>
  Math.min(attempt < SOON ? SOON_WAIT_MS : LONGEST_WAIT_MS, 400 * 2 ** attempt) * (0.5 + chance / 2);

/** The same after a limit of the server closed it: a limit must not be tried all the time. */
export const patience = (times, chance) =>
  Math.min(LONGEST_CROWDED_MS, CROWDED_MS * 2 ** times) * (0.5 + chance / 2);

export const isOpen = () => socket?.readyState === WebSocket.OPEN;
export const isSignedOut = () => signedOut;

/** False if the frame could not be sent now. */
export function send(frame) {
  if (!isOpen()) return false;
  socket.send(JSON.stringify(frame));
  if (!UNACKNOWLEDGED.includes(frame.type)) {
    awaited = Date.now();
    listen();
  }
  return true;
}

export function connect() {
  clearTimeout(retryTimer);
  if (isNewVisitor()) return; // Nobody's socket would be closed at once.
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  lastHeard = Date.now();
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const person = encodeURIComponent(document.body.dataset.person);
  socket = new WebSocket(`${scheme}://${location.host}/ws/?person=${person}`);
  socket.addEventListener("open", opened);
  socket.addEventListener("message", heard);
  socket.addEventListener("close", closed);
}

function opened() {
  attempt = 0;
  lastHeard = Date.now();
  if (renewed) send({ type: "ping" }); // Only the answer shows that the session is good.
  else emit("socket:open");
}

function heard(event) {
  if (event.target !== socket) return;
  lastHeard = Date.now();
  if (renewed) letIn();
  const frame = JSON.parse(event.data);
  if (frame.type === "pong") crowded = 0;
  emit(`socket:${frame.type}`, frame);
}

function closed(event) {
  if (event.target !== socket) return; // An abandoned socket closes late.
  socket = null;
  if (event.code === SIGNED_OUT) {
    lost();
    return;
  }
  if (event.code === SOMEBODY_ELSE) {
    location.reload(); // The page is another person's.
    return;
  }
  if (event.code === TOO_LONG) emit("socket:too-long");
  const tooMany = event.code === TOO_MANY;
  emit("socket:closed", { attempt, tooMany });
  const wait = tooMany ? patience(crowded++, Math.random()) : backoff(attempt++, Math.random());
  if (tooMany) notBefore = Date.now() + wait;
  retryTimer = setTimeout(connect, wait);
}

/** The session of the handshake has ended. Another tab may have signed in, so the cookie that the
 *  browser has by now is tried, once. */
function lost() {
  if (renewed) {
    signedOut = true;
    emit("socket:signed-out");
    return;
  }
  renewed = true;
  connect();
}

/** The session that the browser has by now is the same person's. */
function letIn() {
  const wasSignedOut = signedOut;
  renewed = signedOut = false;
  emit("socket:open");
  emit("socket:renewed", { wasSignedOut });
}

/** A half-open connection neither fails nor speaks, after a sleep for example; nor may one that is
 *  being opened. */
function watch() {
  if (socket && Date.now() - lastHeard > SILENCE_MS) giveUp();
  else send({ type: "ping" });
}

/** A line that says nothing in this time is dead. */
function probe(patience) {
  const probed = socket;
  if (!send({ type: "ping" })) return;
  const since = (pingedAt = Date.now());
  setTimeout(() => {
    if (socket === probed && lastHeard < since) giveUp();
  }, patience);
}

const listen = () => (listening ||= setInterval(hearken, TICK_MS));

/** A network may go without a word to either end. Whoever waits for an answer is to know soon. */
function hearken() {
  if (!isBusy() && awaited <= lastHeard) {
    clearInterval(listening);
    listening = 0;
    return;
  }
  const silent = Date.now() - lastHeard;
  if (socket?.readyState === WebSocket.CONNECTING && silent > WORD_MS) giveUp();
  else if (silent > QUIET_MS && pingedAt <= lastHeard) probe(WORD_MS);
}

function giveUp() {
  const silent = socket;
  closed({ target: silent, code: 0 });
  silent.close();
}

function wake() {
  if (document.visibilityState === "hidden" || Date.now() < notBefore) return;
  attempt = 0;
  if (isOpen()) watch();
  else connect();
}

/** Somebody does not want to wait for the next attempt. */
export function reconnect() {
  attempt = 0;
  if (socket?.readyState === WebSocket.CONNECTING) giveUp();
  connect();
}

export function start() {
  connect();
  setInterval(watch, PING_MS);
  document.addEventListener("visibilitychange", wake);
  for (const name of ["pageshow", "online"]) addEventListener(name, wake);
  addEventListener("offline", () => probe(PROBE_MS)); // A server on this computer still answers.
  on("chat:busy", ({ busy }) => busy && listen());
}
