import { describe, expect, test } from "vitest";
import { bridgeChoices } from "../../src/screen/detail/bridge-choices.ts";
import { bridgeRows } from "../../src/screen/detail/bridge-rows.ts";
import { bridgeWords } from "../../src/screen/detail/bridge-words.ts";
import { issueViewOf } from "../../src/screen/detail/shown.ts";
import type { Bridge, DetailPart } from "../../src/screen/detail/state.ts";
import { rootText, whyOwned } from "../../src/screen/issues/root.ts";
import { commandOf } from "../../src/screen/writes/command-line.ts";
import { ASKED, BOUND, bridge, bridged, CONFLICT, event, ROOT, read } from "../tui/bridged.ts";
import { text } from "../tui/picture.ts";
import { issue, type Session, screen } from "../tui/support.ts";

/** The rows of the bound issue with these parts of its detail, as `name: text`. */
function rowsOf(part: DetailPart, root = ROOT): readonly string[] {
  const { state } = bridged(80, 24, part, root);
  const shown = issueViewOf(state, BOUND.uid, state.detail.known.get(BOUND.uid));
  return shown === undefined
    ? []
    : bridgeRows(shown, bridgeWords(state)).map(
        ({ name, text: said, tone = "" }) => `${tone} ${name}: ${said}`,
      );
}

const PENDING = { pending_comment_uid: "01JC1" };

describe("what the detail of an issue says of its bridge", () => {
  test.each<[string, Partial<Bridge>, readonly string[]]>([
    ["it runs", {}, [" root: tickets, open there, reconciled 1h ago"]],
    [
      "it has not run yet",
      { last_success_at: undefined, last_external_state: undefined },
      [" root: tickets"],
    ],
    [
      "a person has paused it",
      { enabled: false, paused_reason: "holidays" },
      ["warn root: tickets, paused: holidays, open there, reconciled 1h ago"],
    ],
    [
      "the daemon has paused it",
      { enabled: false, paused_reason: "external_root_missing" },
      ["warn root: tickets, paused: the record is gone, open there, reconciled 1h ago"],
    ],
    [
      "a person has paused it with the name of something that each object has",
      { enabled: false, paused_reason: "constructor" },
      ["warn root: tickets, paused: constructor, open there, reconciled 1h ago"],
    ],
    [
      "its runs fail",
      {
        ...{ last_error: "external connector request failed: not_now", consecutive_failures: 3 },
        next_attempt_at: "2026-11-21T10:04:00.000Z",
      },
      [
        " root: tickets, open there, reconciled 1h ago",
        "error error: external connector request failed: not_now, failures: 3, again in 4m",
      ],
    ],
    [
      "its next run is due, and has not begun",
      {
        ...{ last_error: "it failed", consecutive_failures: 1 },
        next_attempt_at: "2026-11-21T10:00:00.000Z",
      },
      [
        " root: tickets, open there, reconciled 1h ago",
        "error error: it failed, failures: 1, again soon",
      ],
    ],
    [
      "a run failed, and a later one did not",
      { last_error: "old", consecutive_failures: 0 },
      [" root: tickets, open there, reconciled 1h ago"],
    ],
    [
      "a comment may have arrived or not",
      { pending_comment_uid: "01JC1" },
      [
        " root: tickets, open there, reconciled 1h ago",
        'warn comment: "is it fixed?" of ana: whether it reached tickets is not known',
      ],
    ],
    [
      "dates differ",
      { field_conflicts: [CONFLICT] },
      [
        " root: tickets, open there, reconciled 1h ago",
        "warn conflict: deadline_on: 2026-12-01 here, 2026-12-03T10:00:00 Europe/Berlin there, since 2h ago",
      ],
    ],
    [
      "one side has no date, the other no valid one",
      { field_conflicts: [{ field: "scheduled_on", local_candidate: { kind: "null" } }] },
      [
        " root: tickets, open there, reconciled 1h ago",
        "warn conflict: scheduled_on: no date here, no valid date there",
      ],
    ],
  ])("%s", (_, more, expected) => {
    expect(rowsOf({ bridge: bridge(more) })).toEqual(expected);
  });

  test("is one line of at most 160 characters for each text of others, without marks of direction", () => {
    const long = `a\n\u202eb\t\u0007${"x".repeat(4096)}`;
    const rows = rowsOf({ bridge: bridge({ last_error: long, consecutive_failures: 1 }) });
    expect(rows[1]).toBe(`error error: a b ${"x".repeat(156)}..., failures: 1`);
  });

  test("names the connector of a copy's root, which its hub has sent, on one line without marks of direction", () => {
    const root = { connector_instance: "tick\u202eets\n\u200fthere", enabled: false };
    const name = "tick ets there";
    expect(rowsOf({}, root)).toEqual([`warn root: ${name}, paused`]);
    const [, comment] = rowsOf({ events: [event(1, "issue.external_root_bound", PENDING)] }, root);
    expect(comment).toContain(`whether it reached ${name} is not known`);
    expect(rootText(root)).toBe(`${name}, paused`);
    expect(whyOwned([{ ...BOUND, external_root: root }])).toContain(` in ${name} owns `);
    const long = { connector_instance: "\u{1F600}".repeat(161), enabled: true };
    expect(rootText(long)).toBe(`${"\u{1F600}".repeat(160)}...`);
    expect(rootText({ ...long, connector_instance: "x".repeat(160) })).toBe("x".repeat(160));
  });

  test.each<[string, DetailPart, readonly string[]]>([
    ["before it is read", {}, [" root: tickets"]],
    [
      "if it cannot be read",
      { bridge: undefined, bridgeError: "not allowed" },
      [" root: tickets", " bridge: not allowed"],
    ],
  ])("comes from the issue %s", (_, part, expected) => {
    expect(rowsOf(part)).toEqual(expected);
  });

  test("comes from the events if it cannot be read: pauses, conflicts and a comment, but no values", () => {
    const events = [
      event(1, "issue.external_root_bound", {}),
      event(2, "issue.external_field_conflicted", { svc_field: "deadline_on" }),
      event(3, "issue.external_field_conflicted", { svc_field: "scheduled_on" }),
      event(4, "issue.external_field_resolved", {
        ...{ svc_field: "scheduled_on", pending_comment_uid: "01JC1" },
      }),
      event(5, "issue.labeled", { label: "bug" }),
    ];
    expect(rowsOf({ events, bridgeError: "not allowed" })).toEqual([
      " root: tickets",
      'warn comment: "is it fixed?" of ana: whether it reached tickets is not known',
      "warn conflict: deadline_on differs here and there, since 1h ago",
      " bridge: not allowed",
    ]);
    const paused = event(6, "issue.external_root_paused", { reason: "project_archived" });
    expect(rowsOf({ events: [...events, paused] }, { ...ROOT, enabled: false })[0]).toBe(
      "warn root: tickets, paused: its project was archived",
    );
    const again = event(7, "issue.external_root_bound", {});
    expect(rowsOf({ events: [...events, again] })).toEqual([" root: tickets"]);
  });

  test("is nothing for an issue without a root", () => {
    const { state } = screen(80, 24, [issue(1)]);
    const shown = issueViewOf(state, issue(1).uid, undefined);
    expect(shown && bridgeRows(shown, bridgeWords(state))).toEqual([]);
  });
});

test.each<[string, Partial<Bridge>, readonly string[]]>([
  ["enabled", {}, ["reconcile", "pause"]],
  ["paused", { enabled: false }, ["resume"]],
  [
    "enabled, with dates that differ",
    { field_conflicts: [CONFLICT] },
    [...["deadline_on local", "deadline_on external"], ...["reconcile", "pause"]],
  ],
  ["paused, with dates that differ", { enabled: false, field_conflicts: [CONFLICT] }, ["resume"]],
  [
    "paused, with a comment that may have arrived",
    { enabled: false, pending_comment_uid: "C" },
    [...["comment retry", "comment adopt", "comment skip", "resume"]],
  ],
])("a bridge that is %s has these choices", (_, more, expected) => {
  expect(bridgeChoices(bridge(more)).map(({ word }) => word)).toEqual(expected);
});

/** The commands that do the same as the writes that the last key has sent. */
const sent = ({ writes }: Session): readonly string[] =>
  writes.map((write) => commandOf(write, "ana"));

describe("the key of a bridge", () => {
  test.each<[string, readonly string[], string]>([
    ["reconcile", [], "svc bridge reconcile product#k001"],
    ["pause", ["moving house"], "svc bridge pause product#k001 --reason 'moving house'"],
    ["pause", [""], "svc bridge pause product#k001"],
    ["deadline_on local", [], "svc bridge resolve-field product#k001 deadline_on --use local"],
    [
      "deadline_on external",
      [],
      "svc bridge resolve-field product#k001 deadline_on --use external",
    ],
    ["comment retry", [], "svc bridge resolve-comment product#k001 --retry"],
    ["comment skip", [], "svc bridge resolve-comment product#k001 --skip"],
    ["comment adopt", ["c 7"], "svc bridge resolve-comment product#k001 --adopt 'c 7'"],
  ])("offers to %s, and sends it with what is typed: %j", (word, more, command) => {
    const session = ASKED().keys("F").type(word).keys("enter");
    for (const line of more) session.type(line).keys("enter");
    expect(sent(session)).toEqual([command]);
  });

  test("resumes a bridge that is paused", () => {
    const session = bridged(80, 24, { bridge: bridge({ enabled: false }) });
    expect(sent(session.keys("F").type("resume").keys("enter"))).toEqual([
      "svc bridge resume product#k001",
    ]);
  });

  test("sends nothing for words that are no choice, or before the id of a comment is typed", () => {
    const wrong = ASKED().keys("F").type("resume").keys("enter");
    expect(sent(wrong)).toEqual([]);
    expect(text(wrong)).toContain("choose one of the lines");
    const adopted = ASKED().keys("F").type("comment adopt").keys("enter", "enter");
    expect(sent(adopted)).toEqual([]);
    expect(text(adopted)).toContain("nothing was typed");
  });

  test.each<[string, () => Session, string]>([
    ["the issue has no root", () => screen(80, 24, [issue(1)]), "it has no root"],
    ["the bridge is not read", () => bridged(80, 24, {}), "its bridge is not read yet"],
    ["the caller may not", () => bridged(80, 24, { bridgeError: "not allowed" }), "not allowed"],
  ])("says why it can do nothing if %s", (_, session, why) => {
    const asked = session().keys("F");
    expect(asked.state.dialog).toBeUndefined();
    expect(text(asked)).toContain(why);
  });

  test("is found in the palette, where the choice can be typed behind its name", () => {
    const session = ASKED().keys(":").type("bridge reconcile").keys("enter");
    expect(sent(session)).toEqual(["svc bridge reconcile product#k001"]);
  });
});

describe("the answer of a bridge", () => {
  const reconciled = (): Session => ASKED().keys("F").type("reconcile").keys("enter");
  const KEPT = "what was asked of a bridge is not taken back";
  const idOf = ({ state }: Session): number => state.writes.sent[0]?.id ?? 0;

  test("is told in the words of the run, without an undo", () => {
    const session = reconciled();
    session.tell({ type: "written", id: idOf(session), issue: undefined, said: "it went well" });
    expect(text(session)).toContain("it went well");
    expect(session.state.writes.undo).toEqual([]);
    expect(session.effects).toContainEqual({ effect: "load-detail", uid: BOUND.uid, now: true });
  });

  test("is not waited for by an undo, which says why, and offers the change before", () => {
    const only = reconciled().keys("u");
    expect(text(only)).toContain(KEPT);
    expect(only.state.writes.toReverse.size).toBe(0);
    const session = bridged(160, 24, { bridge: bridge() }).keys("x");
    const closed = { ...BOUND, status: "closed" } as const;
    session.tell({ type: "written", id: idOf(session), issue: closed });
    session.keys("F").type("reconcile").keys("enter", "u");
    expect(text(session)).toContain(`${KEPT}; u again reopens product#k001`);
    expect(session.keys("u").writes).toMatchObject([{ act: "reopen" }]);
  });

  test("is told if it is a refusal; then the bridge is read again, and other changes stay possible", () => {
    const session = reconciled();
    const refused = { type: "refused", code: "connector_error", text: "it failed" } as const;
    session.tell({ ...refused, id: idOf(session), forbidden: false });
    expect(text(session)).toContain("it failed");
    expect(session.effects).toContainEqual({ effect: "load-detail", uid: BOUND.uid, now: true });
    expect(session.state.connection.readOnly).toBeUndefined();
  });
});

describe("the bridge of an issue", () => {
  const load = (wait: number) => ({
    ...({ effect: "load-bridge", uid: BOUND.uid, project_id: 1 } as const),
    wait,
  });

  test("is asked for with the detail of an issue that has a root, and of no other", () => {
    const session = screen(80, 24, [BOUND, issue(2)]);
    const tell = (detail: DetailPart) => session.tell({ type: "detail", uid: BOUND.uid, detail });
    expect(tell(read(ROOT))).toEqual([load(0)]);
    expect(tell(read(undefined))).toEqual([]);
    expect(tell({ runs: undefined })).toEqual([]);
  });

  test("is read again every 30 seconds while it is shown, since a run that fails writes no event", () => {
    const session = bridged(80, 24, {});
    const tell = (detail: DetailPart) => session.tell({ type: "detail", uid: BOUND.uid, detail });
    expect(tell({ bridge: bridge() })).toEqual([load(30_000)]);
    expect(tell({ bridge: undefined, bridgeError: "not allowed" })).toEqual([]);
    session.keys("esc");
    expect(tell({ bridge: bridge() })).toEqual([]);
    expect(session.keys("enter").effects).toContainEqual({
      ...{ effect: "load-detail", uid: BOUND.uid, now: true },
    });
  });
});

describe("what the root of an issue owns", () => {
  const OWNED = "the root of product#k001 in tickets owns title and text";

  test.each([
    ["edit its title and text", ["e"]],
    ["delete it", ["delete"]],
    ["tick a task of its text", ["T"]],
  ])("is not changed here: a person who would %s is told why", (_, keys) => {
    const task = { ...BOUND, body: "- [ ] one" };
    const owned = screen(120, 24, [task]).keys(...keys);
    expect(owned.state.dialog).toBeUndefined();
    expect(owned.writes).toEqual([]);
    expect(text(owned)).toContain(OWNED);
    const { external_root: _root, ...free } = task;
    const other = screen(120, 24, [free]).keys(...keys);
    expect(other.state.dialog !== undefined || other.writes.length > 0).toBe(true);
  });

  test("is named if one of several marked issues has a root", () => {
    const session = screen(120, 24, [issue(2), BOUND]);
    session.state = { ...session.state, marks: new Set([issue(2).uid, BOUND.uid]) };
    expect(text(session.keys("delete"))).toContain(OWNED);
  });

  test("includes comments that came from there, also under the person's own name", () => {
    const source = { connector_instance: "tickets" };
    const commented = event(1, "issue.commented", { comment_uid: "01JC1", source });
    const own = bridged(80, 24, { events: [] }).keys("C");
    expect(own.state.dialog).toMatchObject({ dialog: "form" });
    const imported = bridged(120, 24, { events: [commented] }).keys("L", "enter", "C");
    expect(imported.state.dialog).toBeUndefined();
    expect(text(imported)).toContain("none of the comments is yours");
  });

  test("leaves an issue without a root as it was", () => {
    expect(screen(80, 24, [issue(1)]).keys("e").state.dialog).toMatchObject({ dialog: "form" });
  });
});
