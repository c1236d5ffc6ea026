import { describe, expect, test } from "vitest";
import type { CronJob, Version } from "../../src/screen/cron/state.ts";
import { commandOf } from "../../src/screen/writes/command-line.ts";
import { ADAPTED, JOB, job, lines, open, run } from "../tui/cron-support.ts";
import { liveEvent, type Session, screen } from "../tui/support.ts";

const OTHER = "01JJOB00000000000000000001";

/** The jobs tab with two jobs; the cursor is on the first. */
function jobs(more: Partial<CronJob> = {}, columns = 100): Session {
  const session = screen(columns, 24).keys("4", "tab");
  const all = [job("nightly", more), job("weekly", { uid: OTHER, definition: ADAPTED })];
  session.tell({ type: "cron", cron: { jobs: all } });
  return session;
}

/** The job as the daemon has it after somebody changed it. */
function after(was: CronJob, enabled: boolean, revision = 2): CronJob {
  const definition_event_uid = `01JEVENT00000000000000000${revision}`;
  return { ...was, definition: { ...was.definition, enabled }, revision, definition_event_uid };
}

/** Returns what the last key sent to the daemon. */
const sentBy = ({ effects }: Session) =>
  effects.flatMap((effect) => (effect.effect === "write" ? [effect] : []));

const row = (session: Session, name: string): string =>
  lines(session)
    .split("\n")
    .find((line) => line.includes(` ${name} `))
    ?.trimEnd() ?? "";

describe("T turns the job under the cursor on or off", () => {
  test("T shows its change at once and then the daemon's answer, u reverts the change, and U repeats it", () => {
    const session = jobs().keys("T");
    const [sent] = sentBy(session);
    expect(sent?.write).toEqual({
      act: "toggle",
      at: { uid: JOB, project_id: 1, ref: JOB, name: "nightly" },
      project: "product",
      on: false,
      expected: job("nightly").definition_event_uid,
    });
    expect(row(session, "nightly")).toMatch(/^>%off +nightly/);
    expect(session.keys("T").writes).toEqual([]);
    expect(session.state.messages.notice?.text).toBe("nightly is being turned already");
    const off = after(job("nightly"), false);
    session.tell({ type: "written", id: sent?.id ?? 0, issue: undefined, job: off });
    expect(row(session, "nightly")).toMatch(/^> off +nightly/);
    expect(session.state.messages.notice?.text).toBe("turned nightly off   u undo");
    const [undone] = sentBy(session.keys("u"));
    expect(undone?.write).toMatchObject({ on: true, expected: off.definition_event_uid });
    expect(row(session, "nightly")).toMatch(/^>%on +nightly/);
    const on = after(off, true, 3);
    session.tell({ type: "written", id: undone?.id ?? 0, issue: undefined, job: on });
    expect(session.state.messages.notice?.text).toBe("undone: turned nightly off   U redo");
    const [again] = sentBy(session.keys("U"));
    expect(again?.write).toMatchObject({ on: false, expected: on.definition_event_uid });
  });

  test("a job that the daemon refuses to turn on or off stays as it was, shows the reason, and T tries again", () => {
    const session = jobs().keys("T");
    const [{ id } = { id: 0 }] = sentBy(session);
    session.tell({ type: "refused", id, code: "federated_read_only", text: "not from here" });
    expect(row(session, "nightly")).toMatch(/^>!on +nightly/);
    expect(session.state.messages.notice?.text).toBe("not from here   T tries again");
    expect(lines(session)).toContain("! not from here");
    session.keys("esc");
    expect(row(session, "nightly")).toMatch(/^> on +nightly/);
    expect(session.state.screen).toBe("cron");
    expect(session.keys("T").writes).toHaveLength(1);
  });

  test("a list of jobs from before the change does not turn the job back", () => {
    const session = jobs().keys("T");
    const [{ id } = { id: 0 }] = sentBy(session);
    session.tell({ type: "written", id, issue: undefined, job: after(job("nightly"), false) });
    session.tell({ type: "cron", project_id: 1, tab: "jobs", cron: { jobs: [job("nightly")] } });
    expect(row(session, "nightly")).toContain("off");
    const newer = after(job("nightly"), true, 5);
    session.tell({ type: "cron", project_id: 1, tab: "jobs", cron: { jobs: [newer] } });
    expect(row(session, "nightly")).toContain(" on ");
  });

  test("undoing T does not revert a later change to the job by somebody else", () => {
    const session = jobs().keys("T");
    const [{ id } = { id: 0 }] = sentBy(session);
    const off = after(job("nightly"), false);
    session.tell({ type: "written", id, issue: undefined, job: off });
    session.tell({ type: "cron", cron: { jobs: [after(off, false, 3)] } });
    expect(session.keys("u").writes).toEqual([]);
    expect(session.state.messages.notice?.text).toBe("nightly changed since: it stays as it is");
  });

  test.each([
    [["4"], "it turns a job on or off: tab to Jobs"],
    [["4", "shift+tab"], "it turns a job on or off: tab to Jobs"],
    [["4", "tab"], "there is no job on this line"],
  ])("after the keys %j T turns no job on or off, and a message says why", (keys, why) => {
    const session = screen(100, 24).keys(...keys, "T");
    expect(session.writes).toEqual([]);
    expect(session.state.messages.notice?.text).toBe(why);
  });

  test("if the daemon allows no changes, T turns no job on or off, and a message says so", () => {
    const session = jobs();
    session.state = {
      ...session.state,
      connection: { ...session.state.connection, readOnly: "not for you" },
    };
    session.keys("T");
    expect([session.writes, session.state.messages.notice?.text]).toEqual([[], "not for you"]);
  });

  test("T is logged as the svc command that makes the same change", () => {
    const [sent] = sentBy(jobs().keys("T"));
    if (sent === undefined) throw new Error("it was sent");
    expect(commandOf(sent.write, "ana")).toBe(
      `svc cron job disable ${JOB} --project product --expected-event-uid ${job("x").definition_event_uid}`,
    );
  });
});

describe("a job that cannot run", () => {
  test.each([80, 160])(
    "is marked as held in its row, and the reason is shown, at %i columns",
    (columns) => {
      const session = jobs({ held: "parent_closed" }, columns);
      expect(row(session, "nightly")).toMatch(/^> held nightly/);
      expect(row(session, "nightly").endsWith("parent closed")).toBe(columns === 160);
      expect(row(session, "weekly")).toMatch(/^ {2}on {3}weekly/);
      expect(lines(session)).toContain("held: its parent is closed");
      expect(lines(session.keys("j"))).not.toContain("held:");
    },
  );

  test("names a remedy if it can never run again, and shows an unknown reason in the daemon's words", () => {
    expect(lines(jobs({ held: "parent_missing" }))).toContain(
      "held: its parent was purged; delete the job and create another",
    );
    expect(lines(jobs({ held: "moon_is_full" }))).toContain("held: moon is full");
  });

  test("shows only that it is off if somebody disabled it, and no reason even while it is being turned on", () => {
    const off = { ...job("x").definition, enabled: false };
    const session = jobs({ definition: off, held: "disabled" }, 160);
    expect(row(session, "nightly")).toMatch(/^> off +nightly .*latest +\S+$/);
    expect(lines(session)).not.toContain("held:");
    expect(row(session.keys("T"), "nightly")).toMatch(/^>%on +nightly .*latest +\S+$/);
  });

  test("is read again when its parent issue changes, and not when another issue changes", () => {
    const session = jobs();
    const { parent_uid } = job("x").definition["issue"] as { readonly parent_uid: string };
    const closed = liveEvent({ kind: "issue.closed", uid: parent_uid, uids: [parent_uid] });
    const isReadAfter = (event: typeof closed): boolean =>
      session
        .tell({ type: "events", events: [event] })
        .some((effect) => effect.effect === "load-cron" && effect.tab === "jobs");
    expect(isReadAfter(closed)).toBe(true);
    expect(isReadAfter({ ...closed, uid: OTHER, uids: [OTHER] })).toBe(false);
  });
});

describe("a job that somebody else changed while T turned it on or off", () => {
  const was = job("nightly");
  const trigger = { kind: "cron", cron: "0 7 * * 1" };
  const theirs: CronJob = { ...after(was, true), definition: { ...was.definition, trigger } };

  function conflict(current: CronJob, columns = 100): Session {
    const session = jobs({}, columns).keys("T");
    const [{ id } = { id: 0 }] = sentBy(session);
    const text = "the job nightly was changed since: read it again, then decide";
    session.tell({ type: "refused", id, code: "cron_conflict", text, current });
    return session;
  }

  test.each([100, 60, 40])("is shown with both versions, at %i columns", (columns) => {
    const text = lines(conflict(theirs, columns)).replaceAll(/\s+/g, " ");
    expect(text).toContain("nightly was changed while");
    for (const side of [
      "enabled, base true",
      "enabled, mine false",
      "trigger, base kind cron",
      "trigger, their",
      "cron 0 7 * * 1",
    ])
      expect(text).toContain(side);
    expect(text).not.toContain("catchup");
    expect(text).not.toContain("trigger, mine");
  });

  test("is turned off in its present form by the key o, and not without a key", () => {
    const session = conflict(theirs);
    expect(session.writes).toEqual([]);
    const [sent] = sentBy(session.keys("x", "o"));
    expect(sent?.write).toMatchObject({ on: false, expected: theirs.definition_event_uid });
    expect(session.state.dialog).toBeUndefined();
    expect(row(session, "nightly")).toMatch(/^>%off +nightly +0 7/);
  });

  test.each(["r", "esc"])("keeps its present form if the person presses %s", (key) => {
    const session = conflict(theirs).keys(key);
    expect([session.writes, session.state.dialog]).toEqual([[], undefined]);
    expect(row(session, "nightly")).toMatch(/^> on +nightly +0 7/);
    expect(session.effects).toContainEqual(expect.objectContaining({ effect: "load-cron" }));
  });

  test("is not turned again if somebody else has turned it off meanwhile, which is only reported", () => {
    const session = conflict({ ...after(theirs, false) });
    expect(lines(session)).toContain("it is off already");
    expect(session.keys("o").writes).toEqual([]);
  });

  test("cannot be turned on or off if somebody deleted it meanwhile", () => {
    expect(lines(conflict(theirs))).toContain("o turn it");
    const session = conflict({ ...theirs, deleted_at: theirs.updated_at });
    expect(lines(session)).toContain("it was deleted meanwhile");
    expect(lines(session)).not.toContain("o turn it");
    expect(session.keys("o").writes).toEqual([]);
  });
});

describe("the last runs of a job", () => {
  const asked = (session: Session) =>
    session.effects.filter(({ effect }) => effect === "load-job-runs");

  test("are requested for the first job when the jobs are loaded, and for another job when the cursor rests on it", () => {
    const session = jobs();
    expect(asked(session)).toEqual([{ effect: "load-job-runs", project_id: 1, job: JOB, wait: 0 }]);
    expect(asked(session.keys("j"))).toEqual([
      { effect: "load-job-runs", project_id: 1, job: OTHER, wait: 80 },
    ]);
    expect(asked(session.keys("j"))).toEqual([]);
    const event = liveEvent({ kind: "cron.run.observed" });
    session.tell({ type: "events", events: [event] });
    expect(asked(session)).toEqual([
      { effect: "load-job-runs", project_id: 1, job: OTHER, wait: 500 },
    ]);
  });

  test("are shown below their job, or the error that prevented reading them, and never the runs of another job", () => {
    const session = jobs().keys("j");
    expect(lines(session)).toContain("last runs: loading...");
    session.tell({ type: "job-runs", job: JOB, runs: [run(1)], error: undefined });
    expect(lines(session)).toContain("last runs: loading...");
    const runs = [run(2), run(1, { status: "failed" })];
    session.tell({ type: "job-runs", job: OTHER, runs, error: undefined });
    expect(lines(session)).toMatch(/last runs\s+S 1h ago {3}took 4m {3}runner\s+F 1h ago/);
    // A late answer is about the job that the cursor was on before.
    session.tell({ type: "job-runs", job: JOB, runs: [], error: undefined });
    expect(lines(session)).toMatch(/last runs\s+S 1h ago/);
    session.tell({ type: "job-runs", job: OTHER, runs: [], error: undefined });
    expect(lines(session)).toContain("it was never run");
    session.tell({ type: "job-runs", job: OTHER, runs: undefined, error: "no way" });
    expect(lines(session)).toContain("last runs: no way");
  });

  test("a job that svc delivers refers to its ledger instead of its last runs", () => {
    expect(lines(jobs())).toContain("delivered by svc: enter shows what became of each time");
  });
});

describe("the rows of the cron screen", () => {
  test("keep the cursor on the same run, job or time when other rows arrive", () => {
    const session = open().keys("j");
    session.tell({ type: "cron", cron: { runs: [run(3), run(2), run(1)], more: undefined } });
    expect(session.state.cron.cursor).toBe(2);
    session.tell({ type: "cron", cron: { runs: [run(3)], more: undefined } });
    expect(session.state.cron.cursor).toBe(0);
  });

  test("keep the cursor of each tab while another tab is shown", () => {
    const session = jobs().keys("j", "tab", "shift+tab");
    expect(session.state.cron).toMatchObject({ tab: "jobs", cursor: 1 });
  });

  test("are read again in the number that is shown", () => {
    const session = open();
    session.tell({ type: "reload" });
    expect(session.effects).toContainEqual(
      expect.objectContaining({ effect: "load-cron", shown: 2 }),
    );
  });

  test("do not include late answers about another project, job or tab", () => {
    const session = open();
    session.tell({ type: "cron", project_id: 2, cron: { runs: [] } });
    expect(session.state.cron.runs).toHaveLength(2);
    session.tell({ type: "cron", project_id: 1, tab: "ledger", job: JOB, cron: { error: "no" } });
    expect(session.state.cron.error).toBeUndefined();
    session.keys("tab", "enter");
    const ledger = (uid: string) => ({
      ...{ job: { uid, name: "x", timezone: "UTC" }, through: "2026-11-21T09:00:00Z" },
      entries: [{ at: "2026-11-16T08:00:00Z", outcome: "delivered" as const }],
    });
    session.tell({ type: "cron", cron: { ledger: ledger(OTHER) } });
    expect(session.state.cron.ledger).toBeUndefined();
    session.tell({ type: "cron", cron: { ledger: ledger(JOB) } });
    expect(session.state.cron.ledger?.entries).toHaveLength(1);
  });

  test("stay visible below the error of a failed reload, and a click still selects them", () => {
    const session = open();
    session.tell({ type: "cron", project_id: 1, tab: "runs", cron: { error: "too busy" } });
    const [, , , error, first] = lines(session).split("\n");
    expect([error?.trim(), first]).toEqual(["too busy", expect.stringMatching(/^> S nightly/)]);
    session.tell({ type: "mouse", act: "click", x: 9, y: 5 });
    expect(session.state.cron.cursor).toBe(1);
    expect(lines(session.keys("tab"))).not.toContain("too busy");
  });

  test("the rows of a ledger continue with older rows after the last one", () => {
    const session = jobs().keys("enter");
    const page = (day: number, next_before?: string) => ({
      ...{ job: { uid: JOB, name: "nightly", timezone: "UTC" }, through: "2026-11-21T09:00:00Z" },
      entries: [{ at: `2026-11-${day}T08:00:00Z`, outcome: "delivered" as const }],
      ...(next_before === undefined ? {} : { next_before }),
    });
    const before = "2026-11-16T08:00:00Z";
    session.tell({ type: "cron", cron: { ledger: page(16, before) } });
    expect(lines(session)).toMatch(/1\/1\+ *$/m);
    expect(session.keys("j").effects).toEqual([
      { effect: "load-older", project_id: 1, tab: "ledger", job: JOB, before },
    ]);
    for (const _twice of [1, 2])
      session.tell({ type: "cron", job: JOB, older: before, cron: { ledger: page(15) } });
    expect(session.state.cron.ledger?.entries).toHaveLength(2);
    expect(lines(session)).toMatch(/1\/2 *$/m);
  });

  test("the list of a job's next times continues until there are no more times", () => {
    const session = jobs().keys("p");
    const times = (count: number) => ({
      ...{ job: { uid: JOB, name: "nightly", timezone: "UTC", held: "parent_closed" } },
      now: "2026-11-21T10:00:00Z",
      occurrences: Array.from({ length: count }, (_none, at) => ({
        ...{ at: `2027-01-01T00:${10 + at}:00Z`, local: "2027-01-01T00:00:00" },
        ...{ offset: "+00:00", offset_changed: false },
      })),
    });
    session.tell({ type: "cron", cron: { preview: times(50) } });
    expect(lines(session)).toContain("job:nightly (parent closed)");
    expect(session.keys("G", "j").effects).toEqual([
      { effect: "load-cron", project_id: 1, tab: "preview", job: JOB, shown: 100, wait: 0 },
    ]);
    session.tell({ type: "cron", cron: { preview: times(70) } });
    expect(session.keys("G", "j").effects).toEqual([]);
  });

  test("a job that an adapter delivers has no ledger, and none is requested", () => {
    const session = jobs().keys("j", "enter");
    expect(session.effects).toEqual([expect.objectContaining({ tab: "ledger", job: undefined })]);
    expect(lines(session)).toContain("keeps no ledger of it");
  });
});

describe("esc leads back within cron before it leads to the board", () => {
  const tabs = (session: Session, presses: number): readonly string[] =>
    Array.from({ length: presses }, () => {
      const { screen: shown, cron } = session.keys("esc").state;
      return shown === "cron" ? cron.tab : shown;
    });

  test.each([
    ["from the ledger of a job", ["tab", "enter"], ["jobs", "board"]],
    ["from the preview of a job", ["tab", "p"], ["jobs", "board"]],
    ["from the preview of a job to its ledger", ["tab", "enter", "p"], ["ledger", "jobs", "board"]],
    [
      "after p was pressed again and again",
      ["tab", "enter", "p", "shift+tab", "p", "p"],
      ["ledger", "jobs", "board"],
    ],
    [
      "from the preview of a job, reached from its ledger with tab",
      ["tab", "enter", "tab"],
      ["jobs", "board"],
    ],
    [
      "from the ledger that tab reached to the tab before it",
      ["tab", "tab", "tab"],
      ["workflows", "board"],
    ],
    [
      "from the preview that shift+tab reached to the tab after it",
      ["tab", "enter", "esc", "shift+tab", "shift+tab", "shift+tab"],
      ["series", "board"],
    ],
    ["from the workflows to the board", ["tab", "enter", "shift+tab"], ["board"]],
  ])("esc leads back %s", (_what, keys, expected) => {
    expect(tabs(open().keys(...keys), expected.length)).toEqual(expected);
  });

  test("esc leads back to the row that was left, even after a visit to another screen", () => {
    const session = jobs().keys("j", "p", "5", "4", "esc");
    expect(session.state.cron).toMatchObject({ tab: "jobs", cursor: 1 });
  });

  test("esc leads back from a definition to the ledger from which it was opened", () => {
    const session = open().keys("tab", "enter", "d");
    expect(session.state.cron.page).toBeDefined();
    expect(tabs(session, 3)).toEqual(["ledger", "jobs", "board"]);
  });
});

describe("d shows a definition in full", () => {
  const EVENT = "01JDEFINITION0000000000000";
  const FLOW = { workflow_uid: OTHER, workflow_definition_event_uid: EVENT };

  function page(rows = 24): Session {
    const session = screen(80, rows).keys("4");
    const one = run(2, { definition_event_uid: EVENT, ...FLOW });
    session.tell({ type: "cron", cron: { jobs: [job("nightly")], runs: [one, run(1)] } });
    return session.keys("d");
  }

  const version: Version = {
    ...{ kind: "job", uid: JOB, event: EVENT, name: "nightly", actor: "bo" },
    ...{ at: "2026-11-20T10:00:00.000Z", isCurrent: false, differs: ["trigger"] },
    text: '{\n  "version": 1,\n  "options": {\n    "n": 1.10\n  }\n}',
  };

  test("d on a run shows the versions of its job and of its workflow", () => {
    const session = page();
    expect(session.effects).toEqual([
      {
        effect: "load-versions",
        project_id: 1,
        of: run(2).uid,
        asked: [
          { kind: "job", uid: JOB, event: EVENT },
          { kind: "workflow", uid: OTHER, event: EVENT },
        ],
      },
    ]);
    expect(lines(session)).toContain("loading...");
    const gone = { kind: "workflow", uid: OTHER, event: EVENT, error: "the log has none" } as const;
    session.tell({ type: "versions", of: run(2).uid, versions: [version, gone] });
    const text = lines(session);
    for (const known of [
      `definition: what the run ${run(2).uid} ran by`,
      `job nightly   ${JOB}`,
      `event ${EVENT}   1d ago by bo`,
      "by now another: trigger",
      '    "n": 1.10',
      "the log has none",
    ])
      expect(text).toContain(known);
  });

  test("a definition covers the rows until esc, which leads back to the same row", () => {
    const session = page().keys("esc");
    expect(session.state.cron).toMatchObject({ page: undefined, tab: "runs", cursor: 0 });
    expect(session.state.screen).toBe("cron");
    session.tell({ type: "versions", of: run(2).uid, versions: [version] });
    expect(session.state.cron.page).toBeUndefined();
    const other = session.keys("j", "d");
    other.tell({ type: "versions", of: run(2).uid, versions: [version] });
    expect(other.state.cron.page?.versions).toBeUndefined();
  });

  test("keys and wheel scroll a definition to its end, while no row moves behind it", () => {
    const session = page(10);
    const text = Array.from({ length: 30 }, (_none, at) => `line ${at}`).join("\n");
    session.tell({ type: "versions", of: run(2).uid, versions: [{ ...version, text }] });
    expect(lines(session)).toMatch(/lines 1-6 of 34 *$/m);
    session.keys("j");
    session.tell({ type: "mouse", act: "down", x: 4, y: 4 });
    expect(lines(session)).toMatch(/lines 5-10 of 34 *$/m);
    session.tell({ type: "mouse", act: "click", x: 4, y: 4 });
    session.keys("G");
    expect(lines(session)).toMatch(/lines 29-34 of 34 *$/m);
    expect(lines(session.keys("G", "k"))).toMatch(/lines 28-33 of 34 *$/m);
    expect(lines(session.keys("g"))).toMatch(/lines 1-6 of 34 *$/m);
    expect(session.state.cron.cursor).toBe(0);
  });

  test("d on a job, a workflow or a ledger shows the present definition", () => {
    const asked = (session: Session) => session.state.cron.page?.asked;
    const now = [{ kind: "job", uid: JOB, event: undefined }];
    expect(asked(jobs().keys("d"))).toEqual(now);
    expect(asked(jobs().keys("enter", "d"))).toEqual(now);
    const flows = screen(80, 24).keys("4", "tab", "tab");
    const flow = { ...job("triage"), uid: OTHER };
    flows.tell({ type: "cron", cron: { jobs: [], workflows: [flow] } });
    expect(asked(flows.keys("d"))).toEqual([{ kind: "workflow", uid: OTHER, event: undefined }]);
  });

  test("d on a line without a definition shows a message that says so", () => {
    const session = screen(80, 24).keys("4", "d");
    expect(session.state.cron.page).toBeUndefined();
    expect(session.state.messages.notice?.text).toBe("there is no definition on this line");
  });
});
