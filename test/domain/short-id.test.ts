import fc from "fast-check";
import { expect, test } from "vitest";
import type { AssignedIds, StoredEvent } from "../../src/contract/events.ts";
import { foldLog } from "../../src/domain/memory.ts";
import { shortIdsFrom } from "../../src/domain/short-id.ts";
import { eventOf } from "./rows.ts";

const UID = "01J000000000000000007WXYZ5";

test.each([
  ["xyz5", ["xyz5", "wxyz5", "7wxyz5", "07wxyz5"]],
  ["7wxyz5", ["7wxyz5", "07wxyz5", "007wxyz5", "0007wxyz5"]],
  ["an-old-id", ["an-old-id", "00007wxyz5", "000007wxyz5", "0000007wxyz5"]],
])(
  "an issue that should get the short id %s may get a longer ending of its uid",
  (wanted, first) => {
    expect([...shortIdsFrom(UID, wanted)].slice(0, 4)).toEqual(first);
  },
);

test("the last possible short id is the whole uid, and no issue may get the whole uid of another one", () => {
  const uids = fc.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  fc.assert(
    fc.property(uids, fc.oneof(uids, fc.stringMatching(/^[0-9a-z]{4,8}$/)), (uid, other) => {
      const all = [...shortIdsFrom(uid, other.toLowerCase())];
      expect(all.at(-1)).toBe(uid.toLowerCase());
      expect(new Set(all).size).toBe(all.length);
      if (other !== uid && other.length === 26) expect(all).not.toContain(other.toLowerCase());
    }),
  );
});

test("a fold in any order gives the short ids that were assigned when the events arrived", () => {
  const log = [
    created("A", "wxyz", undefined),
    created("B", "wxyz", { B: { P: "bwxyz" } }),
    moved("B", "wxyz", { B: { P: "bwxyz", Q: "bbwxyz" } }),
    merged({ A: { Q: "awxyz" } }),
  ];
  for (const order of [
    [0, 1, 2, 3],
    [1, 0, 2, 3],
    [1, 2, 0, 3],
  ]) {
    const state = foldLog(order.flatMap((at) => log[at] ?? []));
    expect(state.issue("A")).toMatchObject({ project_uid: "Q", short_id: "awxyz" });
    expect(state.issue("B")).toMatchObject({ project_uid: "Q", short_id: "bbwxyz" });
    expect([...state.rows("former")]).toEqual([
      { project_uid: "P", short_id: "bwxyz", issue_uid: "B" },
    ]);
  }
});

function created(uid: string, short_id: string, assigned_ids: AssignedIds | undefined) {
  const at = "2026-01-01T00:00:00.000Z";
  const texts = { title: uid, body: "", author: "ann", created_at: at };
  const payload = { uid, short_id, ...texts, status: "open" as const, metadata: {} };
  return assigned(eventOf("issue.created", payload, { issue_uid: uid }), assigned_ids);
}

function moved(uid: string, short_id: string, assigned_ids: AssignedIds) {
  const payload = {
    from_project_uid: "P",
    from_short_id: short_id,
    to_project_uid: "Q",
    to_short_id: short_id,
    updated_at: "2026-01-02T00:00:00.000Z",
  };
  const fields = { issue_uid: uid, project_uid: "Q" };
  return assigned(eventOf("issue.moved", payload, fields), assigned_ids);
}

function merged(assigned_ids: AssignedIds) {
  const payload = { source_uid: "P", source_name: "p", short_id_extensions: [] };
  return assigned(eventOf("project.merged", payload, { project_uid: "Q" }), assigned_ids);
}

function assigned(event: StoredEvent, assigned_ids: AssignedIds | undefined): StoredEvent {
  return assigned_ids === undefined ? event : { ...event, assigned_ids };
}
