import { describe, expect, test } from "vitest";
import { transportOf } from "../../src/client/transport.ts";
import { readCron } from "../../src/screen/effects/reads/cron.ts";
import { Local } from "../client/local.ts";
import { json, PONG, standIn } from "../client/stand-in.ts";
import { folderWith } from "../config/folder.ts";
import { JOB, lines, open, run } from "../tui/cron-support.ts";
import { issue, liveEvent, NOW, type Session, screen } from "../tui/support.ts";

test("each run shows how it ended, on which issue, how long it took and how many tokens it used", () => {
  const text = lines(open());
  expect(text).toMatch(/S nightly-triage +k001 +1h +4m +81k\/400 +runner/);
  expect(text).toMatch(/F nightly-triage/);
  expect(text).toContain("labelled 7");
  expect(text).toContain("evidence only");
});

test("down on the last run loads older ones, which are added after it", () => {
  const session = open().keys("j");
  expect(session.keys("j").effects).toContainEqual({
    ...{ effect: "load-older", project_id: 1, tab: "runs", job: undefined },
    before: run(1).uid,
  });
  const older = {
    type: "cron",
    older: run(1).uid,
    cron: { runs: [run(0)], more: undefined },
  } as const;
  session.tell(older);
  session.tell(older);
  expect(session.state.cron.runs?.map(({ id }) => id)).toEqual([2, 1, 0]);
  expect(session.keys("j", "j").effects).toEqual([]);
});

test("enter opens the issue of a run or the ledger of a job; p shows the next times", () => {
  const session = open().keys("enter");
  expect(session.state.detail.open).toEqual([issue(1).uid]);
  session.keys("esc", "tab");
  expect(lines(session)).toMatch(/on +nightly-triage +0 9 \* \* 1 Europe\/Paris +notify +latest/);
  expect(session.keys("enter").effects).toContainEqual({
    effect: "load-cron",
    project_id: 1,
    tab: "ledger",
    job: JOB,
    shown: 0,
    wait: 0,
  });
  const head = { uid: JOB, name: "nightly-triage", timezone: "Europe/Paris" };
  session.tell({
    type: "cron",
    cron: {
      ledger: {
        job: head,
        through: "2026-11-21T09:00:00Z",
        entries: [
          {
            at: "2026-11-16T08:00:00Z",
            outcome: "delivered",
            late_seconds: 12,
            child_short_id: "k009",
          },
          { at: "2026-11-09T08:00:00Z", outcome: "discarded", policy: "latest" },
        ],
      },
    },
  });
  expect(lines(session)).toMatch(/2026-11-16 08:00:00 \+00:00 delivered +12s +k009/);
  expect(lines(session)).toMatch(/2026-11-09 08:00:00 \+00:00 discarded by latest/);
  expect(session.keys("p").effects).toContainEqual({
    effect: "load-cron",
    project_id: 1,
    tab: "preview",
    job: JOB,
    shown: 0,
    wait: 0,
  });
  session.tell({
    type: "cron",
    cron: {
      preview: {
        job: head,
        now: "2026-11-21T10:00:00Z",
        occurrences: [
          {
            at: "2027-03-29T07:00:00Z",
            local: "2027-03-29T09:00:00",
            offset: "+02:00",
            offset_changed: true,
          },
        ],
      },
    },
  });
  expect(lines(session)).toMatch(
    /2027-03-29 09:00:00 \+02:00 2027-03-29 07:00:00 \+00:00 the clock has changed/,
  );
});

describe("a preview of the next times", () => {
  const at = "2026-11-21T10:01:00.000Z";
  const shown = (): { session: Session; effects: readonly unknown[] } => {
    const session = open().keys("tab", "p");
    const job = { uid: JOB, name: "nightly-triage", timezone: "Europe/Paris" };
    const time = { at, local: "2026-11-21T11:01:00", offset: "+01:00", offset_changed: false };
    const preview = { job, now: NOW, occurrences: [time] };
    return { session, effects: session.tell({ type: "cron", cron: { preview } }) };
  };
  const again = { effect: "load-cron", project_id: 1, tab: "preview", job: JOB, shown: 1, wait: 0 };
  const ticked = (session: Session, now: string): readonly unknown[] => {
    session.state = { ...session.state, now };
    return session.tell({ type: "tick" });
  };

  test("is read again when the first of its times has passed", () => {
    const { session, effects } = shown();
    expect(effects).toContainEqual({ effect: "wake", ms: 60_000 });
    expect(ticked(session, "2026-11-21T10:00:59.999Z")).toEqual([]);
    expect(ticked(session, at)).toEqual([again]);
  });

  test("is not read again while another tab or screen is shown", () => {
    expect(ticked(shown().session.keys("shift+tab"), at)).toEqual([]);
    expect(ticked(shown().session.keys("1"), at)).toEqual([]);
  });
});

test("jobs and runs that change are read again while the cron screen is shown, and not on other screens", () => {
  const event = liveEvent({ kind: "cron.run.observed" });
  const loads = (session: Session) =>
    session.tell({ type: "events", events: [event] }).map(({ effect }) => effect);
  expect(loads(open())).toContain("load-cron");
  expect(loads(screen(100, 24))).not.toContain("load-cron");
});

test("below the runs are all details of the run under the cursor", () => {
  const session = open();
  const more = {
    definition_event_uid: "01JDEFINITION0000000000000",
    workflow_uid: "01JWORKFLOW000000000000000",
    workflow_definition_event_uid: "01JWORKFLOWEVENT0000000000",
    occurrence_key: "2026-11-21T09:00:00Z",
    executor_label: "box-7",
    teammate: "aria",
  };
  session.tell({ type: "cron", cron: { runs: [run(2, more), run(1)] } });
  const text = lines(session);
  for (const known of [
    `run ${run(2).uid}   revision 1   occurrence 2026-11-21T09:00:00Z`,
    "definition nightly-triage   event 01JDEFINITION0000000000000",
    "workflow 01JWORKFLOW000000000000000",
    "event 01JWORKFLOWEVENT0000000000",
    "started 2026-11-21 09:00:00   ended 2026-11-21 09:04:40   recorded 2026-11-21 10:00:00   (UTC)",
    "status succeeded   tokens in/out 81k/400   by runner   teammate aria   executor box-7",
    "summary labelled 7",
    "evidence only",
  ])
    expect(text).toContain(known);
  const other = lines(session.keys("j"));
  for (const word of ["occurrence", "workflow 01J", "executor"]) expect(other).not.toContain(word);
});

test.each([
  [79, false],
  [80, true],
])("%i columns have room for the worker of a run: %s", (columns, has) => {
  const session = open();
  session.tell({ type: "resize", columns, rows: 24 });
  expect(lines(session).includes("TEAMMATE")).toBe(has);
});

test("a run in progress shows its duration with a plus", () => {
  const { ended_at: _none, ...going } = run(3, { status: "running" });
  const session = open();
  session.tell({ type: "cron", cron: { runs: [going] } });
  expect(lines(session)).toMatch(/R nightly-triage +k001 +1h +\+1h/);
});

test("below the jobs is the definition of the job under the cursor", () => {
  const text = lines(open().keys("tab"));
  expect(text).toContain("trigger: kind cron   cron 0 9 * * 1   timezone Europe/Paris");
  expect(text).toContain("overlap: allow");
});

test("the line above the rows shows the tabs, the owner of the runs and the row number", () => {
  const text = lines(open());
  expect(text).toMatch(/\[Runs\] +Jobs 1 .* job:nightly-triage +newest first/);
  expect(text).toMatch(/1\/2\+ *$/m);
});

test("a daemon that does not support cron is reported, and not asked for jobs again", () => {
  const session = screen(100, 24).keys("4");
  session.tell({ type: "cron", cron: { unsupported: true } });
  expect(lines(session)).toContain("this daemon has no cron support");
  const asks = (...keys: readonly string[]) =>
    session.keys(...keys).effects.map(({ effect }) => effect);
  expect(asks("tab")).not.toContain("load-cron");
  expect(asks("1", "4")).not.toContain("load-cron");
  expect(session.tell({ type: "reload" }).map(({ effect }) => effect)).not.toContain("load-cron");
});

test.each([
  [404, "not_found", { unsupported: true }],
  [404, "project_not_found", { error: "no such thing: svc projects list" }],
  [500, "internal", { error: "no such thing" }],
] as const)("the answer %i %s to a request for jobs results in %o", async (status, code, cron) => {
  const server = await standIn(
    (request) =>
      request.startsWith("GET /api/v1/ping ")
        ? json(200, PONG)
        : json(status, { status, error: { code, message: "no such thing" } }),
    "tcp",
  );
  const client = await new Local(folderWith()).remoteClient(server);
  const told = [];
  const asked = {
    effect: "load-cron",
    project_id: 1,
    tab: "runs",
    job: undefined,
    shown: 0,
    wait: 0,
  } as const;
  for await (const message of readCron(transportOf(client), asked)) told.push(message.cron);
  expect(told).toEqual([cron]);
});

test("an answer that a job is missing does not mean that the daemon has no cron support", async () => {
  const gone = { status: 404, error: { code: "not_found", message: "no such job" } };
  const server = await standIn((request) => {
    if (request.startsWith("GET /api/v1/ping ")) return json(200, PONG);
    return request.includes("/ledger") ? json(404, gone) : json(200, { jobs: [] });
  }, "tcp");
  const client = await new Local(folderWith()).remoteClient(server);
  const told = [];
  const asked = {
    effect: "load-cron",
    project_id: 1,
    tab: "ledger",
    job: JOB,
    shown: 0,
    wait: 0,
  } as const;
  for await (const message of readCron(transportOf(client), asked)) told.push(message.cron);
  expect(told).toEqual([{ jobs: [], error: undefined }, { error: "no such job" }]);
});
