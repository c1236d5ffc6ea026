import type * as contract from "../../../contract/cron-runs.ts";
import { MAX_RUNS } from "../../../contract/limits.ts";
import type { StoredProject, StoredRun } from "../../../store/types/rows.ts";
import type { Reader } from "../../../store/types/store.ts";
import type { ReadOp } from "../../deps.ts";
import { requireProject } from "../../find.ts";
import { cronNotFound } from "../definitions.ts";
import { runOut } from "./out.ts";

export const listCronRuns: ReadOp<typeof contract.listCronRuns> = async (
  { store },
  _who,
  { params, query },
) => {
  const limit = query.limit === undefined || query.limit === 0 ? MAX_RUNS : query.limit;
  return await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const { before_uid } = query;
    const before =
      before_uid === undefined ? undefined : await requireRun(reader, project, before_uid);
    const runs = await reader.runs.list(project.uid, {
      job_uid: query.job_uid?.toUpperCase(),
      before,
      limit,
    });
    const last = runs.at(-1);
    return {
      runs: runs.map((run) => runOut(run, project)),
      ...(runs.length === limit && last !== undefined ? { next_before_uid: last.uid } : {}),
    };
  });
};

export const showCronRun: ReadOp<typeof contract.showCronRun> = async (
  { store },
  _who,
  { params },
) =>
  await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    return { run: runOut(await requireRun(reader, project, params.run_uid), project) };
  });

async function requireRun(
  reader: Reader,
  project: StoredProject,
  text: string,
): Promise<StoredRun> {
  const uid = text.toUpperCase();
  const run = await reader.runs.find(uid);
  if (run?.project_uid === project.uid) return run;
  throw cronNotFound({ run_uid: uid }, "run", uid);
}
