import { NeedsWorker } from "../../base/budget.ts";
import { shellWord } from "../../base/shell-word.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";
import { adoptProject } from "./adopt-project.ts";
import { prepareBaseline } from "./baseline.ts";
import {
  type AskedReplica,
  type Bound,
  collision,
  newBinding,
  requireActive,
} from "./bind-replica.ts";
import { findBinding } from "./binding.ts";

/** A join that hands a project of this daemon over to the hub. It is JSON, so that a worker may be sent it. */
export interface AdoptionRequest extends Omit<AskedReplica, "token"> {
  /** Whether the enrollment permits it, as far as the hub says. */
  readonly permits_adoption?: boolean | undefined;
}

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
  const { uid: own } = await store.read(async (reader) => {
    const project = await projectToAdopt(reader, asked);
    if (request.permits_adoption === false) await requireEmpty(reader, project);
    return project;
  });
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
    throw collision(
      holder,
      `is the one that left that hub, where its name is ${project_name}`,
      `svc projects rename ${shellWord(holder.name)} ${shellWord(project_name)}, then repeat the join`,
    );
  const project = named ?? holder;
  if (project === undefined)
    throw new SvcError("federation_project_not_found", { project: project_name });
  requireActive(project);
  if ((await findBinding(reader, project)) !== undefined)
    throw new SvcError(
      "federation_binding_conflict",
      { project_uid: project.uid, fields: ["project"] },
      {
        message: `the project ${project.name} is federated already, so it cannot be handed over`,
        hint: "svc federation status shows how; svc federation leave makes a copy an ordinary project",
      },
    );
  const sync = await reader.unfolded.find("issue_sync_binding", { project_uid: project.uid });
  if (sync !== undefined)
    throw new SvcError("issue_sync_federation_conflict", { project_id: project.id });
  return project;
}

/** The hub accepts nothing of a project that its enrollment does not permit to hand over. */
async function requireEmpty(reader: Reader, { uid, metadata }: StoredProject): Promise<void> {
  const { issues } = await reader.projects.contents(uid);
  if (issues === 0 && Object.keys(metadata).length === 0) return;
  throw new SvcError(
    "invalid_adoption_baseline",
    {},
    {
      message: "the enrollment does not permit to hand a project over, so nothing was changed",
      hint: "enroll this daemon again on the hub: svc federation enroll --adopt-existing; then repeat the join with that token",
    },
  );
}

/** Whether the hub's project is bound already. Then a join that hands it over changes nothing more. */
export async function isBound(reader: Reader, uid: string): Promise<boolean> {
  return (await reader.unfolded.find("federation_binding", { project_uid: uid })) !== undefined;
}
