import { expect, test } from "vitest";
import { PAYLOADS, type StoredEvent } from "../../src/contract/events.ts";
import { evolve } from "../../src/domain/evolve/evolve.ts";
import { asBoundActor } from "../../src/domain/federation/bound-actor.ts";
import type { MemoryState } from "../../src/domain/memory.ts";
import type { ExternalRootRow } from "../../src/domain/state.ts";
import { ORPHAN_EVENTS, snapshot } from "./orphan-events.ts";
import { eventOf, issueRow, stateOf } from "./rows.ts";

const ROOT: ExternalRootRow = {
  issue_uid: "A",
  binding_uid: "R",
  connector_instance: "notes",
  enabled: 1,
};
const OTHER = { ...ROOT, binding_uid: "S" };

const BRIDGE_KINDS = [
  "issue.external_root_bound",
  "issue.external_root_paused",
  "issue.external_root_resumed",
  "issue.external_root_unbound",
  "issue.external_comment_resolved",
  "issue.external_field_conflicted",
  "issue.external_field_resolved",
] as const;

type BridgeKind = (typeof BRIDGE_KINDS)[number];

function bound(...roots: readonly ExternalRootRow[]): MemoryState {
  const state = stateOf([issueRow("A")]);
  for (const root of roots) state.put("external_root", root);
  return state;
}

function rootAfter(state: MemoryState, ...events: readonly StoredEvent[]) {
  for (const event of events) state.apply(evolve(state, event));
  return state.row("external_root", "A");
}

const after = (state: MemoryState, kind: BridgeKind) => rootAfter(state, ORPHAN_EVENTS[kind]);

test("a bind ties the issue to its root, and replaces an earlier bridge", () => {
  expect(after(bound(), "issue.external_root_bound")).toEqual(ROOT);
  expect(after(bound(OTHER), "issue.external_root_bound")).toEqual(ROOT);
});

test.each([
  ["issue.external_root_paused", ROOT, { ...ROOT, enabled: 0 }],
  ["issue.external_root_resumed", { ...ROOT, enabled: 0 as const }, ROOT],
  ["issue.external_root_unbound", ROOT, undefined],
  ["issue.external_comment_resolved", ROOT, ROOT],
  ["issue.external_field_conflicted", ROOT, ROOT],
  ["issue.external_field_resolved", ROOT, ROOT],
] satisfies [BridgeKind, ExternalRootRow, ExternalRootRow | undefined][])(
  "%s changes the root of the issue as it says",
  (kind, before, result) => {
    expect(after(bound(before), kind)).toEqual(result);
  },
);

test.each([
  "issue.external_root_paused",
  "issue.external_root_resumed",
  "issue.external_root_unbound",
] as const)(
  "%s of an earlier bridge changes nothing, and neither does one without a bind",
  (kind) => {
    expect(after(bound(OTHER), kind)).toEqual(OTHER);
    expect(after(bound(), kind)).toBeUndefined();
  },
);

test.each(BRIDGE_KINDS)("%s leaves the issue and its time of change alone", (kind) => {
  const state = bound(ROOT);
  after(state, kind);
  expect([...state.rows("issue")]).toEqual([issueRow("A")]);
});

test("a snapshot carries the root of its issue, and one without a root takes none away", () => {
  const external_root = { binding_uid: "R", connector_instance: "notes", enabled: false };
  const on = { issue_uid: "A" };
  expect(rootAfter(bound(), eventOf("issue.snapshot", { ...snapshot, external_root }, on))).toEqual(
    { ...ROOT, enabled: 0 },
  );
  expect(rootAfter(bound(ROOT), eventOf("issue.snapshot", snapshot, on))).toEqual(ROOT);
});

test.each(BRIDGE_KINDS)("the payload of %s has no further field", (kind) => {
  const { payload } = ORPHAN_EVENTS[kind];
  expect(PAYLOADS[kind]().safeParse(payload).success).toBe(true);
  for (const field of ["external_account_key", "locator", "candidate", "settings"])
    expect(PAYLOADS[kind]().safeParse({ ...payload, [field]: "x" }).success).toBe(false);
});

test("only a pause has a reason", () => {
  const withReason = BRIDGE_KINDS.filter((kind) => {
    const payload = { ...ORPHAN_EVENTS[kind].payload, reason: "why" };
    return PAYLOADS[kind]().safeParse(payload).success;
  });
  expect(withReason).toEqual(["issue.external_root_paused"]);
});

test.each(["issue.updated", "issue.commented", "issue.comment_edited"] as const)(
  "the source of %s has the fields of the contract and no other",
  (kind) => {
    const source = {
      connector_instance: "notes",
      external_root_key: "a.md",
      external_revision: "1",
      external_comment_id: "c1",
      actor_id: "u1",
      actor_name: "Uma",
      created_at: "2026-03-03T00:00:00.000Z",
      updated_at: "2026-03-03T00:00:00.000Z",
      observed_at: "2026-03-03T00:00:00.000Z",
      deleted: true,
    };
    const { payload } = ORPHAN_EVENTS[kind];
    const accepts = (given: object): boolean =>
      PAYLOADS[kind]().safeParse({ ...payload, source: given }).success;
    expect(accepts(source)).toBe(true);
    expect(accepts({ connector_instance: "notes", external_root_key: "a" })).toBe(false);
    expect(accepts({ ...source, external_account_key: "x" })).toBe(false);
  },
);

test("a copy that sends its events names the actor of its enrollment in both places", () => {
  const { type, payload } = ORPHAN_EVENTS["issue.external_root_bound"];
  const draft = { type, payload, actor: "ann", project_uid: "P", issue_uid: "A" } as const;
  expect(asBoundActor(draft as never, "spoke")).toMatchObject({
    actor: "spoke",
    local_actor: "ann",
    payload: { actor: "spoke" },
  });
});
