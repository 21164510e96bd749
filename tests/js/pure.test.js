import { equal } from "./assert.js";
import { isCommand, unknownIn } from "../../static/js/commands.js";
import { matching } from "../../static/js/completion.js";
import { sends } from "../../static/js/composer.js";
import { duration } from "../../static/js/durations.js";
import { stateOf } from "../../static/js/marks.js";
import { uuidOf } from "../../static/js/ids.js";
import { meet, passes } from "../../static/js/panel.js";
import { fateOf, runsOf } from "../../static/js/rail.js";
import { backoff, patience } from "../../static/js/socket.js";
import { head, isBusy } from "../../static/js/view.js";

export function waiting_grows_and_is_spread() {
  equal([0, 1, 2, 3].map((attempt) => backoff(attempt, 1)), [400, 800, 1600, 3200]);
  equal([4, 9, 10].map((attempt) => backoff(attempt, 1)), [4_000, 4_000, 20_000]); // Short waits for the first half minute.
  equal([backoff(0, 0), backoff(30, 1), backoff(30, 0)], [200, 20_000, 10_000]);
  equal([patience(0, 0), patience(1, 1), patience(30, 1)], [2_500, 10_000, 120_000]);
}

export function random_bytes_make_a_uuid_of_version_4() {
  equal(uuidOf(new Uint8Array(16)), "00000000-0000-4000-8000-000000000000");
  equal(uuidOf(new Uint8Array(16).fill(255)), "ffffffff-ffff-4fff-bfff-ffffffffffff");
  equal(uuidOf(Array.from({ length: 16 }, (_, n) => n)), "00010203-0405-4607-8809-0a0b0c0d0e0f");
}

export function enter_sends() {
  equal(sends(new KeyboardEvent("keydown", { key: "Enter" })), true);
}

export function shift_enter_breaks_the_line() {
  equal(sends(new KeyboardEvent("keydown", { key: "Enter", shiftKey: true })), false);
}

export function enter_within_an_input_method_chooses_a_word() {
  equal(sends(new KeyboardEvent("keydown", { key: "Enter", isComposing: true })), false);
  equal(sends(new KeyboardEvent("keydown", { key: "Enter", keyCode: 229 })), false);
}

export function a_slash_and_a_word_are_a_command_alone_or_when_known() {
  equal(["/config", " /help\n", "/nothing", "/undo 12"].map(isCommand), [true, true, true, true]);
  equal(isCommand(`/undo ${"9".repeat(20)}`), true);
  equal(["/config x", "/undo it", "/help\nme", "/HELP", "/ help"].map(isCommand), [true, true, true, true, true]);
  const texts = ["/configure x", "/nothing x", "//config", "/ nothing", "/etc/hosts", "/etc/hosts x", "/", "/* */", "say /help", ""];
  equal(texts.filter(isCommand), []);
}

export function a_command_that_there_is_not_is_named_with_the_one_that_may_be_meant() {
  const told = (text) => Object.values(unknownIn(text) ?? {});
  equal(["/hlep", "/Confg me", "/ Help"].map(told), [["/hlep", "/help"], ["/Confg", "/config"], ["/ Help", "/help"]]);
  equal(["/nothing", "/nothing x"].map(told), [["/nothing", ""], ["/nothing", ""]]);
  equal(["/help", "/Help me", "/etc/hosts", "/ nothing", "//hlep", "help", ""].map(unknownIn), Array(7).fill(null));
}

export function a_slash_is_completed_by_the_commands_that_begin_so() {
  const commands = ["/context", "/config", "/help"];
  equal(matching("/", commands), commands);
  equal(["/con", "/CON"].map((text) => matching(text, commands)), Array(2).fill(["/context", "/config"]));
  equal(["", "help", "/x", "/help me", "//"].map((text) => matching(text, commands).length), [0, 0, 0, 0, 0]);
}

export function messages_that_are_marked_alike_have_one_state() {
  equal([{}, { 1: "" }, { 1: "pin", 2: "pin" }].map(stateOf), ["none", "none", "pin"]);
  equal([{ 1: "pin", 2: "" }, { 1: "pin", 2: "exclusion" }].map(stateOf), ["partly", "partly"]);
}

function show(...messages) {
  const log = document.createElement("div");
  log.id = "transcript";
  log.dataset.generation = "";
  log.append(...messages);
  document.getElementById("main").replaceChildren(log);
  return log;
}

function message(kind, data, settled = 0) {
  const element = document.createElement("article");
  element.className = `message ${kind}`;
  Object.assign(element.dataset, data);
  const body = document.createElement("div");
  body.className = "settled";
  for (let n = 0; n < settled; n++) body.append(document.createElement("p"));
  element.append(body);
  return element;
}

export function an_empty_transcript_has_no_head() {
  show();
  equal(head(), -1);
}

export function the_head_is_the_newest_message_of_an_answer() {
  show(message("said", { position: 4 }), message("answer", { position: 5, last: 8 }, 1));
  equal(head(), 8);
}

export function an_answer_without_a_word_has_no_place() {
  show(message("said", { position: 4 }), message("answer", { position: 5, last: 5 }));
  equal(head(), 4);
}

export function a_message_on_its_way_has_no_place() {
  show(message("said", { position: 4 }), message("sending", {}));
  equal(head(), 4);
}

export function a_generation_makes_it_busy() {
  equal(isBusy(), false);
  show().dataset.generation = "g";
  equal(isBusy(), true);
}

export function a_row_meets_the_messages_it_stands_for() {
  const row = message("row", { position: 2, last: 6 });
  equal([1, 2, 6, 7].map((position) => meet(row, message("said", { position }))), [false, true, true, false]);
}

export function without_a_filter_every_row_passes() {
  equal([passes("K", new Set()), passes("KT", new Set("T")), passes("K", new Set("T"))], [true, true, false]);
}

export function the_rail_tells_what_became_of_all_positions_of_a_message() {
  const runs = runsOf("0-0:pinned 1-8:out 9-12:summary 13-20:sent 21-21:changed");
  const places = [[0, 0], [2, 3], [8, 9], [10, 12], [13, 20], [20, 21], [21, 21], [22, 24]];
  const fates = places.map(([first, last]) => fateOf(runs, first, last));
  equal(fates, ["pinned", "out", "partly", "summary", "sent", "partly", "changed", ""]);
  equal(runsOf(""), []);
}

export function durations_are_written_as_the_server_writes_them() {
  equal([0, 6.4, 7, 99.4, 100, 340, 2_100, 73_000].map(duration), [
    "0 ms", "6 ms", "7 ms", "99 ms", "0.10 s", "0.34 s", "2.1 s", "73 s",
  ]);
}
