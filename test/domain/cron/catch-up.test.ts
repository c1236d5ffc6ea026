import { expect, test } from "vitest";
import { instantToMs } from "../../../src/base/clock.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import { nextStep } from "../../../src/domain/cron/catch-up.ts";
import { decodeNative } from "../../../src/domain/cron/stopped.ts";
import { but, R } from "./bases.ts";

/** The next step of a job that skips what is older than an hour. It is due at each full hour, or as `cron` says. */
function stepAt(now: string, through: string, cron = "0 * * * *"): string {
  const job = decodeNative(
    but(R, {
      trigger: { kind: "cron", cron, timezone: "UTC" },
      catchup: "skip",
      grace_seconds: 3600,
    }) as JsonObject,
  );
  if (job === undefined) throw new Error("the definition is valid");
  const progress = {
    version: 1,
    anchor: "2026-08-01T00:00:00Z",
    through: `2026-08-01T${through}Z`,
    last_occurrence: null,
    last_child_uid: null,
    scan: null,
  } as const;
  const nowMs = instantToMs(`2026-08-01T${now}Z`);
  const step = nextStep({ job, definition_event_uid: "e", progress, nowMs });
  if (step.kind === "rest") return "rest";
  const settled = step.progress.through.slice(11, 19);
  return step.kind === "deliver" ? `deliver ${step.at.slice(11, 19)}` : `discard to ${settled}`;
}

test.each([
  ["exactly as old as the grace period is delivered", "10:00:00", "08:30:00", "deliver 09:00:00"],
  [
    "as old as the grace period is delivered even after older ones",
    "10:00:00",
    "05:30:00",
    "deliver 09:00:00",
  ],
  [
    "as old as the grace period is delivered within the same second",
    "10:00:00.999",
    "08:30:00",
    "deliver 09:00:00",
  ],
  ["older by a second is discarded", "10:00:01", "08:30:00", "deliver 10:00:00"],
  ["of now is delivered", "09:00:00", "08:30:00", "deliver 09:00:00"],
  ["that is not due yet waits", "09:59:59", "09:00:00", "rest"],
])("with catchup skip, an occurrence %s", (_, now, through, step) => {
  expect(stepAt(now, through)).toBe(step);
});

test.each([
  ["10:00:01", "discard to 09:00:00"],
  ["10:00:01.999", "discard to 09:00:00"],
  ["12:00:00", "discard to 10:59:59"],
])(
  "at %s, a daily job of 09:00 with a grace period of one hour discards all times before that period: %s",
  (now, step) => {
    expect(stepAt(now, "08:30:00", "0 9 * * *")).toBe(step);
  },
);
