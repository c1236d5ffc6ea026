import { keyFor } from "../keymap.ts";
import { say } from "../messages/messages.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import type { Batch, Done, Way } from "./done.ts";
import { WHY_KEPT, wordsOfAll } from "./words.ts";
import type { Write } from "./writes.ts";

/** How long an undo is offered. */
const UNDO_MS = 10_000;

/** Reports the result of writes that were sent together: one line for all, and one for each refusal. */
export function reportWrites(
  state: State,
  batch: Batch,
  made: readonly Done[],
  failed: readonly Done[],
): Step {
  const { via, did } = batch;
  const said =
    via === "person" || did === undefined
      ? saidOf(made)
      : `${via === "undo" ? "undone" : "done again"}: ${did}`;
  const [first] = failed;
  if (first === undefined) return reportSuccess(state, batch, made, said);
  const again = keyFor(state, first.write.act === "toggle" ? "cron-turn" : "edit");
  const more = batch.via === "person" ? `   ${again} tries again` : "";
  const about = { failed: first.id };
  if (made.length + failed.length === 1) return say(state, `${first.text}${more}`, "error", about);
  const listed = failed.reduce((now, one) => {
    return say(now, `${nameOf(one.write)}: ${one.text}`, "error", { failed: one.id }).state;
  }, state);
  const text = made.length === 0 ? "nothing was changed" : said;
  const why = `${failed.length} refused: ${keyFor(state, "messages")} says why`;
  return say(listed, `${text}, ${why}${more}`, "error", about);
}

/** What writes did, in one line. */
export function saidOf(made: readonly Done[]): string {
  const [only, second] = made;
  const isOne = only !== undefined && second === undefined;
  return isOne ? only.text : wordsOfAll(made.map(({ write }) => write)).done;
}

function reportSuccess(
  state: State,
  { via, id }: Batch,
  made: readonly Done[],
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

/** Why a write cannot be undone, and what to do instead. */
export function whyNotUndoable(
  state: Pick<State, "preferences">,
  write: Write,
): string | undefined {
  const why = WHY_KEPT[write.act];
  const instead = insteadOf(state, write);
  return why === undefined || instead === undefined ? why : `${why}: ${instead}`;
}

/** What the person can do instead of an undo; `undefined` if there is nothing. */
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
