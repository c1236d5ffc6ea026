import { describe, expect, test } from "vitest";
import { EVENT_KINDS, type EventKind } from "../../src/contract/event-kinds.ts";
import type { StoredEvent } from "../../src/contract/events.ts";
import { evolve } from "../../src/domain/evolve/evolve.ts";
import { LOCAL_COLUMNS } from "../../src/domain/federation/crossing.ts";
import { wireOf } from "../../src/domain/federation/wire.ts";
import type { MemoryState } from "../../src/domain/memory.ts";
import type { FoldedTable } from "../../src/domain/tables/tables.ts";
import { ORPHAN_EVENTS } from "./orphan-events.ts";
import { eventOf, issueRow, linkRow, projectRow, stateOf } from "./rows.ts";

/** Kinds that never happen in a federated project: it is neither merged nor moved, and its authors are not rewritten. */
const REFUSED: readonly EventKind[] = [
  "project.merged",
  "project.author_rewritten",
  "issue.moved",
  // Made before the project is federated, and never again.
  "project.created",
];

const HOME = (Object.keys(EVENT_KINDS) as EventKind[]).filter(
  (kind) => wireOf(kind) === undefined && !REFUSED.includes(kind),
);

const AT = "2026-03-03T00:00:00.000Z";
const EARLIER = "2026-01-01T00:00:00.000Z";

/** What other daemons have of a project with rows of all kinds, and what the event may refer to. */
function given(): MemoryState {
  const state = stateOf(
    [issueRow("A", { updated_at: EARLIER }), issueRow("B"), issueRow("C")],
    [linkRow("A", "parent", "C"), linkRow("A", "blocks", "B")],
    [projectRow(), projectRow({ uid: "gone", name: "gone" })],
  );
  state.put("label", { issue_uid: "A", label: "x", author: "a", created_at: AT });
  const comment = { issue_uid: "A", author: "a", body: "b", created_at: AT, teammate: null };
  state.put("comment", { uid: "K", ...comment });
  const alias = { alias_identity: "x", alias_kind: "git", project_uid: "P" } as const;
  state.put("alias", { ...alias, created_at: AT });
  state.apply(evolve(state, ORPHAN_EVENTS["recurrence.created"]));
  state.apply(evolve(state, ORPHAN_EVENTS["claim.acquired"]));
  return state;
}

/** The rows that cross, without the columns that do not. */
function portable(state: MemoryState): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(LOCAL_COLUMNS).map(([table, local]: [string, readonly string[]]) => [
      table,
      [...state.rows(table as FoldedTable)]
        .map((row) =>
          JSON.stringify(Object.entries(row).filter(([column]) => !local.includes(column))),
        )
        .sort(),
    ]),
  );
}

const adopting = {
  ...ORPHAN_EVENTS["recurrence.created"],
  payload: {
    ...(ORPHAN_EVENTS["recurrence.created"] as StoredEvent<"recurrence.created">).payload,
    ...{ initial_issue_uid: "A", occurrence_key: "2026-03-03" },
  },
} as StoredEvent;
const known = eventOf(
  "issue.imported",
  { source: "github", fields: {}, external_ids: ["issue:1"] } as never,
  { issue_uid: "A" },
);

describe("an event of a kind that stays on its daemon", () => {
  test.each(HOME.filter((kind) => kind !== "issue.imported"))(
    "the event %s changes no column that crosses to other daemons",
    (kind) => {
      const state = given();
      const before = portable(state);
      state.apply(evolve(state, ORPHAN_EVENTS[kind]));
      expect(portable(state)).toEqual(before);
    },
  );

  test("the adoption of an issue by a series changes only the issue's place in the series", () => {
    const state = given();
    const before = portable(state);
    state.apply(evolve(state, adopting));
    expect(state.issue("A")).toMatchObject({ occurrence_key: "2026-03-03" });
    expect(portable(state)).toEqual(before);
  });

  test("an event that records a mapping of an import changes no issue, and a later import finds the issue by that mapping", () => {
    const state = given();
    const { import: before, ...rest } = portable(state);
    state.apply(evolve(state, known));
    const { import: after, ...others } = portable(state);
    expect(others).toEqual(rest);
    expect(after).toHaveLength((before?.length ?? 0) + 1);
  });
});
