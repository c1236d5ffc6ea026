import { expect, test } from "vitest";
import { EVENT_KINDS, type EventKind } from "../../../src/contract/event-kinds.ts";
import { WAKING_KINDS, type WakingEvent, wakesBridge } from "../../../src/domain/bridges/waking.ts";

const event = (type: EventKind, actor: string, payload: object = {}): WakingEvent => ({
  ...{ type, actor },
  payload: payload as WakingEvent["payload"],
});

test.each<[string, WakingEvent, boolean]>([
  ["a bind", event("issue.external_root_bound", "ann"), true],
  ["a resume", event("issue.external_root_resumed", "ann"), true],
  ["a pause", event("issue.external_root_paused", "ann"), false],
  ["the end of the bridge", event("issue.external_root_unbound", "ann"), false],
  ["a close", event("issue.closed", "ann"), true],
  ["a reopen", event("issue.reopened", "ann"), true],
  ["a comment", event("issue.commented", "ann"), true],
  ["an edited comment", event("issue.comment_edited", "ann"), false],
  ["a new title", event("issue.updated", "ann"), false],
  [
    "a comment by a run",
    event("issue.commented", "connector:files", { source: { connector_instance: "files" } }),
    false,
  ],
  ["a question of a run to people", event("issue.commented", "connector:files"), false],
  [
    "a comment by a run in a copy, where a person is its actor",
    event("issue.commented", "bea", { source: { connector_instance: "files" } }),
    false,
  ],
  [
    "a comment by a run of another connector",
    event("issue.commented", "connector:tickets", { source: { connector_instance: "tickets" } }),
    true,
  ],
  ["a resolved field", event("issue.external_field_resolved", "ann"), true],
  ["a field in conflict", event("issue.external_field_conflicted", "connector:files"), false],
  ...(["adopt", "retry", "skip"] as const).map((action): [string, WakingEvent, boolean] => [
    `${action} of a comment`,
    event("issue.external_comment_resolved", "ann", { action }),
    true,
  ]),
  [
    "a published comment in a copy",
    event("issue.external_comment_resolved", "bea", { action: "published" }),
    false,
  ],
])("the bridge of files is run soon after %s: %s %s", (_, given, wakes) => {
  expect(wakesBridge(given, "files")).toBe(wakes);
});

test("no event of another kind wakes a bridge", () => {
  const kinds = Object.keys(EVENT_KINDS) as readonly EventKind[];
  const waking = kinds.filter((type) => wakesBridge(event(type, "ann"), "files"));
  expect(new Set(waking)).toEqual(new Set(WAKING_KINDS));
});
