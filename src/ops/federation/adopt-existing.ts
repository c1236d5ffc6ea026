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
  type Bound,
  collision,
  type JoinRequest,
  newBinding,
  requireActive,
} from "./bind-replica.ts";
import { type BindingRow, findBinding, requireNoBridge } from "./binding.ts";

/**
 * The request for a join that hands a project of this daemon over to the hub. It is JSON, so that it can be sent to a
 * worker.
 */
export interface AdoptionRequest extends Omit<JoinRequest, "token"> {
  /** Whether the enrollment permits an adoption; undefined if the hub does not say. */
  readonly permits_adoption?: boolean | undefined;
}

interface AdoptionDeps {
  readonly store: Pick<OpStore, "read" | "write">;
}

export interface AdoptionAnswer extends Bound {
  /** How many issues are sent to the hub. */
  readonly snapshots: number;
}

/**
 * Makes a project of this daemon a copy of the hub's project: the project gets the uid of the hub's project, and the
 * current state of its issues is sent to the hub (docs/contract/federation.md#4-join-adopt-rejoin). The history here is
 * deleted.
 *
 * A project of more than one portion is handed over in many writes, and other writes of the daemon happen between them.
 * Until the last of these writes, nobody can change the project. If the daemon ends before that, a repeated join or the
 * engine calls `finishAdoption`, which writes the rest.
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

/** Stores a disabled binding, which forbids changes of the project from now on. Returns the binding. */
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
  // If a leave of the project was prepared, the join cancels it.
  for (const project_uid of new Set([request.hub_project_uid, project.uid]))
    await tx.unfolded.remove("federation_leave", { project_uid });
  return binding;
}

/** Finishes the adoption for the hub's project `uid`. Does nothing if no adoption for it is unfinished. */
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

/** Stores the end of the log in the binding: from now on, only snapshots are written to the project. */
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
 * Returns the project to hand over, whose name is `project_name`. Throws if there is none, if it is archived, federated
 * or synced, or if the project that left this hub has another name here.
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
  await requireNoBridge(reader, project);
  return project;
}

/**
 * Throws if the project is not empty: without permission for an adoption, the hub would accept none of its contents.
 */
async function requireEmpty(reader: Reader, { uid, metadata }: StoredProject): Promise<void> {
  const { issues } = await reader.projects.contents(uid);
  if (issues === 0 && Object.keys(metadata).length === 0) return;
  throw withoutPermission();
}

export function withoutPermission(): SvcError {
  return new SvcError(
    "invalid_adoption_baseline",
    {},
    {
      message: "the enrollment does not permit to hand a project over, so nothing was changed",
      hint: "enroll this daemon again on the hub: svc federation enroll --adopt-existing; then repeat the join with that token",
    },
  );
}

/**
 * Whether the hub's project `uid` has a binding here already; if so, a join that adopts a project changes nothing more.
 * `unfinished`: a project is still being handed over to it, so any join continues that adoption.
 */
export async function boundState(reader: Reader, uid: string): Promise<boolean | "unfinished"> {
  if ((await findUnfinished(reader, uid)) !== undefined) return "unfinished";
  return (await reader.unfolded.find("federation_binding", { project_uid: uid })) !== undefined;
}
