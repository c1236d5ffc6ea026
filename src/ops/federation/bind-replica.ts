import { invariant } from "../../base/invariant.ts";
import { shellWord } from "../../base/shell-word.ts";
import { SvcError } from "../../contract/errors.ts";
import { nativeParentOf } from "../../domain/cron/native.ts";
import { projectCreated } from "../../domain/drafts/projects.ts";
import { UNSENDABLE_KINDS, UNSENT_KINDS } from "../../domain/federation/unsent.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { type BindingRow, findBinding, requireNoBridge } from "./binding.ts";
import type { HubCredential } from "./hub-credential.ts";
import {
  type Credentials,
  ofOtherDatabase,
  requireSameCredential,
  requireUnreserved,
} from "./stored-token.ts";

/** What a join asks for, checked and in its canonical form. */
export interface JoinRequest
  extends Pick<
    HubCredential,
    "hub_url" | "hub_project_id" | "capabilities" | "actor" | "allow_insecure"
  > {
  readonly hub_project_uid: string;
  readonly project_name: string;
  readonly replay_horizon_event_id: number;
  readonly baseline_through_event_id: number;
  readonly token: string | undefined;
  /** Whether the copy sends its changes to the hub. */
  readonly pushes: boolean;
}

export interface Bound {
  readonly project: StoredProject;
  readonly binding: BindingRow;
}

/**
 * Returns the project and its binding (docs/contract/federation.md#4-join-adopt-rejoin). Creates what is missing, so a
 * project can join again.
 */
export async function bindReplica(
  tx: Tx,
  asked: JoinRequest,
  credentials: Credentials,
): Promise<Bound> {
  const { hub_project_uid: uid, project_name } = asked;
  const held = await tx.projects.find(uid);
  const binding = held === undefined ? undefined : await findBinding(tx, held);
  if (binding !== undefined) requireSame(held?.name ?? project_name, binding, asked);
  if (credentials.isOfOther && binding?.disabled_reason !== "new_instance")
    throw ofOtherDatabase(uid);
  requireUnreserved(credentials.reservedFor, uid);
  requireSameCredential(credentials.stored, asked);
  const project = held ?? (await createProject(tx, asked));
  const hub_epoch = held === undefined ? null : NO_LOG;
  requireActive(project);
  const next =
    binding === undefined
      ? { ...(await bindAgain(tx, project, project_name, asked)), hub_epoch }
      : await withSending(
          tx,
          project,
          renewedBinding(binding, asked, credentials, tx.now),
          asked,
          binding,
        );
  if (binding === undefined) await tx.forgetLocalPurges(uid);
  await tx.unfolded.put("federation_binding", next);
  // If a leave of the project was prepared, the join cancels it.
  await tx.unfolded.remove("federation_leave", { project_uid: uid });
  return { project, binding: next };
}

/** Throws unless the binding has the hub, the project and the actor of the request. */
export function requireSame(name: string, binding: BindingRow, asked: JoinRequest): void {
  const { project_uid, role, hub_url, hub_project_id, bound_actor } = binding;
  const differing = {
    ...(role === "spoke" ? {} : { role }),
    ...(hub_url === asked.hub_url ? {} : { hub_url: `the hub ${hub_url}` }),
    ...(hub_project_id === asked.hub_project_id
      ? {}
      : { hub_project_id: `project ${hub_project_id} of the hub` }),
    ...(bound_actor === null || bound_actor === asked.actor
      ? {}
      : { actor: `the actor ${bound_actor}` }),
  };
  const fields = Object.keys(differing);
  if (fields.length === 0) return;
  const moved =
    fields.join() === "hub_url" ? "if the hub has moved, svc federation rebind; otherwise " : "";
  const shown =
    role === "hub"
      ? {
          message: `this daemon is the hub of the project ${name}`,
          hint: "run the join on the machine that is to have the copy",
        }
      : {
          message: `the project ${name} is bound to ${Object.values(differing).join(" and ")}`,
          hint: `${moved}svc federation leave ${shellWord(name)} ends that, then repeat the join`,
        };
  throw new SvcError("federation_binding_conflict", { project_uid, fields }, shown);
}

/**
 * Returns the binding. Sets `push_enabled` if the request says that the copy sends its events. Events that are already
 * in the log are not sent: nothing could be written to the copy while it only read. But a database that was restored
 * with a new identity may have events that the hub never got. Its copy first reads the hub, and then writes these
 * events again, like a project that joins again. Throws if the copy sends its events and the token does not permit it.
 */
async function withSending(
  tx: Tx,
  project: StoredProject,
  binding: BindingRow,
  asked: JoinRequest,
  { disabled_reason }: Pick<BindingRow, "disabled_reason">,
): Promise<BindingRow> {
  const { pushes, capabilities } = asked;
  if (disabled_reason === "new_instance" && (await hasOlder(tx, binding))) {
    await requireSendable(tx, project, asked);
    return { ...binding, push_enabled: 0, pushes_once_read: 1, updated_at: tx.now };
  }
  if (binding.push_enabled === 1) {
    if (!capabilities.includes("push")) throw withoutPush(capabilities);
    return binding;
  }
  if (!pushes) return binding;
  const push_cursor_event_id = await tx.events.lastId();
  return { ...binding, push_enabled: 1, push_cursor_event_id, updated_at: tx.now };
}

/** Whether the copy has events of its former identity that the hub may not have accepted. */
async function hasOlder({ federation }: Tx, binding: BindingRow): Promise<boolean> {
  if (binding.push_enabled === 0) return binding.pushes_once_read === 1;
  const { project_uid: project, push_cursor_event_id: after } = binding;
  return (await federation.firstUnsentAt({ project, after })) !== undefined;
}

export function withoutPush(capabilities: readonly string[]): SvcError {
  return new SvcError(
    "federation_capability_mismatch",
    { capabilities },
    {
      message: "a copy that sends its changes needs an enrollment with push",
      hint: "enroll again with --capabilities pull,push,lease, or join without --push",
    },
  );
}

async function createProject(tx: Tx, asked: JoinRequest): Promise<StoredProject> {
  const { hub_project_uid: uid, project_name, actor } = asked;
  const namesake = await tx.projects.findByName(project_name);
  if (namesake !== undefined)
    throw collision(
      namesake,
      "is another project",
      `rename it first: svc projects rename ${shellWord(project_name)} <new name>; or hand it over to the hub: join with --adopt-existing`,
    );
  await tx.append(projectCreated(uid, project_name, { actor, now: tx.now }));
  const project = await tx.projects.find(uid);
  invariant(project !== undefined, "a project is there once its creation is in the log");
  return project;
}

/** Throws if the project is archived. */
export function requireActive(project: StoredProject): void {
  if (project.deleted_at === null) return;
  const hint = `restore it first: svc projects restore ${shellWord(project.name)}`;
  throw collision(project, "is archived", hint);
}

export function collision({ name, uid }: StoredProject, what: string, hint: string): SvcError {
  const message = `the project ${name} of this daemon ${what}`;
  return new SvcError(
    "federation_project_collision",
    { project: name, project_uid: uid },
    { message, hint },
  );
}

/** Returns the first binding of a new project, or the next binding of a project that had left its hub. */
async function bindAgain(
  tx: Tx,
  project: StoredProject,
  name: string,
  asked: JoinRequest,
): Promise<BindingRow> {
  const { uid } = project;
  if (project.name !== name)
    throw new SvcError(
      "federation_rejoin_name_mismatch",
      { project: project.name, hub: name },
      {
        message: `the project is ${project.name} here, and ${name} on the hub`,
        hint: `svc projects rename ${shellWord(project.name)} ${shellWord(name)}, then repeat the join`,
      },
    );
  const sync = await tx.unfolded.find("issue_sync_binding", { project_uid: uid });
  if (sync?.enabled === 1)
    throw new SvcError("issue_sync_federation_conflict", { project_id: project.id });
  await requireNoBridge(tx, project);
  const binding = newBinding(asked, tx.now);
  if (await tx.federation.hasUnsent(uid, UNSENT_KINDS)) {
    await requireSendable(tx, project, asked);
    return { ...binding, pushes_once_read: 1 };
  }
  if (!asked.pushes) return binding;
  return { ...binding, push_enabled: 1, push_cursor_event_id: await tx.events.lastId() };
}

/**
 * Throws unless the changes that were made while the project was no copy can be sent to the hub
 * (docs/contract/federation.md#42-rejoin).
 */
async function requireSendable(
  { federation }: Tx,
  { uid, name }: StoredProject,
  { pushes }: JoinRequest,
): Promise<void> {
  const data = { project: name };
  if (!pushes) throw new SvcError("federation_rejoin_unsent", data);
  const jobs = await federation.jobsWithIssues(uid);
  const isNative = jobs.some((definition) => nativeParentOf(definition) !== null);
  if (!isNative && !(await federation.hasUnsent(uid, UNSENDABLE_KINDS))) return;
  const message = `the project ${name} was changed in a way that its hub cannot be sent: issues were moved, projects merged, names rewritten, or series or jobs that create issues were made`;
  const hint =
    "join with --adopt-existing and an enrollment that permits it, which sends the issues as they are now";
  throw new SvcError("federation_rejoin_unsent", data, { message, hint });
}

/** The binding of a copy that only reads, and has read nothing yet. */
export function newBinding(asked: JoinRequest, now: string): BindingRow {
  return {
    project_uid: asked.hub_project_uid,
    role: "spoke",
    hub_url: asked.hub_url,
    hub_project_id: asked.hub_project_id,
    hub_project_uid: asked.hub_project_uid,
    replay_horizon_event_id: asked.replay_horizon_event_id,
    baseline_through_event_id: asked.baseline_through_event_id,
    pull_cursor_event_id: asked.replay_horizon_event_id - 1,
    ...UNREAD,
    baseline_claim: null,
    baseline_claimed_at: null,
    push_enabled: 0,
    push_cursor_event_id: 0,
    own_through_event_id: null,
    pushes_once_read: 0,
    adopted_through_event_id: null,
    bound_actor: asked.actor,
    allow_insecure: asked.allow_insecure ? 1 : 0,
    enabled: 1,
    disabled_reason: null,
    created_at: now,
    updated_at: now,
    last_sync_at: null,
  };
}

/**
 * An epoch that no log has. A project that was a copy before has events of the hub, and the hub may have lost some of
 * them since then. With this epoch, the hub's first page counts as a page of another log, so the copy begins again.
 */
export const NO_LOG = "0".repeat(26);

/** What is known of the hub's log before the first page. */
const UNREAD = { hub_epoch: null, hub_chain: null, hub_stamp: null } as const;

/**
 * Returns the binding, enabled. Its stamp belongs to the enrollment of the token with which the copy has read, so a new
 * token ends the stamp. So does enabling a disabled binding.
 */
function renewedBinding(
  binding: BindingRow,
  asked: JoinRequest,
  { isNew }: Credentials,
  now: string,
): BindingRow {
  const isStale = isNew || binding.enabled === 0;
  const bound_actor = binding.bound_actor ?? asked.actor;
  if (!isStale && bound_actor === binding.bound_actor) return binding;
  return {
    ...binding,
    ...(isStale ? { hub_stamp: null } : {}),
    bound_actor,
    enabled: 1,
    disabled_reason: null,
    updated_at: now,
  };
}
