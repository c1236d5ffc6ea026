import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json.ts";
import type { EventKind, StoredEvent } from "../../../src/contract/events.ts";
import { overwritten } from "../../../src/domain/federation/overwritten.ts";
import { SETTING_KINDS } from "../../../src/domain/federation/settings.ts";
import { FoldOrder, type Place } from "../../../src/domain/order.ts";

const [HUB, SAM, KIM] = ["hub", "sam", "kim"];

const BASELINE: Place = {
  ...{ id: 1, uid: "baseline", type: "project.federation_enabled", project_uid: "P" },
  ...{ origin_instance_uid: HUB, hlc_physical_ms: 1, hlc_counter: 0 },
};

interface Written {
  readonly id: number;
  /** The place in the order of the fold. */
  readonly clock: number;
  readonly by: string;
  readonly type?: EventKind;
  readonly payload?: JsonObject;
  readonly hub_event_id?: number;
  readonly skipped_at?: string;
}

/** By default an edit of the body, which does not say what was there before. */
function written({
  id,
  clock,
  by,
  type = "issue.updated",
  payload,
  ...more
}: Written): StoredEvent {
  return {
    ...{ id, uid: `event ${id}`, type, project_uid: "P", issue_uid: "I", actor: by },
    ...{ origin_instance_uid: by, hlc_physical_ms: clock, hlc_counter: 0 },
    payload: payload ?? { body: `of ${id}` },
    ...more,
  } as unknown as StoredEvent;
}

/** The ids of the events that lost a value, each with that of the winner. */
function losses(...events: readonly Written[]): Readonly<Record<number, number>> {
  const winners = overwritten(events.map(written), new FoldOrder([BASELINE]));
  return Object.fromEntries([...winners].map(([id, winner]) => [id, winner.id]));
}

describe("a change is overwritten", () => {
  test("a change is overwritten by one that arrived earlier and is folded later", () => {
    expect(losses({ id: 10, clock: 30, by: HUB }, { id: 11, clock: 20, by: SAM })).toEqual({
      11: 10,
    });
  });

  test("a change is overwritten by a later one that the hub received first, although it arrived here later", () => {
    const own = { id: 10, clock: 20, by: SAM };
    const theirs = { id: 11, clock: 30, by: HUB, hub_event_id: 5 };
    expect(losses(own, theirs)).toEqual({ 10: 11 });
    expect(losses({ ...own, hub_event_id: 6 }, theirs)).toEqual({ 10: 11 });
    expect(losses({ ...own, hub_event_id: 4 }, theirs)).toEqual({});
  });

  test("a change is overwritten by a later one that names another value as the one it replaced", () => {
    const earlier = { id: 10, clock: 20, by: HUB, payload: { title: "b", old_title: "a" } };
    const later = { id: 11, clock: 30, by: SAM };
    expect(losses(earlier, { ...later, payload: { title: "c", old_title: "a" } })).toEqual({
      10: 11,
    });
    expect(losses(earlier, { ...later, payload: { title: "c", old_title: "b" } })).toEqual({});
  });

  test("a change is overwritten by the last change whose writer did not know it, not by one whose writer did", () => {
    const late = { id: 20, clock: 20, by: SAM };
    const [first, second] = [
      { id: 10, clock: 30, by: HUB },
      { id: 11, clock: 40, by: KIM },
    ];
    expect(losses(first, second, late)).toEqual({ 20: 11 });
    expect(losses(first, second, late, { id: 21, clock: 50, by: HUB })).toEqual({ 20: 11 });
    expect(losses(first, late, { id: 21, clock: 50, by: KIM })).toEqual({ 20: 10 });
  });
});

describe("a change is not overwritten", () => {
  test("a change is not overwritten by a change of the same daemon, or by one that was made after it had arrived", () => {
    expect(losses({ id: 10, clock: 20, by: HUB }, { id: 11, clock: 30, by: HUB })).toEqual({});
    expect(losses({ id: 10, clock: 20, by: SAM }, { id: 11, clock: 30, by: HUB })).toEqual({});
  });

  test("a change is not overwritten by another that set the same value", () => {
    const payload = { body: "same" };
    expect(
      losses({ id: 10, clock: 30, by: HUB, payload }, { id: 11, clock: 20, by: SAM, payload }),
    ).toEqual({});
  });

  test("a skipped change, which the hub never gets, overwrites no other change and is not overwritten", () => {
    const skipped_at = "2026-01-01T00:00:00.000Z";
    const [early, late] = [
      { id: 10, clock: 30, by: HUB },
      { id: 11, clock: 20, by: SAM },
    ];
    expect(losses({ ...early, skipped_at }, late)).toEqual({});
    expect(losses(early, { ...late, skipped_at })).toEqual({});
  });

  test("a change is not overwritten by a change of another field", () => {
    expect(
      losses(
        { id: 10, clock: 30, by: HUB, payload: { owner: "ann", old_owner: null } },
        { id: 11, clock: 20, by: SAM },
      ),
    ).toEqual({});
  });
});

const at = { updated_at: "2026-01-01T00:00:00.000Z" };
const link = { from_short_id: "a", to_short_id: "b", from_uid: "I", ...at };
const closed = { closed_at: at.updated_at, parent_uid: "", parent_short_id: "" };
const diff = (name: string, change: JsonObject) => ({ diff: { [name]: change }, ...at });

/** The earlier change comes late; the later one was here before it. */
const things: readonly (readonly [
  name: string,
  earlier: readonly [EventKind, JsonObject],
  later: readonly [EventKind, JsonObject],
  isLost: boolean,
])[] = [
  ["title", ["issue.updated", { title: "b" }], ["issue.updated", { title: "c" }], true],
  ["owner", ["issue.assigned", { owner: "x" }], ["issue.updated", { owner: "y" }], true],
  ["no owner", ["issue.unassigned", { owner: null }], ["issue.assigned", { owner: "y" }], true],
  ["priority", ["issue.priority_set", { priority: 1 }], ["issue.priority_cleared", {}], true],
  [
    "reason",
    ["issue.closed", { reason: "done", ...closed }],
    ["issue.closed", { reason: "wontfix", ...closed }],
    true,
  ],
  [
    "the same reason",
    ["issue.closed", { reason: "done", ...closed }],
    ["issue.closed", { reason: "done", ...closed }],
    false,
  ],
  ["status", ["issue.closed", { reason: "done", ...closed }], ["issue.reopened", at], true],
  [
    "text of a comment",
    ["issue.comment_edited", { comment_uid: "C", body: "b", edited_at: "" }],
    ["issue.comment_edited", { comment_uid: "C", body: "c", edited_at: "" }],
    true,
  ],
  ["deletion", ["issue.soft_deleted", { deleted_at: "" }], ["issue.restored", at], true],
  ["label", ["issue.labeled", { label: "bug" }], ["issue.unlabeled", { label: "bug" }], true],
  [
    "another label",
    ["issue.labeled", { label: "bug" }],
    ["issue.unlabeled", { label: "ui" }],
    false,
  ],
  [
    "link",
    ["issue.linked", { ...link, type: "blocks", to_uid: "J" }],
    ["issue.links_changed", { blocks_removed_uids: ["J"], ...at }],
    true,
  ],
  [
    "related link, from its other side",
    ["issue.linked", { ...link, type: "related", to_uid: "H" }],
    [
      "issue.unlinked",
      { ...link, type: "related", to_uid: "H", link_from_uid: "H", link_to_uid: "I" },
    ],
    true,
  ],
  [
    "parent",
    ["issue.links_changed", { parent_set_uid: "J", ...at }],
    ["issue.links_changed", { parent_removed_uid: "H", parent_set_uid: "K", ...at }],
    true,
  ],
  [
    "metadata",
    ["issue.metadata_updated", diff("m", { to: 1 })],
    ["issue.metadata_updated", diff("m", { from: 0 })],
    true,
  ],
  [
    "another key",
    ["issue.metadata_updated", diff("m", { to: 1 })],
    ["issue.metadata_updated", diff("n", { to: 2 })],
    false,
  ],
  [
    "another leaf",
    ["issue.metadata_updated", diff("m", { from: { x: 0, y: 0 }, to: { x: 1, y: 0 } })],
    ["issue.metadata_updated", diff("m", { from: { x: 0, y: 0 }, to: { x: 0, y: 1 } })],
    false,
  ],
  [
    "a leaf of an object that was replaced",
    ["issue.metadata_updated", diff("m", { from: { x: 0, y: 0 }, to: { x: 1, y: 0 } })],
    ["issue.metadata_updated", diff("m", { from: { x: 0, y: 0 }, to: "text" })],
    true,
  ],
];

test("the cases of this file cover exactly the kinds of events that set a value", () => {
  const kinds = new Set<EventKind>(SETTING_KINDS);
  const used = things.flatMap(([, earlier, later]) => [earlier[0], later[0]]);
  expect(used.filter((kind) => !kinds.has(kind))).toEqual([]);
  expect([...kinds].filter((kind) => !used.includes(kind))).toEqual([]);
});

test.each(things)(
  "two daemons change one issue, and the lost change is found: %s",
  (_name, earlier, later, isLost) => {
    const found = losses(
      { id: 10, clock: 30, by: HUB, type: later[0], payload: later[1] },
      { id: 11, clock: 20, by: SAM, type: earlier[0], payload: earlier[1] },
    );
    expect(found).toEqual(isLost ? { 11: 10 } : {});
  },
);
