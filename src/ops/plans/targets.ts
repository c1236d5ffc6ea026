import { SvcError } from "../../contract/errors.ts";
import type { Peer } from "../../domain/links.ts";
import { fault, type PlanEdge, type PlanFault, type PlanNode } from "../../domain/plan.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { peerOf, requirePeer } from "../find.ts";

interface RequestedPlan {
  readonly issues: readonly PlanNode[];
  readonly edges: readonly PlanEdge[];
  /** Issues that an earlier application of the plan created. */
  readonly known: ReadonlyMap<string, StoredIssue>;
}

export async function resolveTargets(
  reader: Reader,
  project: StoredProject,
  { issues, edges, known }: RequestedPlan,
): Promise<{
  readonly faults: readonly PlanFault[];
  readonly peers: ReadonlyMap<string, Peer>;
}> {
  const faults: PlanFault[] = [];
  const peers = new Map<string, Peer>();
  const fresh = new Set<string>();
  issues.forEach(({ name }, at) => {
    const issue = known.get(name);
    if (issue === undefined) fresh.add(name);
    else if (issue.deleted_at === null) peers.set(name, peerOf(issue));
    else faults.push(fault(`issues[${at}].name`, `${name} was made before and deleted`));
  });
  for (const { from, to, field } of edges) {
    for (const name of [from, to]) {
      if (fresh.has(name) || known.has(name) || peers.has(name)) continue;
      const found = await findPeer(reader, project, name);
      if (!(found instanceof SvcError)) peers.set(name, found);
      else faults.push(fault(field, found.message, found.code));
    }
  }
  return { faults, peers };
}

async function findPeer(
  reader: Reader,
  project: StoredProject,
  text: string,
): Promise<Peer | SvcError> {
  try {
    const found = await requirePeer(reader, project.uid, text);
    if (!found.project_archived) return found;
    return new SvcError(
      "link_target_archived",
      {},
      { message: `${text} is in an archived project` },
    );
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
}
