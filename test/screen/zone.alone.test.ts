import { expect, test, vi } from "vitest";
import { initialState } from "../../src/screen/initial-state.ts";
import { wallTime, wallTimeAhead } from "../../src/screen/times.ts";
import { JOB, lines, open, run } from "../tui/cron-support.ts";
import { issue, Session, START, screen } from "../tui/support.ts";

test.each([
  // Before and after the nights on which the clocks of Paris go forward and back.
  ["2026-03-29T00:59:59Z", "Europe/Paris", "2026-03-29 01:59:59 +01:00"],
  ["2026-03-29T01:00:00Z", "Europe/Paris", "2026-03-29 03:00:00 +02:00"],
  ["2026-10-25T00:30:00Z", "Europe/Paris", "2026-10-25 02:30:00 +02:00"],
  ["2026-10-25T01:30:00Z", "Europe/Paris", "2026-10-25 02:30:00 +01:00"],
  ["2026-12-31T23:30:00.123Z", "Asia/Kolkata", "2027-01-01 05:00:00 +05:30"],
  ["2026-11-21T00:00:00Z", "America/St_Johns", "2026-11-20 20:30:00 -03:30"],
  ["2026-11-21T10:00:00Z", "UTC", "2026-11-21 10:00:00 +00:00"],
])("the instant %s in the zone %s is shown as %s", (instant, zone, expected) => {
  expect(wallTimeAhead(instant, zone)).toBe(expected);
  expect(wallTime(instant, zone)).toBe(expected.slice(0, 19));
});

// Read once, when the first picture needs it.
vi.stubEnv("TZ", "America/New_York");

const head = { uid: JOB, name: "nightly-triage", timezone: "Europe/Paris" };

function ledger(columns: number): Session {
  const session = open();
  session.tell({ type: "resize", columns, rows: 24 });
  const entry = {
    at: "2026-11-16T08:00:00Z",
    outcome: "delivered",
    child_short_id: "k009",
  } as const;
  const told = { job: head, through: "2026-11-21T09:00:00Z", entries: [entry] };
  session.keys("tab", "enter").tell({ type: "cron", cron: { ledger: told } });
  return session;
}

function preview(columns: number): Session {
  const session = ledger(columns).keys("p");
  const [at, local] = ["2027-03-29T07:00:00Z", "2027-03-29T09:00:00"];
  const occurrences = [{ at, local, offset: "+02:00", offset_changed: true }];
  const told = { job: head, now: "2026-11-21T10:00:00Z", occurrences };
  session.tell({ type: "cron", cron: { preview: told } });
  return session;
}

test("the ledger shows due times by the clock of this machine, and names its zone", () => {
  expect(lines(ledger(80))).toMatch(/DUE IN America\/New_York +OUTCOME/);
  expect(lines(ledger(80))).toMatch(/> 2026-11-16 03:00:00 -05:00 delivered/);
  expect(lines(ledger(79))).toMatch(/DUE IN ~ca\/New_York +OUTCOME/);
  expect(lines(ledger(60))).toMatch(/> 2026-11-16 03:00:00 delivered +k009/);
});

test("the next times of a job are shown by the job's clock and by this machine's clock, with both zones named", () => {
  expect(lines(preview(80))).toMatch(/ITS CLOCK Europe\/Paris +HERE America\/New_York/);
  expect(lines(preview(80))).toMatch(
    /> 2027-03-29 09:00:00 \+02:00 2027-03-29 03:00:00 -04:00 the clock has changed/,
  );
  expect(lines(preview(60))).toMatch(/> 2027-03-29 09:00:00 2027-03-29 03:00:00 the clock has/);
});

test("a run, an issue and a definition name the zone beside their dates", () => {
  const runs = open();
  runs.tell({ type: "cron", cron: { runs: [run(2)] } });
  expect(lines(runs)).toContain(
    "started 2026-11-21 04:00:00   ended 2026-11-21 04:04:40   recorded 2026-11-21 05:00:00",
  );
  expect(lines(runs)).toMatch(/^\(America\/New_York\) *$/m);
  const dates = screen(80, 24, [issue(1)]).keys("enter", "tab", "tab", "tab");
  expect(lines(dates)).toMatch(/created +2026-11-01 05:00 America\/New_York, 20d ago/);
});

test("a replay shows dates by the clock of the recording", () => {
  const state = initialState({ ...START, zone: "Asia/Kolkata", columns: 80, rows: 24 });
  const session = new Session(state);
  session.tell({ type: "live", live: "live" });
  const read = { part: "all", serial: 0, gone: [], truncated: false } as const;
  session.tell({ type: "issues", issues: [issue(1)], ...read });
  session.keys("enter", "tab", "tab", "tab");
  expect(lines(session)).toMatch(/created +2026-11-01 15:30 Asia\/Kolkata, 20d ago/);
});
