import { NeedsWorker } from "../../base/budget.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";
import { adoptProject } from "./adopt-project.ts";
import { prepareBaseline } from "./baseline.ts";
import { type AskedReplica, type Bound, collision, newBinding } from "./bind-replica.ts";
import { findBinding } from "./binding.ts";

/** A join that hands a project of this daemon over to the hub. It is JSON, so that a worker may be sent it. */
export type AdoptionRequest = Omit<AskedReplica, "token">;

export interface AdoptionAnswer extends Bound {
  /** How many issues the hub is sent. */
  readonly snapshots: number;
}

/**
 * Makes a project of this daemon a copy of the hub's project: it gets the uid that it has there, and its issues are sent
 * as they are (facts federation 4, "Adoption"). Its own history is deleted. All of it happens in one write, which a worker
 * carries out whatever its size, since it changes every row of the project.
 */
export async function adoptExisting(
  { store, smallWorkOnly }: Pick<Deps, "store" | "smallWorkOnly">,
  request: AdoptionRequest,
): Promise<AdoptionAnswer> {
  const asked = { ...request, token: undefined };
  const uid = asked.hub_project_uid;
  const { uid: own } = await store.read(async (reader) => await projectToAdopt(reader, asked));
  if (smallWorkOnly === true) throw new NeedsWorker();
  const prepared = await prepareBaseline({ store }, own, asked.actor);
  return await store.write(async (tx) => {
    const project = await projectToAdopt(tx, asked);
    const { first, through, snapshots } = await adoptProject(tx, { project, uid }, prepared);
    await tx.forgetPurges(uid);
    const binding = {
      ...newBinding(asked, tx.now),
      push_enabled: 1 as const,
      push_cursor_event_id: first - 1,
      adopted_through_event_id: through,
    };
    await tx.unfolded.put("federation_binding", binding);
    // A join that hands over a project ends a leave of it that was prepared.
    for (const project_uid of new Set([uid, project.uid]))
      await tx.unfolded.remove("federation_leave", { project_uid });
    const adopted = (await tx.projects.find(uid)) ?? project;
    return { project: adopted, binding, snapshots };
  });
}

/**
 * Finds the project that is handed over, by its name on the hub. Throws unless it is one of this daemon's own, or one that
 * has left that hub.
 */
async function projectToAdopt(
  reader: Reader,
  { project_name, hub_project_uid: uid }: AdoptionRequest,
): Promise<StoredProject> {
  const holder = await reader.projects.find(uid);
  const named = await reader.projects.findByName(project_name);
  if (holder !== undefined && holder.name !== project_name)
    throw collision(holder, "has the uid of the hub's project", "rename it first");
  const project = named ?? holder;
  if (project === undefined)
    throw new SvcError("federation_project_not_found", { project: project_name });
  if (project.deleted_at !== null) throw collision(project, "is archived", "restore it first");
  if ((await findBinding(reader, project)) !== undefined)
    throw new SvcError("federation_binding_conflict", {
      project_uid: project.uid,
      fields: ["project"],
    });
  const sync = await reader.unfolded.find("issue_sync_binding", { project_uid: project.uid });
  if (sync !== undefined)
    throw new SvcError("issue_sync_federation_conflict", { project_id: project.id });
  return project;
}

/** Whether the hub's project is bound already. Then a join that hands it over changes nothing more. */
export async function isBound(reader: Reader, uid: string): Promise<boolean> {
  return (await reader.unfolded.find("federation_binding", { project_uid: uid })) !== undefined;
}
