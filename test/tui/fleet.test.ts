import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import { bySilence, fleetRow, fleetRows } from "../../src/screen/fleet/fleet.ts";
import type { FleetRow } from "../../src/screen/fleet/state.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { golden } from "../support/golden.ts";
import { issue, NOW, type Session, screen } from "./support.ts";

const PLAIN = painter("none");
const MINUTE = 60_000;
const ago = (minutes: number): string => msToInstant(instantToMs(NOW) - minutes * MINUTE);

function held(number: number, holder: string, more: Partial<FleetRow> = {}): FleetRow {
  const { uid, project_id, short_id: ref, qualified_id: name, title } = issue(number);
  return {
    at: { uid, project_id, ref, name },
    title,
    status: "open",
    holder,
    owner: holder,
    since: ago(120),
    lease: undefined,
    last: { kind: "issue.commented", at: ago(5), uid },
    ...more,
  };
}

const lease = (minutesLeft: number | undefined) => ({
  expires_at: minutesLeft === undefined ? undefined : ago(-minutesLeft),
  fence: 3,
  purpose: "",
});

/** bo, and zoe who never did anything, are silent for longer than a quarter of an hour. */
const rows = (): readonly FleetRow[] => [
  held(1, "claude", { lease: { ...lease(12), purpose: "rotate the keys" } }),
  held(2, "codex", { lease: lease(undefined), owner: "dan", last: last(1, "claim.acquired") }),
  held(3, "bo", { last: last(16) }),
  held(4, "zoe", { last: undefined, since: ago(60) }),
  held(5, "late", { lease: lease(-1), last: last(14) }),
];

function last(minutes: number, kind = "issue.closed") {
  return { kind, at: ago(minutes), uid: issue(9).uid };
}

function fleet(columns: number, height: number, all = rows()): Session {
  const session = screen(columns, height).keys("6");
  return told(session, all);
}

function told(session: Session, all: readonly FleetRow[]): Session {
  const fleetOf = { rows: bySilence(all), truncated: false, error: undefined };
  session.tell({ type: "fleet", project_id: 1, fleet: fleetOf });
  return session;
}

const event = (kind: string, actor: string, number = 9) => ({
  id: 1,
  kind,
  actor,
  at: NOW,
  project_id: 1,
  uid: issue(number).uid,
  uids: [issue(number).uid],
  description: kind,
});

const holders = ({ state }: Session): readonly string[] =>
  fleetRows(state).map(({ holder }) => holder);
const text = ({ state }: Session): string =>
  frame(state, PLAIN)
    .map((line) => stripVTControlCharacters(line).trimEnd())
    .join("\n");

describe("the fleet screen", () => {
  test("says when an issue is closed and still leased", () => {
    const more = { status: "closed", lease: lease(undefined) } as const;
    const seen = text(fleet(100, 24, [held(1, "bo", more), held(2, "ann")]).keys("j"));
    expect(seen).toMatch(/k001 +\(closed\) Issue number 1/);
    expect(seen).toMatch(/until it is released.* it is closed\n/);
    expect(seen.match(/\(closed\)/g)).toHaveLength(1);
  });

  test("asks the daemon for the holders in scope, and shows who was silent longest first", () => {
    const session = screen(80, 24);
    const asked = session.tell({ type: "key", key: "6" });
    expect(asked).toContainEqual({ effect: "load-fleet", project_id: 1, wait: 0 });
    expect(text(session)).toContain("loading...");
    expect(holders(told(session, rows()))).toEqual(["zoe", "bo", "late", "claude", "codex"]);
  });

  test.each([
    [80, 24],
    [160, 50],
  ])("the fleet screen at %ix%i matches its golden picture", (columns, height) => {
    const picture = `${text(fleet(columns, height).keys("j", "j", "j"))}\n`;
    expect(picture).toBe(golden(`test/golden/tui/fleet-${columns}x${height}.txt`, picture));
  });

  test("names the issue of the last activity if it differs from the one in the line", () => {
    const of = (uid: string | undefined) =>
      text(fleet(80, 24, [held(1, "bo", { last: { kind: "issue.closed", at: ago(5), uid } })]));
    expect(of(issue(2).uid)).toMatch(/ k002 closed +k001 /);
    expect(of(issue(1).uid)).toMatch(/ closed +k001 /);
    expect(of(issue(1).uid)).not.toMatch(/k001 closed/);
    expect(of(undefined)).toMatch(/ closed +k001 /);
  });

  test.each([
    ["no lease", {}, " - "],
    ["a hard lease", { lease: lease(undefined) }, " held "],
    ["what is left of a timed one", { lease: lease(12) }, " 12m "],
    ["the last seconds of it", { lease: lease(0.5) }, " 30s "],
    ["one that ran out this moment", { lease: lease(0) }, " expired "],
  ])("shows a holder's lease, here %s: %j as %j", (_name, more, shown) => {
    const line = text(fleet(80, 24, [held(1, "bo", more)])).split("\n")[3];
    expect(line).toContain(shown);
  });

  test.each([
    [14.99, false],
    [15, true],
  ])("marks a person who was silent for %d minutes: %s", (minutes, silent) => {
    const session = fleet(80, 24, [held(1, "bo", { last: last(minutes) }), held(2, "ann")]);
    const signs = (): string | undefined => text(session).split("\n")[3]?.slice(0, 2);
    // The cursor does not hide the sign.
    expect(signs()).toBe(silent ? ">z" : "> ");
    session.keys("j");
    expect(signs()).toBe(silent ? " z" : "  ");
    session.keys("v");
    expect(holders(session)).toEqual(silent ? ["bo"] : []);
    expect(text(session)).toContain(`${silent ? 1 : 0} silent for 15m or longer   only those`);
  });

  test("counts a person without activity as silent since they got the issue", () => {
    const session = fleet(80, 24, [held(1, "zoe", { last: undefined, since: ago(14) })]);
    expect(text(session)).toMatch(/zoe +never/);
    expect(text(session)).toContain("nothing was ever heard of zoe");
    session.keys("v");
    expect(holders(session)).toEqual([]);
  });

  test("counts a person whom the log does not mention as silent, and shows no time for them", () => {
    const session = fleet(80, 24, [
      held(1, "ann"),
      held(2, "zoe", { last: undefined, since: undefined }),
    ]);
    expect(text(session)).toMatch(/>z zoe +never +- +k002/);
    expect(text(session)).toContain("zoe owns it and does not lease it");
    session.keys("v");
    expect(holders(session)).toEqual(["zoe"]);
  });

  test.each([
    ["CLAUDE", ["claude"]],
    ["product#k00", ["zoe", "bo", "late", "claude", "codex"]],
    ["k003", ["bo"]],
    ["number 4", ["zoe"]],
    ["nobody-like-that", []],
  ])("is filtered by %j while that is typed, and Escape removes the filter", (words, expected) => {
    const session = fleet(80, 24).keys("/").type(words);
    expect(holders(session)).toEqual(expected);
    if (expected.length === 0) expect(text(session)).toContain("c clears the filter");
    session.keys("enter", "c");
    expect(holders(session)).toHaveLength(5);
    session.keys("/").type(words).keys("esc");
    expect(holders(session)).toHaveLength(5);
  });

  test("completes the names of holders", () => {
    const session = fleet(80, 24).keys("/").type("cod").keys("tab", "enter");
    expect(holders(session)).toEqual(["codex"]);
  });

  test("says when nobody holds anything, when reading failed, and when there are more holders", () => {
    expect(text(fleet(80, 24, []))).toContain("nobody leases an issue or owns an open one");
    const failed = screen(80, 24).keys("6");
    failed.tell({ type: "fleet", project_id: 1, fleet: { error: "no daemon" } });
    expect(text(failed)).toContain("no daemon");
    const more = fleet(80, 24);
    more.tell({ type: "fleet", project_id: 1, fleet: { truncated: true } });
    expect(text(more)).toContain("5 holders of 5 issues, and more");
  });

  test("ignores an answer about a project that was left, and shows none of its rows in another project", () => {
    const session = fleet(80, 24).keys("5", "j", "enter");
    expect(session.state.scope.project?.name).toBe("infra");
    session.keys("6");
    expect(text(session)).toContain("loading...");
    session.tell({ type: "fleet", project_id: 1, fleet: { rows: rows() } });
    expect(holders(session)).toEqual([]);
  });
});

describe("the cursor of the fleet screen", () => {
  test("stays on its holder and issue when others arrive, and after a reload", () => {
    const session = fleet(80, 24).keys("j");
    expect(fleetRow(session.state)?.holder).toBe("bo");
    session.tell({ type: "events", events: [event("issue.commented", "zoe")] });
    expect(holders(session)).toEqual(["bo", "late", "claude", "codex", "zoe"]);
    expect(fleetRow(session.state)?.holder).toBe("bo");
    told(session, [held(8, "aaa", { last: last(100) }), ...rows()]);
    expect(fleetRow(session.state)?.holder).toBe("bo");
    told(session, []);
    expect(session.state.fleet.cursor).toBe(0);
  });

  test("moves by lines and pages and to both ends", () => {
    const many = Array.from({ length: 50 }, (_none, at) =>
      held(at, `h${String(at).padStart(2, "0")}`),
    );
    const session = fleet(80, 24, many);
    const at = (...keys: string[]) => session.keys(...keys).state.fleet.cursor;
    expect(at("j", "j", "k")).toBe(1);
    expect(at("G", "j")).toBe(49);
    expect(at("pgup")).toBe(49 - 13);
    expect(at("g", "k")).toBe(0);
    expect(at("pgdn")).toBe(13);
    expect(text(session)).toContain("h13");
  });
});

describe("commands of the fleet screen", () => {
  const { uid, short_id: ref, qualified_id: name } = issue(3);
  const at = { uid, project_id: 1, ref, name };

  test("enter opens the issue, even one that is not loaded", () => {
    const session = fleet(80, 24, [held(77, "bo")]);
    const asked = session.tell({ type: "key", key: "enter" });
    expect(session.state.detail.open).toEqual([issue(77).uid]);
    expect(asked).toContainEqual(
      expect.objectContaining({ effect: "load-detail", uid: issue(77).uid }),
    );
  });

  test("m asks the holder about the issue", () => {
    const session = fleet(80, 24, [held(3, "bo")]).keys("m");
    expect(text(session)).toContain("message to bo about product#k003:");
    session.type("still at it").keys("enter");
    expect(session.writes).toEqual([{ act: "notify", at, to: "bo", message: "still at it" }]);
  });

  test("R ends the lease only after the issue's name was typed", () => {
    const session = fleet(80, 24, [held(3, "bo", { lease: lease(5) })]).keys("R");
    expect(text(session)).toContain("end the lease that bo has of product#k003");
    session.type("product#k00").keys("enter");
    expect(session.writes).toEqual([]);
    session.fill(name).keys("enter");
    expect(session.writes).toMatchObject([{ act: "release", at }]);
  });

  test("R ends nothing if there is no lease, and says so", () => {
    const session = fleet(80, 24, [held(3, "bo")]).keys("R");
    expect(session.state.messages.notice?.text).toBe("nobody leases it: A takes the owner off");
    expect(session.state.dialog).toBeUndefined();
  });

  test.each([
    ["from its holder", { lease: lease(5) }, 'product#k003 "Issue number 3" from bo'],
    ["of what nobody leases", {}, 'product#k003 "Issue number 3"'],
  ])("S takes the lease %s after the issue's name was typed", (_name, more, shown) => {
    const session = fleet(80, 24, [held(3, "bo", more)]).keys("S");
    expect(text(session)).toContain(`take the lease of ${shown}`);
    session.fill(name).keys("enter");
    expect(session.writes).toMatchObject([{ act: "steal", at }]);
  });

  test("the holders are read again at once after a command", () => {
    const session = fleet(80, 24, [held(3, "bo", { lease: lease(5) })]).keys("S");
    session.fill(name).keys("enter");
    const [done] = session.state.writes.sent;
    const asked = session.tell({ type: "written", id: done?.id ?? 0, issue: undefined });
    expect(asked).toContainEqual({ effect: "load-fleet", project_id: 1, wait: 0 });
  });
});

describe("live updates of the fleet screen", () => {
  test.each([
    ["claim.acquired", true],
    ["claim.renewed", true],
    ["claim.released", true],
    ["claim.force_released", true],
    ["claim.expired", true],
    ["issue.assigned", true],
    ["issue.closed", true],
    ["issue.commented", false],
    ["issue.labeled", false],
  ])(
    "an event %s makes the screen read the holders again after a short wait: %s",
    (kind, again) => {
      const session = fleet(80, 24);
      const asked = session.tell({ type: "events", events: [event(kind, "bo")] });
      const reads = asked.filter(({ effect }) => effect === "load-fleet");
      expect(reads).toEqual(again ? [{ effect: "load-fleet", project_id: 1, wait: 100 }] : []);
      session.keys("1");
      const away = session.tell({ type: "events", events: [event(kind, "bo")] });
      expect(away.filter(({ effect }) => effect === "load-fleet")).toEqual([]);
    },
  );

  test("an event of a holder ends the silence at once, and says what it was", () => {
    const session = fleet(80, 24).keys("j");
    session.tell({ type: "events", events: [event("issue.priority_set", "bo", 3)] });
    expect(fleetRow(session.state)).toMatchObject({ holder: "bo", last: { at: NOW } });
    expect(text(session)).toContain("last heard of just now: priority set product#k003");
  });
});

test("every line is exactly as wide as the terminal, at any size and with any names", () => {
  const name = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
    fc.constantFrom("日本語の名前", "x".repeat(200), "👩‍💻"),
  );
  const some = fc.array(fc.record({ holder: name, title: name, minutes: fc.nat(5000) }), {
    maxLength: 30,
  });
  const size = fc.record({
    columns: fc.integer({ min: 40, max: 250 }),
    height: fc.integer({ min: 10, max: 70 }),
  });
  fc.assert(
    fc.property(some, size, fc.boolean(), (all, { columns, height }, everywhere) => {
      const session = screen(columns, height);
      if (everywhere) session.keys("5", "k", "enter");
      session.keys("6");
      const found = all.map(({ holder, title, minutes }, at) =>
        held(at, holder, { title, lease: lease(minutes % 20), last: last(minutes) }),
      );
      const project_id = session.state.scope.project?.id;
      session.tell({ type: "fleet", project_id, fleet: { rows: bySilence(found) } });
      for (const key of ["j", "G", "v", "/", "esc", "R"]) {
        const shown = frame(session.keys(key).state, PLAIN);
        expect(shown).toHaveLength(height);
        for (const line of shown) expect([line, stringWidth(line)]).toEqual([line, columns]);
      }
    }),
    { numRuns: 100 },
  );
}, 60_000);
