import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "vitest";
import { msToInstant, systemClock } from "../../../src/base/clock.ts";
import type { Web } from "./web.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long ago the jobs were made. A daily job was due three times since then, the last time 12 hours ago. */
const AGO_MS = 84 * HOUR_MS;

const WALK = "01M80000000000000000000J01";
const ROUND = "01M80000000000000000000J02";
const TRIAGE = "01M80000000000000000000J03";
const FLOW = "01M80000000000000000000W01";
const RUN_1 = "01M80000000000000000000R01";
const RUN_2 = "01M80000000000000000000R02";

interface Issue {
  readonly uid: string;
  readonly short_id: string;
}

/** The issue of the runs, and the uid of an issue without runs. */
interface Recorded extends Issue {
  readonly idle: string;
}

interface RecordedJob {
  readonly issue: Issue;
  readonly job: { readonly definition_event_uid: string };
  readonly workflow: { readonly definition_event_uid: string };
}

/**
 * A project called harbour, made some days ago, with three jobs: `daily walk`, which svc delivers; `old round`, which is
 * held because its parent is closed; and `triage`, which an adapter ran twice by a workflow before its definition was
 * changed.
 *
 * svc has delivered the newest due time of the daily job, and has discarded two.
 */
export async function recorded(web: Web): Promise<Recorded> {
  const pastMs = systemClock.nowMs() - AGO_MS;
  const issue = await inThePast(web, pastMs, async () => await makeJobs(web, pastMs));
  // The daemon that runs now delivers what was due meanwhile.
  const ledger = `/projects/1/cron/jobs/${WALK}/ledger`;
  await expect
    .poll(async () => (await web.call("GET", ledger)).body)
    .toMatchObject({ entries: [{ outcome: "delivered" }, {}, {}] });
  return issue;
}

/** Does `work` with a daemon whose clock shows the past. It has the home and the address of the daemon of `web`. */
async function inThePast<Result>(
  web: Web,
  pastMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const { folder, endpoint, end } = web.daemon;
  await end("SIGTERM");
  const child = spawn(process.execPath, [PROCESS, endpoint.address, msToInstant(pastMs)], {
    cwd: folder,
    env: { HOME: folder, SVC_HOME: join(folder, "home"), XDG_RUNTIME_DIR: join(folder, "run") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  try {
    // If the daemon cannot start, the process closes and `work` fails at its first request.
    await Promise.race([once(child.stdout, "data"), closed]);
    return await work();
  } finally {
    child.kill("SIGTERM");
    await closed;
    await web.startAgain();
  }
}

const PROCESS = join(import.meta.dirname, "..", "..", "support", "past-daemon-process.ts");

/** Makes what `recorded` describes, with the daemon that runs. Its clock shows `nowMs`, so nothing is due yet. */
export async function makeJobs(web: Web, nowMs: number): Promise<Recorded> {
  const make = async (path: string, body: object): Promise<RecordedJob> =>
    (await send(web, "POST", path, body)) as RecordedJob;
  await make("/projects", { name: "harbour" });
  const cron = "/projects/1/cron";
  const issues = "/projects/1/issues";
  const { issue: quay } = await make(issues, { title: "The quay" });
  const { issue: old } = await make(issues, { title: "What was there before" });
  const { issue } = await make(issues, { title: "Sort what came in" });

  await make(`${cron}/jobs`, { uid: WALK, name: "daily walk", definition: daily(quay.uid) });
  await make(`${cron}/jobs`, { uid: ROUND, name: "old round", definition: daily(old.uid) });
  await make(`${issues}/${old.short_id}/actions/close`, {
    reason: "done",
    message: "The old quay was taken down last week, stone by stone.",
    evidence: [{ type: "commit", sha: "1f2e3d4" }],
  });

  const { workflow } = await make(`${cron}/workflows`, {
    ...{ uid: FLOW, name: "sort and tell", definition: SORT_AND_TELL },
  });
  const triage = { name: "triage", definition: monthly(issue.uid, "skip") };
  const { job } = await make(`${cron}/jobs`, { uid: TRIAGE, ...triage });
  const by = {
    ...{ job_uid: TRIAGE, definition_event_uid: job.definition_event_uid },
    ...{ workflow_uid: FLOW, workflow_definition_event_uid: workflow.definition_event_uid },
  };
  await record(web, issue.uid, nowMs, by);
  await send(web, "PATCH", `${cron}/jobs/${TRIAGE}`, {
    ...{ name: "triage", definition: monthly(issue.uid, "latest") },
    expected_event_uid: job.definition_event_uid,
  });
  return { ...issue, idle: quay.uid };
}

/** Records the runs of an issue, which ended before `nowMs`; `by` names the definitions that were run. */
async function record(web: Web, issue_uid: string, nowMs: number, by: object): Promise<void> {
  for (const [uid, status, start, end, summary] of RUNS)
    await send(web, "PUT", `/projects/1/cron/runs/${uid}`, {
      ...{ issue_uid, status, actor: "robot", expected_revision: 0, ...by },
      started_at: msToInstant(nowMs - start * MINUTE_MS),
      ended_at: msToInstant(nowMs - end * MINUTE_MS),
      summary: { version: 1, ...summary },
    });
}

/** The runs: how many minutes ago each started and ended, and what its summary says. */
const RUNS: readonly (readonly [string, string, number, number, object])[] = [
  [RUN_1, "succeeded", 180, 90, { input_tokens: 80_000, output_tokens: 5000 }],
  [
    RUN_2,
    "failed",
    60,
    30,
    { input_tokens: 40_000, output_tokens: 3000, message: "the box was full" },
  ],
];

async function send(web: Web, method: string, path: string, body: object): Promise<unknown> {
  const { status, body: answer } = await web.call(method, path, { actor: "ann", ...body });
  if (status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer;
}

const daily = (parent_uid: string) => ({
  ...{ version: 1, kind: "job", enabled: true, overlap: "allow", catchup: "latest" },
  trigger: { kind: "interval", interval_seconds: 86_400 },
  issue: { kind: "per-run", title: "Walk along the quay", parent_uid },
  action: { kind: "notify", recipient: "ann" },
});

const monthly = (uid: string, catchup: string) => ({
  ...{ version: 1, kind: "job", enabled: true, overlap: "forbid", catchup },
  trigger: { kind: "cron", cron: "0 9 1 * *", timezone: "Europe/Berlin" },
  issue: { kind: "existing", uid },
  action: { kind: "execute", workflow_uid: FLOW },
});

const SORT_AND_TELL = {
  version: 1,
  steps: [
    { key: "sort", kind: "prompt", prompt: "sort" },
    { key: "tell", kind: "command", command: "tell", after: ["sort"] },
  ],
};
