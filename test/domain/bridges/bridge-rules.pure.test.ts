import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../../src/base/clock.ts";
import { backoffMs } from "../../../src/domain/bridges/backoff.ts";
import {
  type DueRow,
  isClaimed,
  isDue,
  needsRenewal,
  STALE_MS,
} from "../../../src/domain/bridges/claim.ts";
import { operationId } from "../../../src/domain/bridges/comments-out.ts";
import { completesRoot } from "../../../src/domain/bridges/completion.ts";
import { type Request, requestOf } from "../../../src/domain/bridges/lifecycle.ts";
import {
  accountDigest,
  IDENTITY_CHANGED,
  pauseOfAccount,
  pauseOfFault,
  pauseOfRoot,
} from "../../../src/domain/bridges/pauses.ts";
import type { Root } from "../../../src/domain/bridges/values.ts";

test("the operation id of a comment follows from binding and comment", () => {
  // printf 'svc.external-comment.v1\0%s\0%s' <binding> <comment> | sha256sum
  const [binding, comment] = ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "01BX5ZZKBKACTAV9WEVGEMMVRZ"];
  expect(operationId(binding, comment)).toBe(VECTOR);
  expect(operationId(comment, binding)).not.toBe(VECTOR);
});

const VECTOR = "ce6e00c5f23bab118d8d3da84bd400404d3ac8e0701428831610022a9744d063";

test.each<[string | null, Root["state"], "open" | "closed", Request | undefined]>([
  [null, "open", "open", undefined],
  [null, "complete", "open", "completion"],
  [null, "complete", "closed", undefined],
  ["open", "open", "open", undefined],
  ["open", "complete", "open", "completion"],
  ["open", "complete", "closed", undefined],
  ["complete", "complete", "open", undefined],
  ["complete", "open", "open", "reopen"],
  ["complete", "open", "closed", "reopen"],
  ["open", "deleted", "open", undefined],
])("a root that was %s and is %s asks of an %s issue: %s", (last, state, status, expected) => {
  const seen = { last_external_state: last, requested_state: null, requested_revision: null };
  expect(requestOf(seen, { state, revision: "7" }, status)).toBe(expected);
});

test.each<[string, string, string, Request | undefined]>([
  ["the same state and revision", "complete", "7", undefined],
  ["another revision", "complete", "6", "completion"],
  ["another state", "open", "7", "completion"],
])("a request is made once: after %s", (_, requested_state, requested_revision, expected) => {
  const seen = { last_external_state: "open", requested_state, requested_revision };
  expect(requestOf(seen, { state: "complete", revision: "7" }, "open")).toBe(expected);
});

const LIVE = { active: true, enabled: true, complete_external: true };

test.each([
  ["a closed issue", "closed", LIVE, "open", true],
  ["an open issue", "open", LIVE, "open", false],
  ["a root that is complete", "closed", LIVE, "complete", false],
  ["a deleted root", "closed", LIVE, "deleted", false],
  ["a paused binding", "closed", { ...LIVE, enabled: false }, "open", false],
  ["an unbound binding", "closed", { ...LIVE, active: false }, "open", false],
  [
    "a binding that completes nothing",
    "closed",
    { ...LIVE, complete_external: false },
    "open",
    false,
  ],
] as const)("%s completes its root, or not", (_, status, binding, state, expected) => {
  expect(completesRoot({ status }, binding, state)).toBe(expected);
});

describe("the wait after a failure", () => {
  test.each([
    [0, 30_000],
    [1, 60_000],
    [5, 960_000],
    [6, 1_800_000],
    [10, 1_800_000],
    [1000, 1_800_000],
  ])("after %i earlier ones is about %i ms", (failures, about) => {
    for (let id = 1; id <= 42; id++) {
      expect(backoffMs(id, failures)).toBeGreaterThanOrEqual(about * 0.9);
      expect(backoffMs(id, failures)).toBeLessThanOrEqual(Math.min(about * 1.1, 1_800_000));
    }
  });

  test("differs from binding to binding", () => {
    expect([10, 0, 20, 31].map((id) => backoffMs(id, 0))).toEqual([30_000, 27_000, 33_000, 30_000]);
    // (0 + 17) mod 21 - 10 = 7
    expect(backoffMs(0, 1)).toBe(64_200);
  });
});

const NOW = "2026-01-01T10:00:00.000Z";
const NOW_MS = instantToMs(NOW);
const at = (ms: number): string => msToInstant(NOW_MS + ms);

test.each([
  [null, false],
  [0, true],
  [-STALE_MS + 1, true],
  [-STALE_MS, false],
  [STALE_MS - 1, true],
  [STALE_MS, false],
])("a claim that began %j ms from now is one of a run, or not", (ms, expected) => {
  const claim = {
    claim_token: ms === null ? null : "T",
    claim_started_at: ms === null ? null : at(ms),
  };
  expect(isClaimed(claim, NOW_MS)).toBe(expected);
});

test.each([
  [0, false],
  [99_999, false],
  [100_000, true],
  [-100_000, true],
])("a claim of %i ms is renewed, or not", (ms, expected) => {
  expect(needsRenewal(NOW_MS - ms, NOW_MS)).toBe(expected);
});

test.each<[string, Partial<DueRow>, boolean, boolean]>([
  ["has no next attempt", {}, true, true],
  ["has its next attempt now", { next_attempt_at: NOW }, true, true],
  ["has its next attempt later", { next_attempt_at: at(1) }, false, true],
  ["has it after the longest wait", { next_attempt_at: at(1_800_000) }, false, true],
  ["has it later than any wait is", { next_attempt_at: at(1_800_001) }, true, true],
  ["is claimed", { claim_token: "T", claim_started_at: NOW }, false, false],
  ["has a stale claim", { claim_token: "T", claim_started_at: at(-STALE_MS) }, true, true],
  ["is paused", { enabled: false }, false, false],
  ["is unbound", { active: false }, false, false],
])("a binding that %s is due by itself or on request, or not", (_, row, due, asked) => {
  const plain = { claim_token: null, claim_started_at: null, next_attempt_at: null };
  const whole = { ...plain, active: true, enabled: true, ...row };
  expect([isDue(whole, NOW_MS), isDue(whole, NOW_MS, true)]).toEqual([due, asked]);
});

test.each([
  ["missing", undefined, "external_connector_missing", "external_connector_missing"],
  ["protocol", IDENTITY_CHANGED, "external_root_identity_changed", undefined],
  ["request", "not_found", undefined, "external_root_missing"],
  ["request", "root_not_found", undefined, "external_root_missing"],
  ["request", "deleted", undefined, "external_root_missing"],
  ["request", "gone", undefined, "external_root_missing"],
  ["request", "unavailable", undefined, undefined],
  ["request", undefined, undefined, undefined],
  ["protocol", "gone", undefined, undefined],
  ["process", undefined, undefined, undefined],
  ["timeout", undefined, undefined, undefined],
] as const)(
  "a %s fault with the code %s pauses the binding, or not",
  (kind, code, describe, read) => {
    const fault = { kind, code };
    expect([pauseOfFault(fault, "describe"), pauseOfFault(fault, "read_root")]).toEqual([
      describe,
      read,
    ]);
  },
);

const BOUND = {
  ...{ connector_instance: "files", external_root_key: "k" },
  external_account_digest: accountDigest("files", "a"),
};
const ROOT = { key: "k", identity_key: "a", state: "open" } as const;

test.each([
  ["is the bound one", {}, undefined],
  ["is complete", { state: "complete" }, undefined],
  ["is deleted", { state: "deleted" }, "external_root_deleted"],
  ["has another key", { key: "x" }, "external_root_identity_changed"],
  ["is of another account", { identity_key: "x" }, "external_root_identity_changed"],
  [
    "is deleted and of another account",
    { state: "deleted", identity_key: "x" },
    "external_root_identity_changed",
  ],
] as const)("a root that %s pauses the binding, or not", (_, root, reason) => {
  expect(pauseOfRoot(BOUND, { ...ROOT, ...root })).toBe(reason);
});

test("another account pauses the binding", () => {
  const reasonOf = (account_identity: string) => pauseOfAccount(BOUND, { account_identity });
  expect([reasonOf("a"), reasonOf("b")]).toEqual([undefined, "external_root_identity_changed"]);
});

test("no wait is longer than half an hour or shorter than 27 seconds", () => {
  const property = fc.property(fc.nat(), fc.nat(5000), (id, failures) => {
    const ms = backoffMs(id, failures);
    expect(ms >= 27_000 && ms <= 1_800_000).toBe(true);
  });
  fc.assert(property);
});
