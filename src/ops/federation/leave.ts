import { invalid, SvcError } from "../../contract/errors.ts";
import type { leaveFederationReplica as contract } from "../../contract/federation-replicas.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Rows } from "../../domain/tables/tables.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Deps, Principal } from "../deps.ts";
import { requireAnyProject } from "../find.ts";
import { projectOut } from "../out/projects.ts";
import { type BindingRow, findBinding } from "./binding.ts";
import { type Federation, withCredentials } from "./far-side.ts";
import { FEDERATION_ACTOR } from "./hub-baseline.ts";

type Needs = Pick<Deps, "store"> & { readonly federation: Federation };
type Request = Input<typeof contract>;

/**
 * Ends the binding of a copy (facts federation 5): `preflight` looks, `prepare` leaves a mark that ends the reading, and
 * the last call removes the binding, all that belongs to it, and the credential. Each may be repeated.
 */
export async function leaveFederationReplica(
  { store, federation }: Needs,
  who: Principal,
  { params: { project_id }, body }: Request,
): Promise<Output<typeof contract>> {
  const { disposition = "detach" } = body;
  if (body.preflight === true && body.prepare === true)
    throw invalid("preflight and prepare do not go together");
  const actor = actorOf(who, body.actor ?? FEDERATION_ACTOR);
  const asked: Asked = {
    project_id,
    archives: disposition === "archive",
    force: body.force === true,
  };
  // A file that cannot be read would keep the token, so nothing is changed before it is mended.
  await withCredentials(federation, async (credentials) => await credentials.all());
  if (body.preflight === true) {
    const found = await store.read(async (reader) => await requireLeaving(reader, asked));
    return { ...answerOf(found), disposition };
  }
  return await federation.inTurn(async () => {
    if (body.prepare === true) {
      const found = await store.write(async (tx) => await prepare(tx, asked, actor));
      return { ...answerOf(found), disposition };
    }
    const left = await leave({ store, federation }, asked, actor);
    return { ...left, disposition };
  });
}

interface Asked {
  readonly project_id: number;
  readonly archives: boolean;
  readonly force: boolean;
}

type Found = Awaited<ReturnType<typeof requireLeaving>>;

/** Throws if the project cannot leave. A project without a binding can: it has left already. */
async function requireLeaving(reader: Reader, { project_id, archives, force }: Asked) {
  const project = await requireAnyProject(reader, project_id);
  const binding = await findBinding(reader, project);
  if (binding?.role === "hub") throw new SvcError("not_a_spoke", { project_uid: project.uid });
  if (archives && !force && project.deleted_at === null) {
    const open = (await reader.projects.stats([project.uid])).get(project.uid)?.open ?? 0;
    if (open > 0) throw new SvcError("project_has_open_issues", { open_issues: open });
  }
  return { project, binding };
}

async function prepare(tx: Tx, asked: Asked, actor: string): Promise<Found> {
  const found = await requireLeaving(tx, asked);
  const project_uid = found.project.uid;
  const known = await tx.unfolded.find("federation_leave", { project_uid });
  if (found.binding !== undefined && known === undefined)
    await tx.unfolded.put("federation_leave", { project_uid, actor, prepared_at: tx.now });
  return found;
}

function answerOf({ project, binding }: Found) {
  return {
    project: projectOut(project),
    detached: false,
    ...(binding === undefined ? {} : { pending_enrollment: enrollmentOf(binding) }),
  };
}

function enrollmentOf({ hub_url, hub_project_id, hub_project_uid, allow_insecure }: BindingRow) {
  return {
    hub_url: hub_url ?? "",
    hub_project_id: hub_project_id ?? 0,
    hub_project_uid: hub_project_uid ?? "",
    ...(allow_insecure === 1 ? { allow_insecure: true } : {}),
  };
}

async function leave({ store, federation }: Needs, asked: Asked, actor: string) {
  const { project_id, archives, force } = asked;
  const before = await store.read(async (reader) => await requireLeaving(reader, asked));
  const archived = archives && before.project.deleted_at === null;
  if (archived) await federation.archive({ project_id, actor, force });
  const { project, detached } = await store.write(async (tx) => {
    const found = await requireLeaving(tx, { ...asked, archives: false });
    await removeBinding(tx, found.project.uid);
    const project = await requireAnyProject(tx, project_id);
    return { project, detached: found.binding !== undefined };
  });
  await withCredentials(federation, async (credentials) => {
    const stored = (await credentials.all()).get(project.uid);
    if (stored?.spoke_instance_uid === store.instanceUid) await credentials.delete(project.uid);
  });
  return { project: projectOut(project), detached, ...(archives ? { archived } : {}) };
}

/** Removes the binding, and what was stored beside it. The issues and their history stay. */
async function removeBinding(tx: Tx, project_uid: string): Promise<void> {
  const { unfolded } = tx;
  for (const table of ["federation_binding", "federation_sync_status", "federation_leave"] as const)
    await unfolded.remove(table, { project_uid });
  for await (const { id, ...row } of eachRow(tx, "federation_quarantine"))
    if (row.project_uid === project_uid)
      await unfolded.remove("federation_quarantine", { project_uid, id });
  for await (const { request_uid, ...row } of eachRow(tx, "pending_lease"))
    if (row.project_uid === project_uid) await unfolded.remove("pending_lease", { request_uid });
  for await (const { issue_uid, ...row } of eachRow(tx, "mirrored_lease"))
    if (row.project_uid === project_uid) await unfolded.remove("mirrored_lease", { issue_uid });
}

/** How many rows are read at a time. */
const PAGE = 500;

async function* eachRow<T extends "federation_quarantine" | "pending_lease" | "mirrored_lease">(
  { unfolded }: Tx,
  table: T,
): AsyncGenerator<Rows[T]> {
  let after: Rows[T] | undefined;
  for (;;) {
    const page = await unfolded.list(table, PAGE, after);
    yield* page;
    after = page.at(-1);
    if (after === undefined || page.length < PAGE) return;
  }
}
