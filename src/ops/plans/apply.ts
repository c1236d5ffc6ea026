import { NeedsWorker } from "../../base/budget.ts";
import { sha256Hex } from "../../base/hash.ts";
import { canonicalJson, type JsonValue } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import type { applyPlan as contract } from "../../contract/plans.ts";
import type { Input } from "../../contract/route.ts";
import { creationOrder, type PlanFault, planEdges, planFaults } from "../../domain/plan.ts";
import { planSource } from "../../domain/plan-names.ts";
import { isReady } from "../../domain/readiness.ts";
import { qualifiedId } from "../../domain/refs.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireProject } from "../find.ts";
import { warningsOut } from "../out/warnings.ts";
import { createPlanned, linksByCreation } from "./create.ts";
import { metadataOfPlan } from "./metadata.ts";
import { resolveTargets } from "./targets.ts";

type Body = Input<typeof contract>["body"];

/** If a plan has more issues than this, a worker handles the request. */
const SMALL_WORK = 10;

/**
 * Creates all missing issues of a plan, or none, and reports all faults at once. Each issue is identified by the plan's
 * name and its own name, like an imported issue. So a plan may be applied again, even with more issues; existing issues
 * do not change.
 */
export const applyPlan: Op<typeof contract, "store" | "ids" | "smallWorkOnly"> = async (
  deps,
  who,
  { params, body },
) => {
  const actor = actorOf(who, body.actor);
  if (deps.smallWorkOnly === true && body.issues.length > SMALL_WORK) throw new NeedsWorker();
  const plan = body.plan ?? digestOf(body.issues);
  const source = planSource(plan);
  const edges = planEdges(body.issues);
  const metadata = metadataOfPlan(body.issues);
  const faults = [...planFaults(body.issues, edges), ...metadata.faults];
  return await deps.store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    const known = await knownIssues(tx, project.uid, source, body.issues);
    const targets = await resolveTargets(tx, project, { issues: body.issues, edges, known });
    refuse([...faults, ...targets.faults]);
    const fresh = creationOrder(body.issues).filter(({ name }) => !known.has(name));
    const links = linksByCreation(fresh, edges, targets.peers);
    const { uids: createdUids, warnings } = await createPlanned(deps, tx, {
      project,
      actor,
      source,
      fresh,
      links,
      metadata: metadata.byName,
    });
    const applied = await answer(tx, { plan, body, known, createdUids });
    return { ...applied, ...warningsOut(warnings) };
  });
};

/**
 * Returns the name for a plan that was sent without one. It is a hash of the plan's content, so the same plan always
 * has the same name.
 */
function digestOf(issues: Body["issues"]): string {
  return sha256Hex(canonicalJson(issues as unknown as JsonValue)).slice(0, 16);
}

async function knownIssues(
  tx: Tx,
  projectUid: string,
  source: string,
  issues: Body["issues"],
): Promise<ReadonlyMap<string, StoredIssue>> {
  const uids = await tx.marks.findImports(
    projectUid,
    source,
    issues.map(({ name }) => name),
  );
  const found = await tx.issues.many([...uids.values()]);
  return new Map(
    [...uids].flatMap(([name, uid]) => {
      const issue = found.get(uid);
      return issue === undefined ? [] : [[name, issue] as const];
    }),
  );
}

function refuse(faults: readonly PlanFault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const more = faults.length === 1 ? "" : ` (and ${faults.length - 1} more)`;
  throw new SvcError(
    "plan_invalid",
    { errors: faults },
    { message: `${first.field}: ${first.message}${more}` },
  );
}

interface Applied {
  readonly plan: string;
  readonly body: Body;
  readonly known: ReadonlyMap<string, StoredIssue>;
  readonly createdUids: ReadonlyMap<string, string>;
}

async function answer(tx: Tx, { plan, body, known, createdUids }: Applied) {
  const fresh = await tx.issues.many([...createdUids.values()]);
  const all = body.issues.flatMap(({ name }) => {
    const issue = fresh.get(createdUids.get(name) ?? "") ?? known.get(name);
    return issue === undefined ? [] : [{ name, issue, created: createdUids.has(name) }];
  });
  const ready = all.filter(
    ({ issue }) =>
      issue.status === "open" && issue.deleted_at === null && isReady(issue, tx.now, false),
  );
  return {
    plan,
    changed: createdUids.size > 0,
    created: createdUids.size,
    issues: all.map(({ name, issue, created }) => ({ ...namedIdentity(name, issue), created })),
    ready: ready.map(({ name, issue }) => ({ ...namedIdentity(name, issue), title: issue.title })),
  };
}

function namedIdentity(name: string, { uid, short_id, project_name }: StoredIssue) {
  return { name, uid, short_id, qualified_id: qualifiedId(project_name, short_id) };
}
