import { describe, expect, test } from "vitest";
import { EVENT_KINDS, type EventKind } from "../../../src/contract/event-kinds.ts";
import {
  ADOPTION_UNFINISHED,
  type BindingState,
  refusalOf,
} from "../../../src/domain/federation/gate.ts";
import { R as NATIVE, X as OTHER } from "../cron/bases.ts";

const HUB: BindingState = {
  role: "hub",
  enabled: 1,
  disabled_reason: null,
  push_enabled: 0,
  bound_actor: null,
};
const READS: BindingState = { ...HUB, role: "spoke", bound_actor: "sam" };
const WRITES: BindingState = { ...READS, push_enabled: 1 };
const DISABLED: BindingState = { ...WRITES, enabled: 0 };
const HANDED_OVER: BindingState = { ...DISABLED, disabled_reason: ADOPTION_UNFINISHED };

const KINDS = Object.keys(EVENT_KINDS) as readonly EventKind[];
const LOCAL: readonly EventKind[] = [
  "project.created",
  "project.alias_added",
  "project.alias_removed",
  "project.removed",
  "project.restored",
  "token.created",
  "token.revoked",
];
const NEVER: readonly EventKind[] = ["project.merged", "project.author_rewritten"];
const HUB_KINDS: readonly EventKind[] = [
  "project.renamed",
  "project.federation_enabled",
  "issue.snapshot",
  "recurrence.created",
  "recurrence.updated",
  "recurrence.deleted",
  "recurrence.materialized",
  "recurrence.materialization_skipped",
  "cron.job.snapshot",
  "cron.workflow.snapshot",
  "cron.run.snapshot",
];

function codeOf(type: EventKind, binding: BindingState, payload: object = {}) {
  return refusalOf({ type, payload: payload as never }, binding);
}

function copyRefusalOf(type: EventKind): string | undefined {
  if (LOCAL.includes(type)) return undefined;
  if (type === "issue.moved") return "federated_move_unsupported";
  return HUB_KINDS.includes(type) ? "federated_admin_required" : "federated_read_only";
}

describe("the gate of a federated project", () => {
  test.each(KINDS)("lets the hub write %s", (type) => {
    expect(codeOf(type, HUB)).toBeUndefined();
  });

  test.each(KINDS)(
    "allows or refuses %s as expected on a copy that only reads or is disabled",
    (type) => {
      expect(codeOf(type, READS)).toBe(copyRefusalOf(type));
      expect(codeOf(type, DISABLED)).toBe(copyRefusalOf(type));
    },
  );

  test.each(KINDS)("refuses %s while the project is being handed over", (type) => {
    expect(codeOf(type, HANDED_OVER)).toBe("federated_read_only");
  });

  test.each(KINDS)(
    "lets a copy that sends its changes write %s unless only the hub may",
    (type) => {
      const isRefused = NEVER.includes(type) || HUB_KINDS.includes(type) || type === "issue.moved";
      expect(codeOf(type, WRITES)).toBe(isRefused ? copyRefusalOf(type) : undefined);
    },
  );

  test("lets only the hub create jobs that svc runs itself, and lets a copy create other jobs", () => {
    expect(codeOf("cron.job.created", WRITES, { definition: NATIVE })).toBe(
      "federated_admin_required",
    );
    expect(codeOf("cron.job.created", WRITES, { definition: OTHER })).toBeUndefined();
  });

  test.each([
    ["issue.metadata_updated", { diff: { "cron.progress.01K": { from: null, to: {} } } }],
    ["issue.metadata_updated", { diff: { "cron.occurrence": { from: {}, to: null } } }],
    ["issue.created", { metadata: { "cron.occurrence": {} } }],
  ] as const)("lets only the hub deliver for recurring jobs: %s with %j", (type, payload) => {
    expect(codeOf(type, WRITES, payload)).toBe("federated_admin_required");
    expect(codeOf(type, HUB, payload)).toBeUndefined();
  });

  test.each([
    ["issue.metadata_updated", { diff: { "cron.note": { from: null, to: "x" } } }],
    ["issue.created", { metadata: { area: "x" } }],
    ["issue.commented", { body: "cron.occurrence" }],
  ] as const)("lets a copy write other metadata: %s with %j", (type, payload) => {
    expect(codeOf(type, WRITES, payload)).toBeUndefined();
  });
});
