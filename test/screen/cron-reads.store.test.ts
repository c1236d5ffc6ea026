import { expect, test } from "vitest";
import { transportOf } from "../../src/client/transport.ts";
import type { CronState, ReadVersion } from "../../src/screen/cron/state.ts";
import {
  type CronRequest,
  readCron,
  readJobRuns,
  readOlder,
} from "../../src/screen/effects/reads/cron.ts";
import { readVersions } from "../../src/screen/effects/reads/versions.ts";
import { type Twins, twins } from "../tui/twins.ts";

const JOB = "01K4M0000000000000000000E1";
const FLOW = "01K4M0000000000000000000F1";
const OPTIONS = '{"n":1.10,"big":12345678901234567890}';

/** A real daemon with a job that an adapter runs, and the job's workflow. */
async function world() {
  const w = await twins();
  const write = async (words: readonly string[], name: string, definition: object) => {
    const text = JSON.stringify(definition).replace('"OPTIONS"', OPTIONS);
    const stdin = `{"name":${JSON.stringify(name)},"definition":${text}}`;
    const { out, err, code } = await w.run(["cron", ...words, "--file", "-"], { stdin });
    if (code !== 0) throw new Error(err);
    const { job, workflow } = JSON.parse(out) as Record<string, { definition_event_uid: string }>;
    return (job ?? workflow)?.definition_event_uid ?? "";
  };
  const steps = [{ key: "build", kind: "command", command: "make" }];
  const flow = { version: 1, steps, options: "OPTIONS" };
  const flowEvent = await write(["workflow", "create", "--uid", FLOW], "triage", flow);
  const base = {
    ...{ version: 1, kind: "job", enabled: true, trigger: { kind: "manual" } },
    ...{ action: { kind: "execute", workflow_uid: FLOW }, overlap: "forbid", catchup: "skip" },
    ...{ issue: { kind: "existing", uid: w.screen.uid }, options: "OPTIONS" },
  };
  const jobEvent = await write(["job", "create", "--uid", JOB], "nightly", base);
  const change = async (event: string, name: string, definition: object) =>
    await write(["job", "update", JOB, "--expected-event-uid", event], name, definition);
  return { ...w, base, flowEvent, jobEvent, change };
}

async function observe(
  w: Twins,
  uid: string,
  definition_event_uid: string,
  job_uid = JOB,
): Promise<void> {
  const run = {
    ...{ job_uid, definition_event_uid, status: "succeeded", expected_revision: 0 },
    summary: { version: 1 },
  };
  const words = ["cron", "run", "observe", uid, "--json-input", "-"];
  const { code, err } = await w.run(words, { stdin: JSON.stringify(run) });
  if (code !== 0) throw new Error(err);
}

const runUid = (at: number): string => `01K4M0000000000000${String(at).padStart(8, "0")}`;

async function read(w: Twins, asked: Partial<CronRequest>): Promise<Partial<CronState>> {
  const { project_id } = w.screen;
  const effect = { effect: "load-cron", project_id, tab: "runs", job: undefined } as const;
  let cron: Partial<CronState> = {};
  for await (const part of readCron(transportOf(w.client), {
    ...effect,
    shown: 0,
    wait: 0,
    ...asked,
  }))
    cron = { ...cron, ...part.cron };
  return cron;
}

test("runs are read page by page, a reload reads as many as are shown, and one job's runs can be read alone", async () => {
  const w = await world();
  const other = "01K4M0000000000000000000E2";
  const { project_id } = w.screen;
  const stdin = `{"name":"other","definition":${JSON.stringify({ ...w.base, options: {} })}}`;
  const made = await w.run(["cron", "job", "create", "--file", "-", "--uid", other], { stdin });
  const { job } = JSON.parse(made.out) as { job: { definition_event_uid: string } };
  await observe(w, runUid(0), job.definition_event_uid, other);
  for (let at = 1; at <= 101; at += 1) await observe(w, runUid(at), w.jobEvent);
  const first = await read(w, {});
  expect([first.runs?.length, first.more]).toEqual([100, first.runs?.at(-1)?.uid]);
  const before = first.more ?? "";
  const asked = { effect: "load-older", project_id, tab: "runs", job: undefined, before } as const;
  const { cron: older, older: behind } = await readOlder(transportOf(w.client), asked);
  expect([older.runs?.length, older.more, behind]).toEqual([2, undefined, before]);
  const all = await read(w, { shown: 101 });
  expect(all.runs).toEqual([...(first.runs ?? []), ...(older.runs ?? [])]);
  const ofJob = await readJobRuns(transportOf(w.client), {
    ...{ effect: "load-job-runs", project_id, job: other, wait: 0 },
  });
  expect(ofJob.runs?.map(({ uid }) => uid)).toEqual([runUid(0)]);
}, 60_000);

test("the tab of series reads only the series, and no jobs", async () => {
  const w = await world();
  const daemon = transportOf(w.client);
  const asked: string[] = [];
  const counted: typeof daemon = {
    text: async (id, input) => await daemon.text(id, input),
    call: async (id, input) => {
      asked.push(id);
      return await daemon.call(id, input);
    },
  };
  const { project_id } = w.screen;
  const effect = { effect: "load-cron", project_id, job: undefined, shown: 0, wait: 0 } as const;
  const answers: unknown[] = [];
  for await (const one of readCron(counted, { ...effect, tab: "series" })) answers.push(one);
  expect(asked).toEqual(["listRecurrences"]);
  expect(answers).toMatchObject([{ tab: "series", cron: { series: [], error: undefined } }]);
});

test("a definition is read as it was at its event and as it is now, with every digit of its numbers", async () => {
  const w = await world();
  let event = w.jobEvent;
  const changed = {
    ...w.base,
    catchup: "latest",
    trigger: { kind: "interval", interval_seconds: 60 },
  };
  for (let at = 0; at < 101; at += 1)
    event = await w.change(event, `nightly ${at}`, { ...w.base, enabled: at % 2 === 0 });
  const last = await w.change(event, "renamed", changed);
  const { project_id } = w.screen;
  const versions = async (...asked: readonly (readonly [ReadVersion["kind"], string, string?])[]) =>
    (
      await readVersions(transportOf(w.client), {
        ...{ effect: "load-versions", project_id, of: "it" },
        asked: asked.map(([kind, uid, at]) => ({ kind, uid, event: at })),
      })
    ).versions;
  const [then, before, now, named, flow, gone] = await versions(
    ["job", JOB, w.jobEvent],
    ["job", JOB, event],
    ["job", JOB],
    ["job", JOB, last],
    ["workflow", FLOW, w.flowEvent],
    ["job", JOB, w.flowEvent],
  );
  expect(then).toMatchObject({
    ...{ name: "nightly", event: w.jobEvent, actor: "ann", isCurrent: false },
    differs: ["name", "trigger", "catchup"],
  });
  expect(before).toMatchObject({ name: "nightly 100", isCurrent: false });
  expect(now).toMatchObject({ name: "renamed", event: last, isCurrent: true, differs: [] });
  expect(named).toEqual(now);
  expect(flow).toMatchObject({ name: "triage", isCurrent: true });
  expect(gone).toEqual({
    ...{ kind: "job", uid: JOB, event: w.flowEvent },
    error: `the log has no event ${w.flowEvent} any more`,
  });
  for (const one of [then, now, flow]) {
    if (one === undefined || "error" in one) throw new Error("it is there");
    expect(one.text).toContain('"n": 1.10');
    expect(one.text).toContain('"big": 12345678901234567890');
  }
  const order = (text: string): readonly string[] =>
    [...text.matchAll(/^ {2}"(\w+)"/gm)].map(([, name = ""]) => name);
  if (then === undefined || "error" in then || now === undefined || "error" in now) return;
  expect(order(then.text)).toEqual(order(now.text));
  expect(order(then.text).slice(0, 3)).toEqual(["version", "kind", "enabled"]);
}, 60_000);
