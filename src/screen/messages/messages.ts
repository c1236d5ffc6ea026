import { instantToMs } from "../../base/clock.ts";
import type { Effect } from "../effect.ts";
import { type State, withSlice } from "../state.ts";
import type { Step } from "../step.ts";
import type { Notice } from "./state.ts";

const FADE_MS = 4000;
const MAX_NOTICES = 200;

/** Shows a notice; errors stay until they are dismissed. */
export function say(
  state: State,
  text: string,
  tone: Notice["tone"] = "info",
  more: Partial<Notice> = {},
): Step {
  const notice: Notice = { tone, text, at: state.now, ...more };
  const notices = [notice, ...state.messages.all].slice(0, MAX_NOTICES);
  const next = withSlice(state, "messages", { notice, all: notices });
  return { state: next, effects: tone === "info" ? fading(next) : [] };
}

/** Shows a notice about the last key for a moment, without keeping it in the messages. */
export function hint(state: State, text: string, more: Partial<Notice> = {}): Step {
  const notice: Notice = { tone: "info", text, at: state.now, isHint: true, ...more };
  const next = withSlice(state, "messages", { notice });
  return { state: next, effects: fading(next) };
}

/** With reduced motion a notice is removed by the next key or click instead of after a time. */
function fading(state: State): readonly Effect[] {
  return state.preferences.calm ? [] : [{ effect: "wake", ms: fadeMs(state) }];
}

/**
 * How long a notice is shown, in milliseconds of the session's clock. The clock of a recording runs `speed` times as
 * fast, so the time is multiplied by `speed`: a person then sees the notice as long as usual.
 */
function fadeMs({ messages: { notice }, session: { replay } }: State): number {
  return (notice?.seenMs ?? FADE_MS) * (replay === undefined || replay.ended ? 1 : replay.speed);
}

export function isFaded(state: State): boolean {
  const { now } = state;
  const { notice } = state.messages;
  if (notice?.tone !== "info") return false;
  // A timer may fire a little early.
  return instantToMs(now) - instantToMs(notice.at) >= fadeMs(state) * 0.98;
}
