import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import { parseJson } from "../../src/base/json.ts";
import type { EventDraft, Payload } from "../../src/contract/events.ts";
import type { Store } from "../../src/store/types/store.ts";
import { created, projectCreated, uid } from "../store/drafts.ts";
import {
  type Dialect,
  deps,
  examine,
  exportTo,
  freshTarget,
  plain,
  scratch,
  withStore,
} from "./targets.ts";

const [PROJECT, OTHER, PARENT] = [uid(1), uid(2), uid(3)];
const [JOB, FLOW, RUN, GONE] = [uid(4), uid(5), uid(6), uid(7)];
const AT = "2026-01-01T00:00:00.000Z";

const native = {
  version: 1,
  kind: "job",
  enabled: true,
  trigger: { kind: "interval", interval_seconds: 60 },
  action: { kind: "notify", recipient: "ann" },
  issue: { kind: "per-run", parent_uid: PARENT, title: "check" },
  overlap: "allow",
  catchup: "all",
};

const document = (of: string, definition: object): Payload<"cron.job.created"> => ({
  uid: of,
  project_uid: PROJECT,
  name: "nightly",
  definition: definition as Payload<"cron.job.created">["definition"],
  author: "ann",
  created_at: AT,
  updated_at: AT,
});

/**
 * Writes a native job with its checkpoint, a workflow with numbers that must stay exact, a tombstone, and a run that
 * ended.
 */
async function story(store: Store): Promise<void> {
  await store.write(async (tx) => {
    const append = async (draft: EventDraft) => await tx.append(draft);
    const about = { actor: "ann", project_uid: PROJECT };
    await tx.append(projectCreated(PROJECT, "web"));
    await tx.append(projectCreated(OTHER, "other"));
    await tx.append(created(PROJECT, PARENT));
    await append({ type: "cron.job.created", ...about, payload: document(JOB, native) });
    const steps = { version: 1, steps: [{ key: "a", kind: "command", command: "make" }] };
    const exact = parseJson('{"n":1.10,"big":12345678901234567890}');
    const flow = document(FLOW, { ...steps, options: exact });
    await append({ type: "cron.workflow.created", ...about, payload: flow });
    await append({ type: "cron.job.created", ...about, payload: document(GONE, steps) });
    const deleted = { ...document(GONE, steps), deleted_at: AT };
    await append({ type: "cron.job.deleted", ...about, payload: deleted });
    const run: Payload<"cron.run.observed"> = {
      uid: RUN,
      project_uid: PROJECT,
      job_uid: JOB,
      definition_event_uid: uid(8),
      issue_uid: PARENT,
      actor: "ann",
      status: "succeeded",
      summary: { version: 1, input_tokens: 5, output_tokens: 6 },
      revision: 1,
      created_at: AT,
      started_at: AT,
      ended_at: "2026-01-01T00:00:07.000Z",
      updated_at: AT,
    };
    await append({ type: "cron.run.observed", ...about, payload: run });
  });
}

const CASES: readonly (readonly [Dialect, Dialect])[] = [
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
];

describe("an export with jobs, workflows and runs", () => {
  test.each(CASES)(
    "an export with jobs, workflows and runs gives the same bytes from %s to %s and back, and doctor finds no fault",
    async (from, to) => {
      const folder = await scratch();
      const source = await freshTarget(from, folder);
      await withStore(source, story);
      const first = await exportTo(source, join(folder, "one.jsonl"));
      const records = first
        .split("\n")
        .filter((line) => line.startsWith('{"kind":"cron_'))
        .map((line) => [JSON.parse(line).kind, JSON.parse(line).data]);
      expect(records).toMatchObject([
        ["cron_job", { uid: JOB, project_id: 1, revision: 1, definition: native }],
        ["cron_job", { uid: GONE, revision: 2, deleted_at: AT }],
        ["cron_workflow", { uid: FLOW, definition_hlc: { version: 1 } }],
        ["cron_run", { uid: RUN, job_uid: JOB, status: "succeeded", revision: 1 }],
      ]);
      expect(records[0]?.[1]).not.toHaveProperty("parent_uid");
      expect(records[3]?.[1]).not.toHaveProperty("duration_ms");
      expect(first).toContain('{"big":12345678901234567890,"n":1.10}');
      const target = await freshTarget(to, folder);
      await restoreFile(deps, { ...plain, file: join(folder, "one.jsonl"), target });
      expect(await exportTo(target, join(folder, "two.jsonl"))).toBe(first);
      const report = await examine(target);
      expect(report).not.toHaveProperty("fold");
      expect(report.changedEvents).toEqual([]);
      await withStore(target, async (store) => {
        const [natives, sums] = await store.read(async (reader) => [
          await reader.cron.nativeJobs(),
          await reader.runs.report(PROJECT, "day", {}),
        ]);
        expect(natives.map((job) => job.uid)).toEqual([JOB]);
        expect(sums).toMatchObject([{ key: "2026-01-01", input_tokens: 5, duration_ms: 7000 }]);
      });
    },
  );

  test.each<[Dialect]>([["sqlite"], ["postgres"]])(
    "an export on %s contains no jobs, workflows or runs of a purged project",
    async (dialect) => {
      const folder = await scratch();
      const source = await freshTarget(dialect, folder);
      await withStore(source, async (store) => {
        await story(store);
        await store.write(async (tx) => {
          const payload = { alias_count: 0, open_issues: 1, force: true };
          const about = { actor: "ann", project_uid: PROJECT };
          await tx.append({ type: "project.removed", ...about, payload });
          const project = await tx.projects.find(PROJECT);
          if (project !== undefined) await tx.purgeProject(project, { actor: "ann", reason: null });
        });
        const left = await store.read(async (reader) => [
          await reader.cron.job(JOB),
          await reader.cron.workflow(FLOW),
          await reader.runs.find(RUN),
        ]);
        expect(left).toEqual([undefined, undefined, undefined]);
      });
      const text = await exportTo(source, join(folder, "one.jsonl"));
      expect(text).not.toContain('"kind":"cron_');
      expect(await examine(source)).not.toHaveProperty("fold");
    },
  );
});
