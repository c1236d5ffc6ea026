import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventDraft, Payload, StoredEvent } from "../../../src/contract/events.ts";
import {
  federationEnabled,
  issueSnapshot,
  type WholeIssue,
} from "../../../src/domain/drafts/snapshots.ts";
import { evolve } from "../../../src/domain/evolve/evolve.ts";
import type { MemoryState } from "../../../src/domain/memory.ts";
import type { IssueRow } from "../../../src/domain/state.ts";
import { draftsOf, P, Q, steps } from "../../store/random-events.ts";
import { ORPHAN_EVENTS, snapshot } from "../orphan-events.ts";
import { eventOf, issueRow, linkRow, projectRow, stateOf } from "../rows.ts";

const AT = "2026-03-03T00:00:00.000Z";
const ACT = { actor: "ann", now: AT };

describe("a snapshot of an issue", () => {
  test("creates the issue with its labels, comments and links if the issue is unknown", () => {
    const state = after(stateOf([issueRow("B"), issueRow("C")]), snapshotOf());
    expect(state.issue("A")).toEqual({
      ...issueRow("A"),
      short_id: "a",
      title: "one",
      body: "text",
      author: "ann",
      owner: "cyd",
      metadata: { note: 1 },
      revision: 7,
      created_at: AT,
      updated_at: AT,
    });
    expect(state.label("A", "x")).toMatchObject({ author: "cyd", created_at: AT });
    expect(state.comment("L")).toMatchObject({ issue_uid: "A", body: "new", teammate: null });
    expect(state.link("A", "B", "parent")).toMatchObject({ author: "cyd", created_at: AT });
    expect(state.link("A", "C", "blocks")).toMatchObject({ author: "cyd", created_at: AT });
  });

  const known: Partial<IssueRow> = {
    short_id: "old1",
    author: "bea",
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-09-09T00:00:00.000Z",
    recurrence_uid: "R",
    occurrence_key: "2026-01-01",
  };
  test.each<[string, Partial<IssueRow>, Partial<Payload<"issue.snapshot">>, Partial<IssueRow>]>([
    ["overwrites the texts", { title: "x", body: "y" }, {}, { title: "one", body: "text" }],
    [
      "takes away an owner that it does not name",
      { owner: "bea" },
      { owner: undefined },
      { owner: null },
    ],
    ["takes away a priority that it does not name", { priority: 1 }, {}, { priority: null }],
    [
      "takes away metadata that it does not name",
      { metadata: { a: 1 } },
      {},
      { metadata: { note: 1 } },
    ],
    [
      "opens an issue that it calls open",
      { status: "closed", closed_reason: "done", closed_at: AT },
      {},
      { status: "open", closed_reason: null, closed_at: null },
    ],
    [
      "closes an issue that it calls closed",
      {},
      { status: "closed", closed_reason: "done", closed_at: AT },
      { status: "closed", closed_reason: "done", closed_at: AT },
    ],
    ["deletes an issue that it calls deleted", {}, { deleted_at: AT }, { deleted_at: AT }],
    [
      "restores an issue that it does not call deleted",
      { deleted_at: AT },
      {},
      { deleted_at: null },
    ],
    ["sets the revision, also to a lower one", { revision: 9 }, {}, { revision: 7 }],
    [
      "keeps the first author and time of creation, the series and the later time of a change",
      known,
      {},
      { ...known, short_id: "a" },
    ],
    ["sets the short id that the hub gave", { short_id: "old1" }, {}, { short_id: "a" }],
    [
      "keeps the short id in another project",
      { short_id: "old1", project_uid: "Q" },
      {},
      { short_id: "old1", project_uid: "Q" },
    ],
    [
      "names the series and the day of the issue",
      {},
      { recurrence_uid: "S", occurrence_key: "2026-02-02" },
      { recurrence_uid: "S", occurrence_key: "2026-02-02" },
    ],
    [
      "moves the time of the last change forward",
      { updated_at: "2026-01-01T00:00:00.000Z" },
      {},
      { updated_at: AT },
    ],
  ])("%s", (_, before, fields, expected) => {
    const state = after(stateOf([issueRow("A", before)]), snapshotOf(fields));
    expect(state.issue("A")).toMatchObject(expected);
  });

  test("adds labels, comments and links, and removes and changes none", () => {
    const links = [linkRow("A", "blocks", "D"), linkRow("A", "blocks", "C")];
    const state = stateOf([issueRow("A"), issueRow("C"), issueRow("D")], links);
    const comment = { issue_uid: "A", author: "bea", created_at: AT, teammate: null };
    state.put("comment", { uid: "K", body: "first", ...comment });
    state.put("comment", { uid: "M", body: "second", ...comment });
    state.put("label", { issue_uid: "A", label: "x", author: "bea", created_at: AT });
    state.put("label", { issue_uid: "A", label: "z", author: "bea", created_at: AT });
    after(state, snapshotOf());
    expect([...state.rows("label")].map(({ label, author }) => [label, author])).toEqual([
      ["x", "bea"],
      ["z", "bea"],
      ["y", "cyd"],
    ]);
    expect([...state.rows("comment")].map(({ uid, body }) => [uid, body])).toEqual([
      ["K", "first"],
      ["M", "second"],
      ["L", "new"],
    ]);
    expect(state.linksOf("A").map(({ to_uid, author }) => [to_uid, author])).toEqual([
      ["D", "ann"],
      ["C", "ann"],
    ]);
  });

  test("replaces another parent of the issue by the parent that the snapshot names", () => {
    const state = stateOf(
      [issueRow("A"), issueRow("B"), issueRow("C")],
      [linkRow("A", "parent", "C")],
    );
    expect(after(state, snapshotOf()).parentLink("A")?.to_uid).toBe("B");
  });

  test("records the ids that the issue has in other trackers, and no idempotency key", () => {
    const sources = [
      { source: "beads", external_id: "bd-1", imported_at: AT },
      { source: "github", external_id: "7", imported_at: AT },
    ];
    const state = after(stateOf([]), snapshotOf({ sources }));
    expect([...state.rows("import")]).toEqual(
      sources.map((source) => ({ ...source, project_uid: "P", issue_uid: "A" })),
    );
    expect([...state.rows("idempotency")]).toEqual([]);
  });

  test("gives the issue the short id that this database assigned to it", () => {
    const event = { ...snapshotOf(), assigned_ids: { A: { P: "aa" } } };
    expect(after(stateOf([]), event).issue("A")?.short_id).toBe("aa");
  });
});

describe("the first event of a baseline", () => {
  const spent = { purged_uids: ["X"], spent_short_ids: ["x1"], former_short_ids: [] };
  const project = projectRow({ metadata: { color: "red" }, revision: 4 });

  test("sets the metadata and the revision of the project, and keeps its name", () => {
    const state = stateOf([], [], [projectRow({ name: "mine", metadata: { old: 1 } })]);
    after(state, stored(federationEnabled(project, spent, ACT)));
    expect(state.project("P")).toEqual({ ...project, name: "mine" });
  });

  test("leaves the metadata of the project unchanged if the event names none", () => {
    const payload = { project_uid: "P", project_name: "web", ...spent };
    const state = stateOf([], [], [project]);
    after(state, eventOf("project.federation_enabled", payload));
    expect(state.project("P")).toEqual(project);
  });
});

describe("a snapshot of a definition or a run", () => {
  const job = ORPHAN_EVENTS["cron.job.snapshot"];
  const at = { ...job, project_uid: "P" };

  test("creates a job with the event and the revision that the job had on the daemon that wrote the snapshot", () => {
    expect(after(stateOf([]), at).row("cron_jobs", "J")).toMatchObject({
      project_uid: "P",
      definition_event_uid: "E",
      definition_hlc: { physical_ms: 5 },
      revision: 4,
      parent_uid: null,
    });
  });

  test.each([
    ["an older version is replaced", 4, "E", 4],
    ["the same version stays as it is", 5, "E", 9],
    ["a newer version stays as it is", 6, "E", 9],
    ["of two versions with one clock the one with the larger uid wins", 5, "D", 4],
  ])("is compared with the job that exists here: %s", (_, physical_ms, uid, revision) => {
    const state = after(stateOf([]), at);
    const row = state.row("cron_jobs", "J");
    if (row === undefined) throw new Error("there is no job");
    const clock = { ...row.definition_hlc, physical_ms };
    state.put("cron_jobs", {
      ...row,
      definition_event_uid: uid,
      definition_hlc: clock,
      revision: 9,
    });
    expect(after(state, at).row("cron_jobs", "J")?.revision).toBe(revision);
  });

  test("creates a workflow and a run", () => {
    const state = after(stateOf([]), {
      ...ORPHAN_EVENTS["cron.workflow.snapshot"],
      project_uid: "P",
    });
    after(state, { ...ORPHAN_EVENTS["cron.run.snapshot"], project_uid: "P" });
    expect(state.row("cron_workflows", "J")).toMatchObject({ revision: 4 });
    expect(state.row("cron_runs", "R")).toMatchObject({ status: "running", day: "2026-03-03" });
  });
});

describe("snapshots of random issues", () => {
  test("snapshots contain everything that is sent to other daemons", () => {
    fc.assert(
      fc.property(steps, (some) => {
        const whole = folded(started(), some);
        expect(portable(joined(whole))).toEqual(portable(whole));
      }),
    );
  });

  test("snapshots and the events after them give the same rows as all events", () => {
    fc.assert(
      fc.property(steps, steps, (before, later) => {
        const whole = folded(started(), before);
        // A link that starts at a missing issue is in no snapshot. In a federation the project of that issue has it.
        fc.pre(
          [...whole.rows("waiting_link")].every(
            ({ from_uid }) => whole.issue(from_uid) !== undefined,
          ),
        );
        const replica = joined(whole);
        folded(whole, later, (event) => replica.apply(evolve(replica, event)));
        expect(portable(replica)).toEqual(portable(whole));
      }),
    );
  });

  test("snapshots change no row of the daemon that wrote them", () => {
    fc.assert(
      fc.property(steps, (some) => {
        const whole = folded(started(), some);
        const before = portable(whole);
        for (const event of baselineOf(whole)) after(whole, event);
        expect(portable(whole)).toEqual(before);
      }),
    );
  });
});

function snapshotOf(
  fields: Partial<Payload<"issue.snapshot">> = {},
): StoredEvent<"issue.snapshot"> {
  return eventOf("issue.snapshot", { ...snapshot, ...fields }, { issue_uid: "A" });
}

function after(state: MemoryState, event: StoredEvent): MemoryState {
  state.apply(evolve(state, event));
  return state;
}

function stored(draft: EventDraft): StoredEvent {
  const { type, payload, ...fields } = draft;
  return eventOf(type, payload, fields);
}

function started(): MemoryState {
  return stateOf([], [], [projectRow({ uid: P }), projectRow({ uid: Q })]);
}

/** Applies the events of the steps to the state, each of which may be passed on. */
function folded(
  state: MemoryState,
  some: Parameters<typeof draftsOf>[1][],
  passOn: (event: StoredEvent) => void = () => undefined,
): MemoryState {
  for (const step of some)
    for (const draft of draftsOf(state, step)) {
      const event = stored(draft);
      after(state, event);
      passOn(event);
    }
  return state;
}

/** A replica that has only the snapshots. Their links wait for the issues that come later. */
function joined(whole: MemoryState): MemoryState {
  const replica = stateOf([], [], [...whole.rows("project")]);
  for (const event of baselineOf(whole)) after(replica, event);
  return replica;
}

function baselineOf(state: MemoryState): readonly StoredEvent[] {
  return [...state.rows("issue")].map((issue) => stored(issueSnapshot(wholeOf(state, issue), ACT)));
}

function wholeOf(state: MemoryState, issue: IssueRow): WholeIssue {
  const own = (row: { readonly issue_uid: string }): boolean => row.issue_uid === issue.uid;
  return {
    issue,
    labels: [...state.rows("label")].filter(own),
    comments: [...state.rows("comment")].filter(own),
    imports: [...state.rows("import")].filter(own),
    root: [...state.rows("external_root")].find(own),
    links: [...state.linksOf(issue.uid), ...state.waitingLinksOf(issue.uid)].filter(
      ({ from_uid }) => from_uid === issue.uid,
    ),
  };
}

/** The rows that cross to other daemons, sorted. */
function portable(state: MemoryState) {
  const tables = ["issue", "label", "comment", "link", "import", "external_root"] as const;
  return tables.map((table) => [...state.rows(table)].map((row) => JSON.stringify(row)).sort());
}
