import { SvcError } from "../../contract/errors.ts";
import type { resyncFederationReplica as contract } from "../../contract/federation-replicas.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { requireWriter } from "../actor.ts";
import type { Deps, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";
import { projectOut } from "../out/projects.ts";
import { requireAdopted } from "./adopt-project.ts";
import { NO_LOG } from "./bind-replica.ts";
import { type BindingRow, findBinding } from "./binding.ts";
import { bindingOut } from "./binding-out.ts";
import { type Federation, withCredentials } from "./far-side.ts";
import { replicaFrom } from "./replica.ts";
import { resetBlocker } from "./unsent.ts";

type Needs = Pick<Deps, "store"> & { readonly federation: Federation };

/**
 * Lets a copy begin again, even if it was disabled because another copy of its database has read in its place (issue
 * 32, A8). A request to the hub comes first; if the hub refuses it, the copy does not change. The next pass clears the
 * copy and polls without a stamp. That poll makes all stamps invalid that the hub gave before, so at most one of two
 * copies of a database can go on.
 */
export async function resyncFederationReplica(
  { store, federation }: Needs,
  who: Principal,
  { params: { project_id } }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  requireWriter(who);
  const found = await store.read(async (reader) => {
    const copy = await requireCopy(reader, project_id);
    await requireSent(reader, copy.binding);
    return copy;
  });
  await requireCredential({ store, federation }, found.binding);
  await federation.confirm(found.replica);
  return await federation.inTurn(async () => {
    const { project, binding } = await store.write(async (tx) => {
      const now = await requireCopy(tx, project_id);
      requireSame(found.binding, now.binding);
      await requireSent(tx, now.binding);
      return { project: now.project, binding: await beginAnew(tx, now.binding) };
    });
    federation.wake(project.uid);
    return { project: projectOut(project), binding: bindingOut(project, binding) };
  });
}

async function requireCopy(reader: Reader, project_id: number) {
  const project: StoredProject = await requireProject(reader, project_id);
  const binding = await findBinding(reader, project);
  requireAdopted(binding);
  if (binding === undefined)
    throw new SvcError("federation_not_found", { project_uid: project.uid }, NO_COPY);
  const replica = binding.role === "spoke" ? replicaFrom(binding) : undefined;
  if (replica === undefined)
    throw new SvcError("not_a_spoke", { project_uid: project.uid }, NO_COPY);
  return { project, binding, replica };
}

const NO_COPY = {
  message: "the project is no copy of another daemon's project, so it cannot be read anew",
  hint: "svc federation status shows the copies",
};

/**
 * Throws if the copy may not be cleared yet. A disabled copy sends nothing, so its events do not count: once it is
 * enabled, the next pass sends them before it clears the copy.
 */
async function requireSent(reader: Reader, binding: BindingRow): Promise<void> {
  const blocker = await resetBlocker(reader, binding);
  if (blocker === undefined) return;
  if (blocker === "pending_push" && binding.enabled === 0) return;
  const { project_uid } = binding;
  throw new SvcError(
    "federation_reset_blocked",
    { project_uid, reset_blocker: blocker },
    blocker === "quarantine" ? QUARANTINED : {},
  );
}

const QUARANTINED = {
  message: "the hub refused changes of this copy, and nobody has decided about them yet",
  hint: "svc federation quarantine list shows them; retry or skip them first",
};

/** Throws if this daemon has no token with which this database may read the hub of the project. */
async function requireCredential(
  { store, federation }: Needs,
  { project_uid, hub_url, hub_project_id }: BindingRow,
): Promise<void> {
  const known = await withCredentials(federation, async (all) => await all.all());
  const own = known.get(project_uid);
  const isOwn =
    own?.spoke_instance_uid === store.instanceUid &&
    own.hub_url === hub_url &&
    own.hub_project_id === hub_project_id;
  if (isOwn) return;
  throw new SvcError(
    "federation_offline",
    { file: federation.credentials.path, reason: "credential_missing" },
    {
      message: "this daemon has no token for the hub of the project",
      hint: "svc federation enroll on the hub for what svc federation identity prints here, then svc federation join",
    },
  );
}

/** Throws if the project was bound again, or to another hub, since the request to the hub. */
function requireSame(asked: BindingRow, now: BindingRow): void {
  const fields = (["hub_url", "hub_project_id", "created_at"] as const).filter(
    (field) => asked[field] !== now[field],
  );
  if (fields.length > 0)
    throw new SvcError("federation_binding_conflict", { project_uid: now.project_uid, fields });
}

/**
 * Enables the binding, and sets its cursor and epoch so that the first answer of the hub makes the copy begin again.
 * Before that, the copy sends again what was written here, in case the hub has lost it.
 */
async function beginAnew(tx: Tx, binding: BindingRow): Promise<BindingRow> {
  const next = {
    ...binding,
    pull_cursor_event_id: binding.replay_horizon_event_id - 1,
    push_cursor_event_id: binding.push_enabled === 1 ? 0 : binding.push_cursor_event_id,
    hub_epoch: NO_LOG,
    hub_chain: null,
    hub_stamp: null,
    enabled: 1,
    disabled_reason: null,
    updated_at: tx.now,
  } as const;
  if (binding.push_enabled === 1) await tx.sendAgain(binding.project_uid);
  await tx.unfolded.put("federation_binding", next);
  // If a leave of the project was prepared, the resync cancels it.
  await tx.unfolded.remove("federation_leave", { project_uid: binding.project_uid });
  return next;
}
