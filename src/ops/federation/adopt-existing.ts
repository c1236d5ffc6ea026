import { NeedsWorker } from "../../base/budget.ts";
import { invariant } from "../../base/invariant.ts";
import { shellWord } from "../../base/shell-word.ts";
import { SvcError } from "../../contract/errors.ts";
import { ADOPTION_UNFINISHED } from "../../domain/federation/gate.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import type { Deps, OpStore } from "../deps.ts";
import {
  adoptedBy,
  adoptPortion,
  findUnfinished,
  ISSUES_PER_WRITE,
  requireAdoptable,
} from "./adopt-project.ts";
import { requireChangedSendable, requireIssuesSendable } from "./baseline.ts";
import {
  type AskedReplica,
  type Bound,
  collision,
  newBinding,
  requireActive,
} from "./bind-replica.ts";
import { type BindingRow, findBinding } from "./binding.ts";

/** A join that hands a project of this daemon over to the hub. It is JSON, so that a worker may be sent it. */
export interface AdoptionRequest extends Omit<AskedReplica, "token"> {
  /** Whether the enrollment permits it, as far as the hub says. */
  readonly permits_adoption?: boolean | undefined;
}

interface AdoptionDeps {
  readonly store: Pick<OpStore, "read" | "write">;
}

export interface AdoptionAnswer extends Bound {
  /** How many issues the hub is sent. */
  readonly snapshots: number;
}

/**
 * Makes a project of this daemon a copy of the hub's project: it gets the uid that it has there, and its issues are sent
 * as they are (facts federation 4, "Adoption"). Its own history is deleted.
 *
 * A project of more than one portion is handed over in many writes, and other writes of the daemon happen between them.
 * Nobody can change the project meanwhile. If the daemon ends before the last one, a repeated join or the engine calls
 * `finishAdoption`, which writes the rest.
 */
export async function adoptExisting(
  { store, smallWorkOnly }: AdoptionDeps & Pick<Deps, "smallWorkOnly">,
  request: AdoptionRequest,
  portion: number = ISSUES_PER_WRITE,
): Promise<AdoptionAnswer> {
  const uid = request.hub_project_uid;
  const own = await store.read(async (reader) => {
    if ((await findUnfinished(reader, uid)) !== undefined) return undefined;
    const project = await projectToAdopt(reader, request);
    if (request.permits_adoption === false) await requireEmpty(reader, project);
    return project;
  });
  if (smallWorkOnly === true) throw new NeedsWorker();
  if (own !== undefined) {
    const since = await requireIssuesSendable({ store }, own.uid);
    const isSmall = await store.read(
      async ({ projects }) => !(await projects.holdsMoreThan(own.uid, portion)),
    );
    await store.write(async (tx) => {
      let binding: BindingRow | undefined = await beginAdoption(tx, request, since);
      if (!isSmall) return;
      binding = await keepRemovals(tx, binding);
      while (binding !== undefined) binding = await adoptPortion(tx, binding, portion);
    });
  }
  await finishAdoption({ store }, uid, portion);
  return await store.read(async (reader) => await answerOf(reader, uid));
}

/** Forbids changes of the project from now on. */
async function beginAdoption(
  tx: Tx,
  request: AdoptionRequest,
  since: Awaited<ReturnType<typeof requireIssuesSendable>>,
): Promise<BindingRow> {
  const project = await projectToAdopt(tx, request);
  await requireAdoptable(tx, project);
  await requireChangedSendable(tx, project.uid, since);
  const binding: BindingRow = {
    ...newBinding({ ...request, token: undefined }, tx.now),
    project_uid: project.uid,
    enabled: 0,
    disabled_reason: ADOPTION_UNFINISHED,
  };
  await tx.unfolded.put("federation_binding", binding);
  // A join that hands over a project ends a leave of it that was prepared.
  for (const project_uid of new Set([request.hub_project_uid, project.uid]))
    await tx.unfolded.remove("federation_leave", { project_uid });
  return binding;
}

/** Goes on with the adoption for the hub's project `uid`, if there is one that has not ended. */
export async function finishAdoption(
  { store }: AdoptionDeps,
  uid: string,
  portion: number = ISSUES_PER_WRITE,
): Promise<void> {
  let from: number | undefined = 0;
  const next = async (tx: Tx): Promise<boolean> => {
    const binding = await findUnfinished(tx, uid);
    if (binding === undefined) return false;
    if (binding.push_cursor_event_id > 0)
      return (await adoptPortion(tx, binding, portion)) !== undefined;
    from = await tx.adoption.keepRemovals(await adoptedBy(tx, binding), from ?? 0, portion);
    if (from === undefined) await noteStart(tx, binding);
    return true;
  };
  while (await store.write(next));
}

async function keepRemovals(tx: Tx, binding: BindingRow): Promise<BindingRow> {
  const adopted = await adoptedBy(tx, binding);
  for (let from: number | undefined = 0; from !== undefined; )
    from = await tx.adoption.keepRemovals(adopted, from, ISSUES_PER_WRITE);
  return await noteStart(tx, binding);
}

/** From now on only snapshots are written to the project. */
async function noteStart(tx: Tx, binding: BindingRow): Promise<BindingRow> {
  const next = { ...binding, push_cursor_event_id: await tx.events.lastId() };
  await tx.unfolded.put("federation_binding", next);
  return next;
}

async function answerOf(reader: Reader, uid: string): Promise<AdoptionAnswer> {
  const project = await reader.projects.find(uid);
  const binding = await reader.unfolded.find("federation_binding", { project_uid: uid });
  invariant(
    project !== undefined && binding !== undefined,
    "a project that was handed over is here",
  );
  const snapshots = (await reader.baselines.issueUids(uid)).length;
  return { project, binding, snapshots };
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

/**
 * Whether the hub's project is bound already. Then a join that hands it over changes nothing more. `unfinished`: it is being
 * handed over, so any join goes on with that.
 */
export async function boundState(reader: Reader, uid: string): Promise<boolean | "unfinished"> {
  if ((await findUnfinished(reader, uid)) !== undefined) return "unfinished";
  return (await reader.unfolded.find("federation_binding", { project_uid: uid })) !== undefined;
}
