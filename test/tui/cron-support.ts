import { stripVTControlCharacters } from "node:util";
import type { CronJob, CronRun } from "../../src/screen/cron/state.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { issue, NOW, type Session, screen } from "./support.ts";

export const lines = ({ state }: Session): string =>
  stripVTControlCharacters(frame(state, painter("none")).join("\n"));

export const JOB = "01JJOB00000000000000000000";

/** Makes a job that svc delivers itself. */
export function job(name: string, more: Partial<CronJob> = {}): CronJob {
  return {
    id: 1,
    uid: JOB,
    project_id: 1,
    name,
    definition: {
      version: 1,
      kind: "job",
      enabled: true,
      trigger: { kind: "cron", cron: "0 9 * * 1", timezone: "Europe/Paris" },
      action: { kind: "notify", recipient: "ana" },
      issue: { kind: "per-run", parent_uid: issue(1).uid, title: "Look" },
      overlap: "allow",
      catchup: "latest",
    },
    definition_event_uid: "01JEVENT000000000000000000",
    definition_hlc: { version: 1, physical_ms: 1, counter: 0, origin_instance_uid: "x" },
    author: "ana",
    revision: 1,
    created_at: NOW,
    updated_at: NOW,
    ...more,
  };
}

/** The definition of a job that an adapter runs. */
export const ADAPTED = {
  version: 1,
  kind: "job",
  enabled: true,
  trigger: { kind: "manual" },
  action: { kind: "execute", prompt: "check" },
  issue: { kind: "existing", uid: issue(1).uid },
  overlap: "forbid",
  catchup: "skip",
};

export function run(number: number, more: Partial<CronRun> = {}): CronRun {
  return {
    id: number,
    uid: `01JRUN${String(number).padStart(20, "0")}`,
    project_id: 1,
    job_uid: JOB,
    issue_uid: issue(1).uid,
    actor: "runner",
    status: "succeeded",
    summary: { version: 1, message: "labelled 7", input_tokens: 81_000, output_tokens: 400 },
    revision: 1,
    created_at: NOW,
    started_at: "2026-11-21T09:00:00.000Z",
    ended_at: "2026-11-21T09:04:40.000Z",
    updated_at: NOW,
    ...more,
  };
}

export function open(): Session {
  const session = screen(100, 24).keys("4");
  session.tell({ type: "cron", cron: { jobs: [job("nightly-triage")] } });
  session.tell({
    type: "cron",
    cron: { runs: [run(2), run(1, { status: "failed" })], more: run(1).uid },
  });
  return session;
}
