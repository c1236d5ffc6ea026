import { NeedsWorker } from "../../base/budget.ts";
import type { criticalPath as contract } from "../../contract/graph.ts";
import { findCriticalPath, type Step } from "../../domain/critical-path.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadOp } from "../deps.ts";
import { requireIssue, requireProject } from "../find.ts";
import { linkPeer } from "../out/issues.ts";

const DEFAULT_LIMIT = 20;

/** If more open issues than this must be read, a worker handles the request. */
const SMALL_WORK = 1000;

/**
 * Finds the longest chain of open blockers that ends in the project or in one issue, and the number of issues that wait
 * for each blocker. Chains may begin in other projects, and waiting issues of all projects are counted.
 */
export const criticalPath: ReadOp<typeof contract, "store" | "smallWorkOnly"> = async (
  deps,
  _who,
  { params, query },
) =>
  await deps.store.read(async (reader) => {
    const isGoal = await goalTest(reader, params.project_id, query.ref);
    if (deps.smallWorkOnly === true && (await openIssues(reader)) > SMALL_WORK)
      throw new NeedsWorker();
    const pairs = await reader.links.openBlocks();
    const edges = pairs.map(({ from_uid, to_uid }) => ({ from: from_uid, to: to_uid }));
    const ends = pairs.flatMap(({ to_uid, to_project_uid, from_uid, from_project_uid }) => [
      [to_uid, to_project_uid] as const,
      [from_uid, from_project_uid] as const,
    ]);
    const projects = new Map(ends);
    const result = findCriticalPath(edges, (uid) => isGoal(uid, projects.get(uid)));
    const limit = query.limit ?? DEFAULT_LIMIT;
    const waited_for = limit === 0 ? result.waited_for : result.waited_for.slice(0, limit);
    const uids = [...result.path, ...waited_for].map(({ uid }) => uid);
    const issues = await reader.issues.many([...new Set(uids)]);
    const stepsOut = (steps: readonly Step[]) => steps.flatMap((step) => stepOut(step, issues));
    const waited_for_count = result.waited_for.length;
    return { path: stepsOut(result.path), waited_for: stepsOut(waited_for), waited_for_count };
  });

async function openIssues(reader: Reader): Promise<number> {
  const projects = await reader.projects.list(false);
  const stats = await reader.projects.stats(projects.map(({ uid }) => uid));
  return [...stats.values()].reduce((sum, { open }) => sum + open, 0);
}

type IsGoal = (uid: string, projectUid: string | undefined) => boolean;

async function goalTest(
  reader: Reader,
  project_id: number,
  ref: string | undefined,
): Promise<IsGoal> {
  if (ref === undefined) {
    const project = await requireProject(reader, project_id);
    return (_, projectUid) => projectUid === project.uid;
  }
  const { issue } = await requireIssue(reader, { project_id, ref });
  return (uid) => uid === issue.uid;
}

function stepOut({ uid, waiting, circle }: Step, issues: ReadonlyMap<string, StoredIssue>) {
  const issue = issues.get(uid);
  if (issue === undefined) return [];
  const { title, status, owner } = issue;
  return [
    {
      issue: { ...linkPeer(issue), title, status, ...(owner === null ? {} : { owner }) },
      waiting,
      ...(circle ? { circle } : {}),
    },
  ];
}
