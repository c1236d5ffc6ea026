import { describe, expect, test } from "vitest";
import {
  type FallbackEvent,
  type FallbackState,
  isAsking,
  isShort,
  nextFallback,
} from "../../src/screen/effects/fallback-state.ts";

const EVENTS: readonly FallbackEvent[] = [
  ...(["received", "lost", "refused", "answered", "unanswered", "elapsed"] as const),
];

describe("how a screen gets its updates", () => {
  test.each<[FallbackState, readonly FallbackState[]]>([
    ["opening", ["streaming", "opening", "trying", "opening", "opening", "trying"]],
    ["streaming", ["streaming", "opening", "trying", "streaming", "streaming", "streaming"]],
    ["trying", ["streaming", "trying", "trying", "polling", "away", "away"]],
    ["polling", ["streaming", "polling", "polling", "polling", "away", "polling"]],
    ["away", ["streaming", "away", "away", "polling", "away", "away"]],
  ])("in the state %s each event leads to the expected state", (state, row) => {
    expect(EVENTS.map((event) => nextFallback(state, event))).toEqual(row);
  });

  test("the log is polled in each state without a working stream, and only two states end by themselves", () => {
    const all = ["opening", "streaming", "trying", "polling", "away"] as const;
    expect(all.filter(isAsking)).toEqual(["trying", "polling", "away"]);
    expect(all.filter(isShort)).toEqual(["opening", "trying"]);
  });
});
