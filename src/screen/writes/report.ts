import { openBlockersOf } from "../issues/neighbours.ts";
import { keyFor } from "../keymap.ts";
import { say } from "../messages/messages.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import type { Batch, SentWrite, Way } from "./done.ts";
import { WHY_KEPT, wordsOfWrites } from "./words.ts";
import type { Write } from "./writes.ts";

/** How long an undo is offered. */
const UNDO_MS = 10_000;

/**
 * Tells the person the result of writes that were sent together. Of several writes, each refused one gets a message of
 * its own.
 */
export function reportWrites(
  state: State,
  batch: Batch,
  made: readonly SentWrite[],
  failed: readonly SentWrite[],
): Step {
  const { via, did } = batch;
  const summary =
    via === "person" || did === undefined
      ? `${writesText(made)}${stillBlocked(state, made)}${warningsIn(made)}`
      : `${via === "undo" ? "undone" : "done again"}: ${did}`;
  const [first] = failed;
  if (first === undefined) return reportSuccess(state, batch, made, summary);
  const again = keyFor(state, first.write.act === "toggle" ? "cron-toggle" : "edit");
  const unknown = failed.some(isUnknown);
  const retry = batch.via === "person" ? `   ${again} tries again` : "";
  const more = unknown ? "   everything is read again" : retry;
  const about = { failed: first.id };
  if (made.length + failed.length === 1) return say(state, `${first.text}${more}`, "error", about);
  const listed = failed.reduce((now, one) => {
    return say(now, `${nameOf(one.write)}: ${one.text}`, "error", { failed: one.id }).state;
  }, state);
  const none = unknown ? "what was changed is not known" : "nothing was changed";
  const text = made.length === 0 ? none : summary;
  const how = unknown ? "not confirmed" : "refused";
  const why = `${failed.length} ${how} (${namesOf(failed)}): ${keyFor(state, "messages")} says why`;
  return say(listed, `${text}, ${why}${more}`, "error", about);
}

const MAX_NAMED = 3;

function namesOf(failed: readonly SentWrite[]): string {
  const names = failed.slice(0, MAX_NAMED).map(({ write }) => nameOf(write));
  const more = failed.length - names.length;
  return [...names, ...(more === 0 ? [] : [`${more} more`])].join(", ");
}

/**
 * Whether the outcome of the write is unknown: the daemon may have made the write or not. What is shown may then be
 * wrong.
 */
export function isUnknown({ code }: SentWrite): boolean {
  return code === "outcome_unknown";
}

export function writesText(made: readonly SentWrite[]): string {
  const [only, second] = made;
  const isOne = only !== undefined && second === undefined;
  return isOne ? only.text : wordsOfWrites(made.map(({ write }) => write)).done;
}

/**
 * The warning of a single write or, for several writes, how many of them have a warning; empty if none has a warning.
 */
function warningsIn(made: readonly SentWrite[]): string {
  const all = made.flatMap(({ warning }) => warning ?? []);
  const [first] = all;
  if (first === undefined) return "";
  if (made.length === 1) return `, though ${first}`;
  return `, though the code host that owns ${all.length} of them may undo it there`;
}

/** The words about open issues that still block the issue that was closed; empty if there are no such issues. */
function stillBlocked({ issues }: State, [only, second]: readonly SentWrite[]): string {
  if (only?.write.act !== "close" || only.before === undefined || second !== undefined) return "";
  const [first, ...more] = openBlockersOf(issues, only.before);
  if (first === undefined) return "";
  const rest = more.length === 0 ? "" : ` and ${more.length} more`;
  return `, though it waits for ${first.qualified_id}${rest}`;
}

function reportSuccess(
  state: State,
  { via, id }: Batch,
  made: readonly SentWrite[],
  said: string,
): Step {
  const offers: Way = via === "undo" ? "redo" : "undo";
  if (state.writes[offers][0]?.id === id)
    return say(state, `${said}   ${keyWord(state, offers)}`, "info", {
      offers,
      id,
      seenMs: UNDO_MS,
    });
  const kept = made.find(({ write }) => write.act in WHY_KEPT);
  if (kept === undefined) return say(state, said);
  const instead = insteadOf(state, kept.write);
  return say(state, `${said}   ${instead ?? `${keyFor(state, "undo")} cannot take it back`}`);
}

export function whyNotUndoable(
  state: Pick<State, "preferences">,
  write: Write,
): string | undefined {
  const why = WHY_KEPT[write.act];
  const instead = insteadOf(state, write);
  return why === undefined || instead === undefined ? why : `${why}: ${instead}`;
}

function insteadOf(state: Pick<State, "preferences">, write: Write): string | undefined {
  switch (write.act) {
    case "comment":
      return `${keyFor(state, "edit-comment")} on the open issue edits it`;
    case "notify":
      return `${keyFor(state, "inbox-clear")} in the inbox of ${write.to} clears it`;
    case "move":
      return `${keyFor(state, "move")} in ${write.to.name} moves it back`;
    case "create-series":
      return `${keyFor(state, "series-delete")} ends it`;
    case "edit-series":
      return `${keyFor(state, "series-edit")} edits it again`;
    case "steal":
      return `${keyFor(state, "fleet-release")} in the fleet ends the lease`;
    default:
      return undefined;
  }
}

function keyWord(state: Pick<State, "preferences">, way: Way): string {
  return `${keyFor(state, way)} ${way}`;
}

function nameOf(write: Write): string {
  return write.act === "create" ? write.title : write.at.name;
}
