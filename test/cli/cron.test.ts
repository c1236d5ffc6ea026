import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ledgerView, previewView, sweepView } from "../../src/cli/render/cron.ts";
import { but, N, R, W, X } from "../domain/cron/bases.ts";
import { projectWorld } from "./harness.ts";

const UID = "01K4M0000000000000000000E1";
const STALE = "01K4M0000000000000000000Z9";

async function cronWorld() {
  const w = await projectWorld();
  const write = (envelope: object | string): void =>
    writeFileSync(
      join(w.work, "d.json"),
      typeof envelope === "string" ? envelope : JSON.stringify(envelope),
    );
  const created = JSON.parse(await w.ok(["create", "Parent", "--json"])) as {
    issue: { uid: string; short_id: string; project_id: number };
  };
  const { issue } = created;
  const onIssue = (base: object): object =>
    JSON.parse(
      JSON.stringify(base).replaceAll(/01K4M0000000000000000000[AD]1/g, issue.uid),
    ) as object;
  return { ...w, write, issue, onIssue };
}

describe("cron job", () => {
  test("a job is created, read, changed, deleted and restored, with JSON output in every mode except for the list", async () => {
    const w = await cronWorld();
    w.write({ name: "nightly", definition: w.onIssue(X) });
    const create = await w.run([
      "cron",
      "job",
      "create",
      "--file",
      "d.json",
      "--uid",
      UID.toLowerCase(),
    ]);
    expect(create.err).toBe(`Definition UID: ${UID} (reuse --uid on retry)\n`);
    expect(create.out).toMatch(/^\{"svc_api_version":1,"job":\{/);
    const { job } = JSON.parse(create.out);
    expect(job).toMatchObject({ uid: UID, name: "nightly", author: "ann" });
    const again = await w.refused(["cron", "job", "create", "--file", "d.json", "--uid", UID]);
    expect([again.code, again.err]).toEqual([5, expect.stringContaining("taken")]);
    expect(JSON.parse(await w.ok(["cron", "job", "show", UID, "--agent"])).job).toEqual(job);
    expect(JSON.parse(await w.ok(["cron", "job", "list", "--json"])).jobs).toEqual([job]);

    const expected = ["--expected-event-uid", job.definition_event_uid];
    w.write({ name: "daily", definition: w.onIssue(but(X, { enabled: true })) });
    const update = ["cron", "job", "update", UID, "--file", "d.json"];
    const updated = JSON.parse(await w.ok([...update, ...expected, "--json"])).job;
    expect(updated).toMatchObject({ name: "daily", revision: 2 });
    const stale = await w.refused([...update, ...expected]);
    expect(stale.code).toBe(5);

    w.write({ expected_event_uid: updated.definition_event_uid, actor: "bea" });
    const deleted = JSON.parse(await w.ok(["cron", "job", "delete", UID, "--file", "d.json"]));
    expect(deleted.events[0].actor).toBe("bea");
    expect(JSON.parse(await w.ok(["cron", "job", "list", "--json"])).jobs).toEqual([]);
    const all = JSON.parse(await w.ok(["cron", "job", "list", "--include-deleted", "--json"])).jobs;
    expect(all).toEqual([deleted.job]);
    const restore = ["cron", "job", "restore", UID, "--expected-event-uid"];
    const restored = JSON.parse(await w.ok([...restore, deleted.job.definition_event_uid]));
    expect(restored.job).not.toHaveProperty("deleted_at");
  });

  test("a job is turned on and off, and the rest of its definition keeps its spelling", async () => {
    const w = await cronWorld();
    const options = '{"n":1.10,"big":12345678901234567890,"e":1E400,"deep":[{"z":0.50,"a":-0.0}]}';
    const definition = JSON.stringify(w.onIssue(but(X, { options: "O" })));
    const stdin = `{"name":"nightly","definition":${definition.replace('"O"', options)}}`;
    await w.run(["cron", "job", "create", "--file", "-", "--uid", UID], { stdin });
    const text = async (): Promise<string> => {
      const shown = await w.ok(["cron", "job", "show", UID]);
      return /"definition":(\{.*\}),"definition_event_uid"/.exec(shown)?.[1] ?? "";
    };
    const before = await text();
    expect(before).toContain('"enabled":false');
    expect(before).toContain('"n":1.10');
    const on = JSON.parse(await w.ok(["cron", "job", "enable", UID.toLowerCase()]));
    expect(on.job).toMatchObject({ name: "nightly", revision: 2 });
    expect(on.events.map(({ type }: { type: string }) => type)).toEqual(["cron.job.updated"]);
    expect(await text()).toBe(before.replace('"enabled":false', '"enabled":true'));
    const again = JSON.parse(await w.ok(["cron", "job", "enable", UID]));
    expect(again).toMatchObject({ svc_api_version: 1, job: { revision: 2 }, events: [] });
    const guard = ["--expected-event-uid", on.job.definition_event_uid.toLowerCase()];
    const off = JSON.parse(await w.ok(["cron", "job", "disable", UID, ...guard, "--as", "bea"]));
    expect(off.events[0].actor).toBe("bea");
    expect(await text()).toBe(before);
    const stale = await w.refused(["cron", "job", "enable", UID, ...guard]);
    expect([stale.code, stale.err]).toEqual([5, expect.stringContaining("was changed since")]);
    const expected = ["--expected-event-uid", off.job.definition_event_uid];
    await w.ok(["cron", "job", "delete", UID, ...expected]);
    const gone = await w.refused(["cron", "job", "enable", UID]);
    expect([gone.code, gone.err]).toEqual([5, expect.stringContaining("svc cron job restore")]);
    const other = await w.refused(["cron", "job", "enable", STALE]);
    expect(other.code).toBe(4);
    expect((await w.refused(["cron", "job", "enable", "nightly"])).err).toContain(
      "the job nightly was deleted",
    );
  });

  test("a uid is generated without --uid, and numbers keep their spelling in requests and answers", async () => {
    const w = await cronWorld();
    const definition = JSON.stringify(w.onIssue(but(X, { options: "O" })));
    const stdin = `{"name":"n","definition":${definition.replace('"O"', '{"n":1.10,"big":12345678901234567890}')}}`;
    const { out, err } = await w.run(["cron", "job", "create", "--file", "-"], { stdin });
    expect(err).toMatch(/^Definition UID: [0-9A-Z]{26} \(reuse/);
    expect(out).toContain('{"big":12345678901234567890,"n":1.10}');
    expect(err).toContain(JSON.parse(out).job.uid);
  });

  test.each<[string, object | string, readonly string[], RegExp]>([
    ["no JSON", "{", [], /not JSON/],
    ["a list", "[]", [], /not a JSON object/],
    ["a member twice", '{"name":"n","definition":{"a":1,"a":2}}', [], /definition\.a stands twice/],
    ["an unknown member", { name: "n", definition: X, note: 1 }, [], /note is not a known field/],
    ["no name", { definition: X }, [], /name is required/],
    ["no definition", { name: "n" }, [], /definition is required/],
    [
      "a definition that is text",
      { name: "n", definition: "x" },
      [],
      /definition must be an object/,
    ],
    [
      "an expected event",
      { name: "n", definition: X, expected_event_uid: STALE },
      [],
      /no expected_event_uid/,
    ],
    ["another actor", { name: "n", definition: X, actor: "bea" }, ["--as", "cy"], /--as says cy/],
    ["a bad uid", { name: "n", definition: X }, ["--uid", "nightly"], /not a uid/],
    [
      "a parent for an execution",
      { name: "n", definition: X },
      ["--parent", "abc4"],
      /its action is notify/,
    ],
    [
      "a parent for an existing issue",
      { name: "n", definition: N },
      ["--parent", "abc4"],
      /per-run/,
    ],
  ])("a new job with %s is refused and not created", async (_name, envelope, flags, message) => {
    const w = await cronWorld();
    w.write(envelope);
    const { err, code } = await w.refused(["cron", "job", "create", "--file", "d.json", ...flags]);
    expect([code, err]).toEqual([3, expect.stringMatching(message)]);
    expect(JSON.parse(await w.ok(["cron", "job", "list", "--json"])).jobs).toEqual([]);
  });

  test.each(["job", "workflow"])(
    "creating a %s outside of a project reports the missing project before any other fault",
    async (noun) => {
      const w = await cronWorld();
      w.write({ name: "n", definition: X });
      const words = ["cron", noun, "create", "--file", join(w.work, "d.json"), "--uid", "nightly"];
      const { err, code } = await w.refused(words, { cwd: w.home });
      expect([code, err]).toEqual([4, expect.stringContaining("svc init")]);
    },
  );

  test("a change requires the uid of the event that it is based on, from the flag or the file; two different ones are refused", async () => {
    const w = await cronWorld();
    w.write({ name: "nightly", definition: w.onIssue(X), expected_event_uid: STALE });
    const update = ["cron", "job", "update", UID, "--file", "d.json"];
    const other = await w.refused([...update, "--expected-event-uid", UID]);
    expect([other.code, other.err]).toEqual([3, expect.stringContaining("the flag says")]);
    for (const verb of ["delete", "restore"]) {
      const none = await w.refused(["cron", "job", verb, UID]);
      expect([none.code, none.err]).toEqual([3, expect.stringContaining("--expected-event-uid")]);
    }
    w.write({ name: "nightly", definition: w.onIssue(X) });
    expect((await w.refused(update)).code).toBe(3);
    const unknown = await w.refused([...update, "--expected-event-uid", STALE]);
    expect(unknown.code).toBe(4);
  });

  test("--parent accepts any form of reference, and selects the parent's project", async () => {
    const w = await cronWorld();
    const { issue: _policy, ...rest } = R;
    w.write({
      name: "weekday",
      definition: { ...rest, issue: { kind: "per-run", title: "Check" } },
    });
    const create = ["cron", "job", "create", "--file", join(w.work, "d.json"), "--parent"];
    const { uid, short_id, project_id } = w.issue;
    for (const ref of [short_id, `web#${short_id}`, uid]) {
      const { job } = JSON.parse((await w.run([...create, ref])).out);
      expect(job).toMatchObject({ project_id, definition: { issue: { parent_uid: uid } } });
    }
    await w.ok(["projects", "create", "other"]);
    const elsewhere = await w.refused([...create, uid, "--project", "other"]);
    expect([elsewhere.code, elsewhere.err]).toEqual([
      3,
      expect.stringContaining("another project"),
    ]);
    const outside = await w.run([...create, uid], { cwd: w.home });
    expect([outside.code, JSON.parse(outside.out).job.project_id]).toEqual([0, project_id]);
    expect((await w.refused([...create, "zzzz"])).code).toBe(4);
  });
});

describe("the name of a job", () => {
  async function named() {
    const w = await cronWorld();
    const create = async (uid: string, name: string) => {
      w.write({ name, definition: w.onIssue(R) });
      const { out } = await w.run(["cron", "job", "create", "--file", "d.json", "--uid", uid]);
      return JSON.parse(out).job;
    };
    const shown = async (text: string) => JSON.parse(await w.ok(["cron", "job", "show", text])).job;
    return { ...w, create, shown };
  }
  const SECOND = "01K4M0000000000000000000E2";
  const guard = (job: { readonly definition_event_uid: string }) => [
    "--expected-event-uid",
    job.definition_event_uid,
  ];

  test("is accepted by every command that takes a job", async () => {
    const w = await named();
    const job = await w.create(UID, "Weekday check");
    const name = "Weekday check";
    expect(await w.shown(name)).toEqual(job);
    expect(await w.ok(["cron", "job", "preview", name, "-n", "1"])).toContain(name);
    expect(await w.ok(["cron", "job", "ledger", name])).toContain("nothing came due yet");
    expect(await w.ok(["cron", "job", "sweep", name])).toContain("nothing is due");
    expect(JSON.parse(await w.ok(["cron", "run", "list", "--job", name])).runs).toEqual([]);
    const off = JSON.parse(await w.ok(["cron", "job", "disable", name])).job;
    expect([off.uid, off.definition.enabled]).toEqual([UID, false]);
    const on = JSON.parse(await w.ok(["cron", "job", "enable", name])).job;
    w.write({ name: "renamed", definition: w.onIssue(R) });
    const update = ["cron", "job", "update", name, "--file", "d.json", ...guard(on)];
    const renamed = JSON.parse(await w.ok(update)).job;
    expect([renamed.uid, renamed.name]).toEqual([UID, "renamed"]);
    const gone = JSON.parse(await w.ok(["cron", "job", "delete", "renamed", ...guard(renamed)]));
    const back = await w.ok(["cron", "job", "restore", "renamed", ...guard(gone.job)]);
    expect(JSON.parse(back).job.uid).toBe(UID);
  });

  test("is refused with the candidates if several jobs have it, or with the most similar name if none has", async () => {
    const w = await named();
    const first = await w.create(UID, "check");
    await w.create(SECOND, "check");
    const twice = await w.refused(["cron", "job", "show", "check"]);
    expect([twice.code, twice.err]).toEqual([3, expect.stringContaining(`${UID}, ${SECOND}`)]);
    const none = await w.refused(["cron", "job", "show", "chekc"]);
    expect([none.code, none.err]).toEqual([4, expect.stringContaining("did you mean check?")]);
    // A name means a live job before a deleted one, except in a restore.
    const gone = JSON.parse(await w.ok(["cron", "job", "delete", UID, ...guard(first)])).job;
    expect((await w.shown("check")).uid).toBe(SECOND);
    const back = await w.ok(["cron", "job", "restore", "check", ...guard(gone)]);
    expect(JSON.parse(back).job.uid).toBe(UID);
  });

  test("does not hide another job whose uid equals the name", async () => {
    const w = await named();
    const free = "01K4M0000000000000000000E3";
    await w.create(UID, "first");
    await w.create(SECOND, UID);
    expect((await w.shown(UID)).name).toBe("first");
    await w.create("01K4M0000000000000000000E4", free);
    expect((await w.shown(free)).name).toBe(free);
    const none = await w.refused(["cron", "job", "show", "01K4M0000000000000000000E5"]);
    expect([none.code, none.err]).toEqual([4, expect.stringContaining("cron not found")]);
  });
});

describe("cron job list", () => {
  test("shows in a table when each job is due next, and why a job is held", async () => {
    const w = await cronWorld();
    expect(await w.ok(["cron", "job", "list"])).toBe("No jobs.\n");
    const interval = { trigger: { kind: "interval", interval_seconds: 3600 } };
    const create = async (uid: string, name: string, definition: object) => {
      w.write({ name, definition: w.onIssue(definition) });
      await w.run(["cron", "job", "create", "--file", "d.json", "--uid", uid]);
    };
    const other = "01K4M0000000000000000000E2";
    await create(UID, "hourly", but(R, interval));
    await create(other, "off", but(R, { ...interval, enabled: false }));
    await create(
      "01K4M0000000000000000000E3",
      "never",
      but(R, { trigger: { kind: "cron", cron: "0 0 31 2 *" } }),
    );
    await create(
      "01K4M0000000000000000000E4",
      "ran",
      but(X, { enabled: true, trigger: { kind: "manual" } }),
    );
    const lines = (await w.ok(["cron", "job", "list"])).split("\n");
    expect(lines).toEqual([
      "name    next                  last  held      why",
      "hourly  2026-01-01T01:00:00Z  -     -",
      "never   -                     -     -         no time to come",
      "off     2026-01-01T01:00:00Z  -     disabled  the job is disabled",
      "ran     -                     -     -         no time to come; an adapter runs it",
      "",
    ]);
    expect(await w.ok(["cron", "job", "list", "-q"])).toContain(`${UID}\n`);
    const agent = await w.ok(["cron", "job", "list", "--agent"]);
    expect(agent).toContain(
      `OK jobs count=4\n- job=${UID} name=hourly next=2026-01-01T01:00:00Z\n`,
    );
    expect(agent).toContain('held=disabled why="the job is disabled"');
    await create("01K4M0000000000000000000E5", "off", but(R, interval));
    expect(await w.ok(["cron", "job", "list"])).toContain(`off (${other})`);
  });
});

describe("cron workflow", () => {
  test("a workflow has the same commands as a job", async () => {
    const w = await cronWorld();
    w.write({ name: "checks", definition: W });
    const of = (words: readonly string[]) => ["cron", "workflow", ...words];
    const { workflow } = JSON.parse(
      (await w.run(of(["create", "--file", "d.json", "--uid", UID]))).out,
    );
    expect(workflow.definition).toEqual(W);
    expect(JSON.parse(await w.ok(of(["show", UID]))).workflow).toEqual(workflow);
    expect(JSON.parse(await w.ok(of(["list"]))).workflows).toEqual([workflow]);
    const guard = (event: string) => ["--expected-event-uid", event];
    const changed = JSON.parse(
      await w.ok(of(["update", UID, "--file", "d.json", ...guard(workflow.definition_event_uid)])),
    ).workflow;
    const deleted = JSON.parse(
      await w.ok(of(["delete", UID, ...guard(changed.definition_event_uid)])),
    ).workflow;
    expect(deleted.deleted_at).toBeDefined();
    const back = JSON.parse(
      await w.ok(of(["restore", UID, ...guard(deleted.definition_event_uid)])),
    );
    expect(back.workflow.revision).toBe(4);
  });
});

describe("cron job preview and ledger", () => {
  test("show the times of a recurring job and what happened at each, in every form of output", async () => {
    const w = await cronWorld();
    const definition = w.onIssue(but(R, { trigger: { kind: "interval", interval_seconds: 3600 } }));
    w.write({ name: "hourly", definition });
    await w.run(["cron", "job", "create", "--file", "d.json", "--uid", UID]);
    expect(await w.ok(["cron", "job", "preview", UID, "-n", "2"])).toBe(
      [
        "hourly (UTC)",
        "  Thu 2026-01-01 01:00:00 +00:00  2026-01-01T01:00:00Z",
        "  Thu 2026-01-01 02:00:00 +00:00  2026-01-01T02:00:00Z",
        "",
      ].join("\n"),
    );
    expect(await w.ok(["cron", "job", "preview", UID, "-n", "1", "-q"])).toBe(
      "2026-01-01T01:00:00Z\n",
    );
    expect(await w.ok(["cron", "job", "preview", UID, "-n", "1", "--agent"])).toBe(
      `OK preview job=${UID} timezone=UTC count=1\n- at=2026-01-01T01:00:00Z local=2026-01-01T01:00:00 offset=+00:00 offset_changed=false\n`,
    );
    expect(await w.ok(["cron", "job", "ledger", UID])).toBe(
      "hourly (UTC)\n  nothing came due yet\n",
    );
    await w.ok([
      "close",
      w.issue.short_id,
      "--done",
      "-m",
      "Looked through everything, and nothing is left to do here",
      "--commit",
      "1a2b3c4",
    ]);
    w.clock.advance(7_200_000);
    expect(await w.run(["cron", "job", "ledger", UID, "-n", "1"])).toEqual({
      out: [
        "hourly (UTC); held: its parent is closed",
        "  2026-01-01T02:00:00Z  pending               its parent is closed",
        "",
      ].join("\n"),
      err: "... showing 1 (--before 2026-01-01T02:00:00Z goes on)\n",
      code: 0,
    });
    expect(
      await w.ok(["cron", "job", "ledger", UID, "--before", "2026-01-01T02:00:00Z", "--agent"]),
    ).toBe(
      `OK ledger job=${UID} held=parent_closed count=1\n- at=2026-01-01T01:00:00Z outcome=pending held=parent_closed\n`,
    );
    expect(await w.ok(["cron", "job", "ledger", UID, "-q"])).toMatch(
      /^2026-01-01T02:00:00Z pending\n/,
    );
  });

  test("svc cron job sweep says that nothing is due, or what holds the job, in every form of output", async () => {
    const w = await cronWorld();
    const definition = w.onIssue(but(R, { trigger: { kind: "interval", interval_seconds: 3600 } }));
    w.write({ name: "hourly", definition });
    await w.run(["cron", "job", "create", "--file", "d.json", "--uid", UID]);
    const sweep = ["cron", "job", "sweep", UID];
    expect(await w.ok(sweep)).toBe("hourly (UTC)\n  nothing is due; next 2026-01-01T01:00:00Z\n");
    expect(await w.ok([...sweep, "--agent"])).toBe(
      `OK sweep job=${UID} count=0 more=false next_at=2026-01-01T01:00:00Z\n`,
    );
    expect(JSON.parse(await w.ok([...sweep, "--json"])).made).toEqual([]);
    expect(await w.ok([...sweep, "-q"])).toBe("");
    await w.ok(["cron", "job", "disable", UID]);
    expect(await w.ok(sweep)).toBe(
      "hourly (UTC); held: the job is disabled\n  nothing is delivered while the job is held\n",
    );
  });

  test("svc cron job sweep names what it created, whom it notified, and what comes next", () => {
    const style = { paint: (_: string, text: string) => text, columns: undefined, quiet: false };
    const job = { uid: UID, name: "hourly", timezone: "UTC" };
    const made = [
      { at: "2026-01-01T01:00:00Z", child_uid: UID, child_short_id: "abc4", asked: "ann" },
      { at: "2026-01-01T02:00:00Z", child_uid: UID, child_short_id: "abc5" },
    ];
    const next_at = "2026-01-01T03:00:00Z";
    expect(sweepView.human({ job, made, more: false, next_at }, style)).toBe(
      [
        "hourly (UTC)",
        "  2026-01-01T01:00:00Z  made  abc4  for ann",
        "  2026-01-01T02:00:00Z  made  abc5  nobody is asked",
        "  nothing else is due; next 2026-01-01T03:00:00Z",
      ].join("\n"),
    );
    expect(sweepView.human({ job, made: [], more: true }, style)).toContain("sweep again");
    expect(sweepView.human({ job, made: [], more: false }, style)).toContain("no time to come");
    expect(sweepView.agent({ job, made, more: false, next_at }, false)).toBe(
      `OK sweep job=${UID} count=2 more=false next_at=${next_at}\n- at=2026-01-01T01:00:00Z issue=abc4 asked=ann\n- at=2026-01-01T02:00:00Z issue=abc5`,
    );
  });

  test("a definition in a file is previewed before it becomes a job, and a wrong one is refused just as on creation", async () => {
    const w = await cronWorld();
    w.write({ name: "check", definition: w.onIssue(but(R, { enabled: false })) });
    const preview = ["cron", "job", "preview", "--file", "d.json", "-n", "2"];
    expect(await w.ok([...preview, "--from", "2027-03-12T00:00:00Z"])).toBe(
      [
        "check (America/New_York); held: the job is disabled",
        "  Fri 2027-03-12 09:00:00 -05:00  2027-03-12T14:00:00Z",
        "  Mon 2027-03-15 09:00:00 -04:00  2027-03-15T13:00:00Z  the clock has changed",
        "",
      ].join("\n"),
    );
    expect(await w.ok([...preview, "--agent"])).toMatch(
      /^OK preview timezone=America\/New_York held=disabled count=2\n/,
    );
    const { parent_uid: _, ...issue } = R.issue;
    w.write({ name: "check", definition: but(R, { issue }) });
    expect(await w.ok([...preview, "--parent", w.issue.short_id, "-q"])).toBe(
      "2026-01-01T14:00:00Z\n2026-01-02T14:00:00Z\n",
    );
    expect((await w.refused(preview)).code).toBe(3);
    w.write({ name: "check", definition: R });
    const unknown = await w.refused(preview);
    expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining("parent_uid")]);
    expect(JSON.parse(await w.ok(["cron", "job", "list", "--json"])).jobs).toEqual([]);
    for (const words of [[], ["nightly", "--file", "d.json"]])
      expect((await w.refused(["cron", "job", "preview", ...words])).code).toBe(2);
    // In flags that look back, 3d means three days ago. This flag does not look back.
    const from = await w.refused([...preview, "--from", "3d"]);
    expect([from.code, from.err]).toEqual([3, expect.stringContaining("say tomorrow, fri, +3d")]);
  });

  test("a clock change, deliveries and discarded times are highlighted", () => {
    const style = {
      paint: (tone: string, text: string) => `<${tone}>${text}`,
      columns: undefined,
      quiet: false,
    };
    const job = { uid: UID, name: "check", timezone: "Europe/Berlin" };
    const entry = {
      at: "2026-01-01T02:00:00Z",
      outcome: "delivered",
      child_short_id: "abc4",
    } as const;
    const entries = [0, 59, 60, 3600, 86_400].map((late_seconds) => ({ ...entry, late_seconds }));
    const discarded = { at: entry.at, outcome: "discarded", policy: "latest" } as const;
    expect(
      ledgerView
        .human({ job, entries: [...entries, discarded] }, style)
        .split("\n")
        .slice(1),
    ).toEqual([
      ...["on time", "59s late", "1m late", "1h late", "1d late"].map(
        (late) => `  2026-01-01T02:00:00Z  delivered  <id>abc4  ${late}`,
      ),
      "  2026-01-01T02:00:00Z  discarded by latest ",
    ]);
    const changed = {
      at: "2026-03-29T01:00:00Z",
      local: "2026-03-29T03:00:00",
      offset: "+02:00",
      offset_changed: true,
    };
    expect(previewView.human({ job, occurrences: [changed] }, style)).toContain(
      "Sun 2026-03-29 03:00:00 +02:00  <faint>2026-03-29T01:00:00Z  <strong>the clock has changed",
    );
    expect(previewView.human({ job, occurrences: [] }, style)).toContain("no time to come");
  });
});
