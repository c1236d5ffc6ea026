import type { Effect } from "../effect.ts";
import type { Message, MessageOf } from "../message.ts";
import { hint, say } from "../messages/messages.ts";
import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";

export const NO_DAEMON = "this is a recording: there is no daemon to read or change anything";

export function whyNoWrites({ session: { replay }, connection }: State): string | undefined {
  return replay === undefined ? connection.readOnly : NO_DAEMON;
}

/**
 * Effects that nobody answers while a recording is shown. After such an effect, the screen would wait for ever or show
 * less than before.
 */
const IMPOSSIBLE: ReadonlySet<Effect["effect"]> = new Set([
  "write",
  "load-issues",
  "search",
  "create-project",
  "connect",
]);

/** While a recording is shown, drops the result of a step that needs a daemon. */
export function withoutWrites(state: State, next: Step, { type }: Message): Step {
  const isPossible = !next.effects.some(({ effect }) => IMPOSSIBLE.has(effect));
  // A recorded change of project is shown, because the recording contains the new project's issues next.
  return state.session.replay === undefined || isPossible || type === "scope"
    ? next
    : hint(state, NO_DAEMON);
}

export function onReplay(state: State, { replay }: MessageOf<"replay">): Step {
  if (state.session.replay === undefined) return step(state);
  if (replay !== "ended") return hint(state, `the recording has no ${replay.lacks}`);
  const ended: State = withSlice(state, "session", {
    replay: { ...state.session.replay, ended: true },
  });
  return say(ended, "the recording has ended; what it showed last stays");
}
