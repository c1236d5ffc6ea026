import { describe, expect, test } from "vitest";
import { EVENT_KINDS, type EventKind } from "../../src/contract/event-kinds.ts";
import type { StoredEvent } from "../../src/contract/events.ts";
import { evolve, touches } from "../../src/domain/evolve/evolve.ts";
import type { MemoryState } from "../../src/domain/memory.ts";
import type { LinkRow } from "../../src/domain/state.ts";
import { ORPHAN_EVENTS } from "./orphan-events.ts";
import { issueRow, linkRow, stateOf } from "./rows.ts";

const AT = "2026-03-03T00:00:00.000Z";

describe("an event whose subject is missing", () => {
  const kinds = Object.keys(EVENT_KINDS) as EventKind[];

  const makers: readonly EventKind[] = [
    "project.created",
    "issue.created",
    "issue.snapshot",
    "token.created",
  ];
  test.each(kinds.filter((kind) => !makers.includes(kind)))("%s changes nothing", (kind) => {
    expect(evolve(stateOf([], [], []), ORPHAN_EVENTS[kind])).toEqual([]);
    expect(touches(ORPHAN_EVENTS[kind])).toBeDefined();
  });
});

describe("the touched rows of an event", () => {
  test.each(Object.keys(EVENT_KINDS) as EventKind[])(
    "%s include every row that its evolver reads",
    (kind) => {
      const event = ORPHAN_EVENTS[kind];
      const whole = stateOf(
        [issueRow("A"), issueRow("B"), issueRow("C")],
        [linkRow("A", "parent", "C"), linkRow("A", "blocks", "B"), linkRow("A", "blocks", "C")],
      );
      whole.put("label", { issue_uid: "A", label: "x", author: "a", created_at: AT });
      whole.put("alias", {
        alias_identity: "x",
        alias_kind: "git",
        project_uid: "P",
        created_at: AT,
      });
      whole.put("comment", {
        uid: "K",
        issue_uid: "A",
        author: "a",
        body: "b",
        created_at: AT,
        teammate: null,
      });
      whole.put("external_root", {
        issue_uid: "A",
        binding_uid: "R",
        connector_instance: "notes",
        enabled: 1,
      });
      expect(evolve(loaded(whole, event), event)).toEqual(evolve(whole, event));
    },
  );
});

/** Loads only the rows that the event declares it touches, and the issues at the ends of a parent or a waiting link. */
function loaded(whole: MemoryState, event: StoredEvent): MemoryState {
  const part = stateOf([], [], []);
  const named = touches(event);
  const copy = <T>(row: T | undefined, put: (row: T) => void): void => {
    if (row !== undefined) put(row);
  };
  for (const uid of named.projects ?? [])
    copy(whole.project(uid), (row) => part.put("project", row));
  for (const uid of named.issues ?? []) copy(whole.issue(uid), (row) => part.put("issue", row));
  for (const uid of named.comments ?? [])
    copy(whole.comment(uid), (row) => part.put("comment", row));
  for (const [uid, label] of named.labels ?? [])
    copy(whole.label(uid, label), (row) => part.put("label", row));
  for (const [from, to, type] of named.links ?? [])
    copy(whole.link(from, to, type), (row) => part.put("link", row));
  const copyLink = (table: "link" | "waiting_link", row: LinkRow): void => {
    part.put(table, row);
    for (const uid of [row.from_uid, row.to_uid])
      copy(whole.issue(uid), (issue) => part.put("issue", issue));
  };
  for (const uid of named.parentsOf ?? [])
    copy(whole.parentLink(uid), (row) => copyLink("link", row));
  for (const uid of named.waitingOf ?? [])
    for (const row of whole.waitingLinksOf(uid)) copyLink("waiting_link", row);
  for (const identity of named.rows?.alias ?? [])
    copy(whole.row("alias", identity), (row) => part.put("alias", row));
  for (const uid of named.rows?.external_root ?? [])
    copy(whole.row("external_root", uid), (row) => part.put("external_root", row));
  for (const uid of named.of?.alias ?? [])
    for (const row of whole.of("alias", uid)) part.put("alias", row);
  for (const uid of named.issuesOf ?? [])
    for (const row of whole.issuesOf(uid)) part.put("issue", row);
  for (const uid of named.of?.import ?? [])
    for (const row of whole.of("import", uid)) part.put("import", row);
  for (const [uid, name] of named.authored ?? []) {
    const { issues, comments, links } = whole.authored(uid, name);
    for (const row of issues) part.put("issue", row);
    for (const row of comments) part.put("comment", row);
    for (const row of links) part.put("link", row);
  }
  return part;
}
