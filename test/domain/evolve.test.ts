import { describe, expect, test } from "vitest";
import type { StoredEvent } from "../../src/contract/events.ts";
import { evolve } from "../../src/domain/evolve/evolve.ts";
import { foldLog, type MemoryState } from "../../src/domain/memory.ts";
import { created, ORPHAN_EVENTS, occurrence, series } from "./orphan-events.ts";
import { eventOf, issueRow, linkRow, projectRow, stateOf } from "./rows.ts";

const AT = "2026-03-03T00:00:00.000Z";
const EARLIER = "2025-01-01T00:00:00.000Z";
const on = { issue_uid: "A" };

function after(state: MemoryState, ...events: readonly StoredEvent[]): MemoryState {
  for (const event of events) state.apply(evolve(state, event));
  return state;
}

describe("issue.created", () => {
  test("issue.created creates the row, its labels and its links, and records its idempotency key and import", () => {
    const state = after(
      stateOf([issueRow("B"), issueRow("C"), issueRow("D"), issueRow("E")]),
      eventOf(
        "issue.created",
        {
          ...created,
          owner: "cid",
          priority: 2,
          labels: ["bug", "ui"],
          links: [
            { type: "parent", to_issue_uid: "B", to_short_id: "b", author: "ann" },
            { type: "blocks", to_issue_uid: "C", to_short_id: "c", author: "ann" },
            { type: "blocks", to_issue_uid: "D", to_short_id: "d", incoming: true, author: "ann" },
            { type: "related", to_issue_uid: "E", to_short_id: "e", incoming: true, author: "ann" },
            { type: "related", to_issue_uid: "GONE", to_short_id: "g", author: "ann" },
          ],
          idempotency_key: "k",
          idempotency_fingerprint: "f",
          source: "beads",
          external_id: "x-1",
        },
        on,
      ),
    );
    expect(state.issue("A")).toEqual({
      ...issueRow("A"),
      title: "one",
      body: "text",
      owner: "cid",
      priority: 2,
      metadata: { note: 1 },
      created_at: AT,
      updated_at: AT,
    });
    expect([...state.rows("label")].map(({ label, author }) => [label, author])).toEqual([
      ["bug", "bea"],
      ["ui", "bea"],
    ]);
    expect([...state.rows("link")].map((link) => [link.from_uid, link.type, link.to_uid])).toEqual([
      ["A", "parent", "B"],
      ["A", "blocks", "C"],
      ["D", "blocks", "A"],
      ["A", "related", "E"],
    ]);
    expect([...state.rows("idempotency")]).toMatchObject([
      { scope_uid: "P", operation: "create", key: "k", fingerprint: "f" },
    ]);
    expect([...state.rows("import")]).toMatchObject([
      { project_uid: "P", source: "beads", external_id: "x-1", issue_uid: "A" },
    ]);
  });

  test("issue.created for a known uid overwrites the given fields but keeps author, short id and creation time", () => {
    const known = issueRow("A", {
      author: "zoe",
      short_id: "zzzz",
      created_at: EARLIER,
      revision: 7,
    });
    const state = after(stateOf([known]), eventOf("issue.created", created, on));
    expect(state.issue("A")).toMatchObject({
      title: "one",
      author: "zoe",
      short_id: "zzzz",
      created_at: EARLIER,
      revision: 7,
    });
  });
});

describe("the revision of an issue", () => {
  test.each<[string, StoredEvent, number]>([
    ["an owner by edit", eventOf("issue.updated", { owner: "cid", updated_at: AT }, on), 1],
    ["no owner by edit", eventOf("issue.updated", { owner: null, updated_at: AT }, on), 1],
    ["a title", eventOf("issue.updated", { title: "new", updated_at: AT }, on), 0],
    ["an assignment", eventOf("issue.assigned", { owner: "cid", updated_at: AT }, on), 1],
    ["an unassignment", eventOf("issue.unassigned", { owner: null, updated_at: AT }, on), 1],
    ["a priority", eventOf("issue.priority_set", { priority: 0, updated_at: AT }, on), 0],
    ["a cleared priority", eventOf("issue.priority_cleared", { updated_at: AT }, on), 0],
    [
      "a close",
      eventOf(
        "issue.closed",
        { reason: "done", closed_at: AT, parent_uid: "", parent_short_id: "" },
        on,
      ),
      1,
    ],
    ["a reopening", eventOf("issue.reopened", { reopened_at: AT, updated_at: AT }, on), 1],
    [
      "metadata",
      eventOf(
        "issue.metadata_updated",
        { diff: { a: { to: 1 } }, revision_new: 2, updated_at: AT },
        on,
      ),
      1,
    ],
    ["a label", eventOf("issue.labeled", { label: "bug", updated_at: AT }, on), 0],
    [
      "a comment",
      eventOf(
        "issue.commented",
        { comment_uid: "K", author: "ann", body: "x", created_at: AT },
        on,
      ),
      0,
    ],
    ["a deletion", eventOf("issue.soft_deleted", { deleted_at: AT }, on), 0],
    ["a restoration", eventOf("issue.restored", { restored_at: AT, updated_at: AT }, on), 0],
    [
      "a link",
      eventOf(
        "issue.links_changed",
        { blocks_added: ["b"], blocks_added_uids: ["B"], updated_at: AT },
        on,
      ),
      0,
    ],
  ])("the revision of an issue after %s is as the contract says", (_name, event, by) => {
    const state = after(stateOf([issueRow("A"), issueRow("B")]), event);
    expect(state.issue("A")).toMatchObject({ revision: 1 + by, updated_at: AT });
    expect(state.issue("B")?.updated_at).toBe(issueRow("B").updated_at);
  });
});

describe("the time of the last change", () => {
  test("the time of the last change only moves forward", () => {
    const state = after(
      stateOf([issueRow("A", { updated_at: AT })]),
      eventOf("issue.updated", { title: "late", updated_at: EARLIER }, on),
    );
    expect(state.issue("A")).toMatchObject({ title: "late", updated_at: AT });
  });
});

describe("closing and reopening", () => {
  test("set and clear the reason and the time, and a close with an idempotency key is recorded", () => {
    const close = { reason: "done", closed_at: AT, parent_uid: "", parent_short_id: "" };
    const keyed = { ...close, idempotency_key: "k", idempotency_fingerprint: "f" };
    const state = after(stateOf([issueRow("A")]), eventOf("issue.closed", keyed, on));
    expect(state.issue("A")).toMatchObject({
      status: "closed",
      closed_reason: "done",
      closed_at: AT,
    });
    expect([...state.rows("idempotency")]).toMatchObject([{ scope_uid: "P", operation: "close" }]);
    after(state, eventOf("issue.reopened", { reopened_at: AT, updated_at: AT }, on));
    expect(state.issue("A")).toMatchObject({
      status: "open",
      closed_reason: null,
      closed_at: null,
    });
  });
});

describe("comments", () => {
  const comment = { comment_uid: "K", author: "ann", body: "first", created_at: AT };

  test("are added once, and an edit keeps author, uid and time", () => {
    const state = after(
      stateOf([issueRow("A")]),
      eventOf(
        "issue.commented",
        { ...comment, idempotency_key: "k", idempotency_fingerprint: "f" },
        on,
      ),
      eventOf("issue.commented", { ...comment, body: "again" }, on),
      eventOf("issue.comment_edited", { comment_uid: "K", body: "second", edited_at: AT }, on),
    );
    expect([...state.rows("comment")]).toEqual([
      { uid: "K", issue_uid: "A", author: "ann", body: "second", created_at: AT, teammate: null },
    ]);
    expect([...state.rows("idempotency")]).toMatchObject([
      { scope_uid: "A", operation: "comment" },
    ]);
  });

  test("cannot be edited through another issue", () => {
    const state = after(
      stateOf([issueRow("A"), issueRow("B")]),
      eventOf("issue.commented", comment, on),
      eventOf(
        "issue.comment_edited",
        { comment_uid: "K", body: "x", edited_at: AT },
        { issue_uid: "B" },
      ),
    );
    expect(state.comment("K")?.body).toBe("first");
  });
});

describe("links", () => {
  function keys(state: MemoryState): readonly string[] {
    return [...state.rows("link")]
      .map(({ from_uid, type, to_uid }) => `${from_uid} ${type} ${to_uid}`)
      .sort();
  }

  const ends = { from_short_id: "a", from_uid: "A", to_short_id: "b", to_uid: "B", updated_at: AT };

  test.each([
    [{ ...ends, type: "parent" }, "A parent B"],
    [{ ...ends, type: "blocks" }, "A blocks B"],
    [{ ...ends, type: "blocks", incoming: true }, "B blocks A"],
    [{ ...ends, type: "related" }, "A related B"],
    [{ ...ends, type: "related", from_uid: "B", to_uid: "A" }, "A related B"],
  ] as const)("the link %j is stored as %s", (payload, key) => {
    const state = after(
      stateOf([issueRow("A"), issueRow("B")]),
      eventOf("issue.linked", payload, { issue_uid: payload.from_uid }),
    );
    expect(keys(state)).toEqual([key]);
  });

  test("a parent link is replaced by a new parent, by each kind of event that sets a parent", () => {
    const family = (): MemoryState =>
      stateOf([issueRow("A"), issueRow("B"), issueRow("C")], [linkRow("A", "parent", "C")]);
    const linked = after(family(), eventOf("issue.linked", { ...ends, type: "parent" }, on));
    expect(keys(linked)).toEqual(["A parent B"]);
    const payload = {
      parent_set: "b",
      parent_set_uid: "B",
      parent_removed: "c",
      parent_removed_uid: "C",
    };
    const changed = after(
      family(),
      eventOf("issue.links_changed", { ...payload, updated_at: AT }, on),
    );
    expect(keys(changed)).toEqual(["A parent B"]);
  });

  test("links can be added and removed in every direction by one event", () => {
    const state = after(
      stateOf(
        ["A", "B", "C", "D", "E", "F", "G"].map((uid) => issueRow(uid)),
        [linkRow("A", "blocks", "B"), linkRow("C", "blocks", "A"), linkRow("A", "related", "D")],
      ),
      eventOf(
        "issue.links_changed",
        {
          blocks_added_uids: ["E"],
          blocks_removed_uids: ["B"],
          blocked_by_added_uids: ["F"],
          blocked_by_removed_uids: ["C"],
          related_added_uids: ["G"],
          related_removed_uids: ["D"],
          updated_at: AT,
        },
        on,
      ),
    );
    expect(keys(state)).toEqual(["A blocks E", "A related G", "F blocks A"]);
  });

  test("links are removed in their stored direction, whichever of the two issues the request named", () => {
    const state = after(
      stateOf([issueRow("A"), issueRow("B")], [linkRow("B", "blocks", "A")]),
      eventOf(
        "issue.unlinked",
        { ...ends, type: "blocks", incoming: true, link_from_uid: "B", link_to_uid: "A" },
        on,
      ),
    );
    expect(keys(state)).toEqual([]);
  });

  test("links to a missing issue are left out", () => {
    const state = after(
      stateOf([issueRow("A")]),
      eventOf("issue.linked", { ...ends, type: "blocks" }, on),
      eventOf("issue.links_changed", { related_added_uids: ["B"], updated_at: AT }, on),
    );
    expect(keys(state)).toEqual([]);
  });
});

describe("series", () => {
  const known = { last_materialized_uid: null, revision: 1, deleted_at: null };

  test("can start with an existing issue, advance to the next one, be changed, and end", () => {
    const state = stateOf([issueRow("A")]);
    const initial = { initial_issue_uid: "A", occurrence_key: "2026-02-01" };
    after(state, eventOf("recurrence.created", { ...series, ...initial }));
    expect(state.issue("A")).toMatchObject({ recurrence_uid: "R", occurrence_key: "2026-02-01" });
    expect(state.recurrence("R")).toMatchObject({ ...known, last_materialized_uid: "A" });
    const made = { ...occurrence, issue_uid: "B", next_occurrence_key: null };
    after(state, eventOf("recurrence.materialized", made));
    expect(state.recurrence("R")).toMatchObject({
      last_materialized_uid: "B",
      next_occurrence_key: null,
      revision: 2,
      updated_at: AT,
    });
    after(
      state,
      eventOf("recurrence.updated", {
        recurrence_uid: "R",
        diff: { template_owner: { to: "ann" }, template_title: { from: "a", to: "b" } },
        revision_new: 3,
        updated_at: AT,
      }),
      eventOf("recurrence.deleted", { recurrence_uid: "R", deleted_at: AT }),
    );
    expect(state.recurrence("R")).toMatchObject({
      template_owner: "ann",
      template_title: "b",
      deleted_at: AT,
      revision: 4,
    });
    expect(state.issue("A")?.recurrence_uid).toBe("R");
  });

  test("skip a day that already has its issue, and do not move if that day is past", () => {
    const state = stateOf([]);
    const exists = { existing_issue_uid: "B", reason: "already_exists" } as const;
    after(
      state,
      eventOf("recurrence.created", series),
      eventOf("recurrence.materialization_skipped", { ...occurrence, ...exists }),
    );
    expect(state.recurrence("R")).toMatchObject({ ...known, next_occurrence_key: "2026-02-01" });
    const passed = { ...occurrence, ...exists, next_occurrence_key: "2026-02-02" };
    after(state, eventOf("recurrence.materialization_skipped", passed));
    expect(state.recurrence("R")).toMatchObject({ revision: 2, next_occurrence_key: "2026-02-02" });
  });

  test("move with their project in a merge", () => {
    const state = stateOf([], [], [projectRow(), projectRow({ uid: "Q", name: "q" })]);
    after(
      state,
      eventOf("recurrence.created", series),
      eventOf(
        "project.merged",
        { source_uid: "P", source_name: "web", short_id_extensions: [] },
        { project_uid: "Q" },
      ),
    );
    expect(state.recurrence("R")?.project_uid).toBe("Q");
  });
});

describe("projects", () => {
  test("are created once, renamed, archived without their aliases, and restored", () => {
    const alias = { alias_identity: "host/web", alias_kind: "git" } as const;
    const state = foldLog([
      eventOf("project.created", { name: "web" }),
      eventOf("project.created", { name: "other" }),
      eventOf("project.alias_added", alias),
      eventOf("project.renamed", { from: "web", to: "shop" }),
      eventOf("project.metadata_updated", {
        diff: { area: { to: "home" } },
        revision_new: 2,
        updated_at: AT,
      }),
    ]);
    expect(state.project("P")).toMatchObject({
      name: "shop",
      revision: 2,
      metadata: { area: "home" },
    });
    expect(state.of("alias", "P")).toMatchObject([alias]);
    after(
      state,
      eventOf("project.removed", { alias_count: 1, open_issues: 0 }, { created_at: AT }),
    );
    expect(state.project("P")?.deleted_at).toBe(AT);
    expect(state.of("alias", "P")).toEqual([]);
    after(state, eventOf("project.restored", {}));
    expect(state.project("P")?.deleted_at).toBeNull();
  });

  test("get an alias by the event that names it, and only the owning project can remove it", () => {
    const alias = { alias_identity: "host/web", alias_kind: "git" } as const;
    const state = stateOf([], [], [projectRow(), projectRow({ uid: "Q", name: "q" })]);
    after(state, eventOf("project.alias_added", alias));
    after(state, eventOf("project.alias_removed", alias, { project_uid: "Q" }));
    expect(state.row("alias", "host/web")?.project_uid).toBe("P");
    after(state, eventOf("project.alias_removed", alias));
    expect(state.row("alias", "host/web")).toBeUndefined();
  });
});

describe("moves, merges and renames", () => {
  test("a move reserves the old short id of the issue, and returns it when the issue comes back", () => {
    const state = stateOf([issueRow("A")], [], [projectRow(), projectRow({ uid: "Q", name: "q" })]);
    const there = { from_short_id: "a", to_short_id: "ab", updated_at: AT };
    after(
      state,
      eventOf("issue.moved", { ...there, from_project_uid: "P", to_project_uid: "Q" }, on),
    );
    expect(state.issue("A")).toMatchObject({ project_uid: "Q", short_id: "ab", revision: 1 });
    expect([...state.rows("former")]).toEqual([
      { project_uid: "P", short_id: "a", issue_uid: "A" },
    ]);
    const back = { from_short_id: "ab", to_short_id: "a", updated_at: AT };
    after(
      state,
      eventOf("issue.moved", { ...back, from_project_uid: "Q", to_project_uid: "P" }, on),
    );
    expect(state.issue("A")).toMatchObject({ project_uid: "P", short_id: "a" });
    expect([...state.rows("former")]).toEqual([
      { project_uid: "Q", short_id: "ab", issue_uid: "A" },
    ]);
  });

  test("a merge takes issues, aliases and imports along, and ends the source project", () => {
    const state = stateOf(
      [issueRow("A"), issueRow("B")],
      [],
      [projectRow(), projectRow({ uid: "Q", name: "q" })],
    );
    const alias = { alias_identity: "x", alias_kind: "git", created_at: AT } as const;
    state.put("alias", { ...alias, project_uid: "P" });
    const row = { source: "s", external_id: "1", issue_uid: "A", imported_at: AT };
    state.put("import", { ...row, project_uid: "P" });
    after(state, ORPHAN_EVENTS["project.merged"]);
    expect(state.project("P")).toBeUndefined();
    expect(state.issuesOf("P")).toEqual([]);
    expect(state.issuesOf("Q").map(({ short_id }) => short_id)).toEqual(["aa", "b"]);
    expect(state.of("alias", "Q")).toEqual([{ ...alias, project_uid: "Q" }]);
    expect([...state.rows("import")]).toEqual([{ ...row, project_uid: "Q" }]);
  });

  test("a rewritten name changes authors and owners, and only a new owner makes a new revision", () => {
    const other = projectRow({ uid: "Q", name: "q" });
    const state = stateOf(
      [
        issueRow("A", { author: "ann", owner: "ann" }),
        issueRow("B", { author: "ann", owner: "Ann" }),
        issueRow("C", { author: "ann", project_uid: "Q" }),
      ],
      [linkRow("A", "blocks", "B"), linkRow("C", "blocks", "A")],
      [projectRow(), other],
    );
    after(state, ORPHAN_EVENTS["project.author_rewritten"]);
    expect(state.issue("A")).toMatchObject({ author: "bea", owner: "bea", revision: 2 });
    expect(state.issue("B")).toMatchObject({ author: "bea", owner: "Ann", revision: 1 });
    expect(state.issue("C")).toMatchObject({ author: "ann" });
    expect(state.link("A", "B", "blocks")?.author).toBe("bea");
    expect(state.link("C", "A", "blocks")?.author).toBe("ann");
  });

  test("an earlier parent stays replaced even if the later parent was purged", () => {
    const state = stateOf([issueRow("A"), issueRow("B")], [linkRow("A", "parent", "B")]);
    const ends = { from_short_id: "a", from_uid: "A", to_short_id: "z", to_uid: "Z" };
    after(state, eventOf("issue.linked", { type: "parent", ...ends, updated_at: AT }, on));
    expect(state.parentLink("A")).toBeUndefined();
  });
});

describe("events of kinds that are sent to no other daemon", () => {
  const home = Object.values(ORPHAN_EVENTS).filter(({ type }) =>
    /^(issue\.imported|claim\.|recurrence\.(?!created))/.test(type),
  );

  test.each(home.map((event) => [event.type, event] as const))(
    "%s changes no issue, so that the issue is the same on all daemons",
    (_, event) => {
      const state = stateOf([issueRow("A")]);
      after(state, event);
      expect([...state.rows("issue")]).toEqual([issueRow("A")]);
    },
  );

  test("issue.imported of an older version still moves the time of the last change", () => {
    const state = stateOf([issueRow("A")]);
    const read = { source: "beads", external_id: "bd-1", fields: {}, updated_at: AT };
    after(state, eventOf("issue.imported", read, on));
    expect(state.issue("A")?.updated_at).toBe(AT);
  });
});
