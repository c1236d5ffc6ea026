import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import { initialState } from "../../src/screen/initial-state.ts";
import { issueOf, type WireIssue } from "../../src/screen/issues/issues.ts";
import type { Message } from "../../src/screen/message.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import { update } from "../../src/screen/update.ts";
import { TERMINAL } from "../../tui/fit.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";

/** The texts that are typed into the filter. The first one matches most issues, the others match fewer. */
const TYPED = ["common", "status:all of the w2 common", "label:bug w1", "status:ready p<=1 w2a"];

/**
 * Measures each key that is typed into the filter of the terminal screen, in milliseconds: `compute` is the time until
 * the new rows are computed, `drawn` the time until the whole screen is drawn. `answer` is the daemon's list of issues.
 */
export function filterTimes(answer: string, size: { columns: number; rows: number }) {
  const { issues } = JSON.parse(answer) as { readonly issues: readonly WireIssue[] };
  const paint = painter("dark");
  let nowMs = instantToMs("2026-11-21T10:00:00.000Z");
  let state = initialState({
    ...size,
    fit: TERMINAL,
    screens: SCREENS,
    now: msToInstant(nowMs),
    zone: "UTC",
    actor: "bench",
    daemon: "local",
    version: "",
    scope: { project: undefined },
    open: undefined,
    session: "bench",
    confirmQuit: false,
    inboxOf: "bench",
    views: [],
  });
  const tell = (message: Message): void => {
    nowMs += 100;
    state = update({ ...state, now: msToInstant(nowMs) }, message).state;
  };
  const whole = { serial: 0, gone: [], truncated: false } as const;
  tell({ type: "issues", part: "all", issues: issues.map(issueOf), ...whole });
  const compute: number[] = [];
  const drawn: number[] = [];
  for (const text of [...TYPED, ...TYPED, ...TYPED]) {
    for (const key of ["/", "ctrl+u", ...text, "esc"]) {
      const began = performance.now();
      tell({ type: "key", key: key === " " ? "space" : key });
      const computed = performance.now();
      frame(state, paint);
      if (key.length > 1) continue;
      compute.push(computed - began);
      drawn.push(performance.now() - began);
    }
  }
  return { compute, drawn };
}
