import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { SvcError } from "../../contract/errors.ts";
import type {
  getProjectFederationStatus as contract,
  getFederationStatus as contractOfAll,
} from "../../contract/federation-status.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Row } from "../../domain/tables/tables.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { Deps, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";
import { type BindingRow, eachBinding, findBinding } from "./binding.ts";
import { comparisonOf } from "./comparison.ts";
import type { Federation } from "./far-side.ts";
import { summaryOut } from "./quarantine.ts";

type Status = Output<typeof contract>["statuses"][number];

type Needs = Pick<Deps, "store"> & { readonly federation: Pick<Federation, "credentials"> };

export async function getFederationStatus(
  { store, federation }: Needs,
  _who: Principal,
  { query: { include = "" } }: Input<typeof contractOfAll>,
): Promise<Output<typeof contractOfAll>> {
  const archived = include.split(",").some((word) => word.trim() === "archived");
  const now = await store.leaseNow();
  const found = await store.read(async (reader) => {
    const statuses: Status[] = [];
    for await (const binding of eachBinding(reader)) {
      const project = await reader.projects.find(binding.project_uid);
      if (project === undefined || (project.deleted_at !== null && !archived)) continue;
      statuses.push(await statusOf(reader, project, binding, now));
    }
    return statuses.sort((a, b) => a.project_id - b.project_id);
  });
  return { statuses: await withFarSide({ store, federation }, found) };
}

export async function getProjectFederationStatus(
  { store, federation }: Needs,
  _who: Principal,
  { params: { project_id } }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const now = await store.leaseNow();
  const found = await store.read(async (reader) => {
    const project = await requireProject(reader, project_id);
    const binding = await findBinding(reader, project);
    return binding === undefined ? [] : [await statusOf(reader, project, binding, now)];
  });
  return { statuses: await withFarSide({ store, federation }, found) };
}

async function withFarSide(needs: Needs, statuses: readonly Status[]): Promise<Status[]> {
  const known = await withCredentialsOf(needs, statuses);
  const found: Status[] = [];
  for (const status of known) found.push(await withPending(needs, status));
  return found;
}

/** Adds how many events the hub of a copy has yet to get. There may be many, so they are counted in parts. */
async function withPending({ store }: Pick<Needs, "store">, status: Status): Promise<Status> {
  if (status.role !== "spoke" || !status.push_enabled) return status;
  let [pending, highest, after] = [0, 0, status.push_cursor_event_id];
  for (;;) {
    const range = { project: status.project_uid, after };
    const part = await store.read(async (reader) => await reader.federation.countUnsent(range));
    pending += part.count;
    highest = Math.max(highest, part.highest);
    if (part.last) break;
    after = part.upTo;
    await yieldToLoop();
  }
  const blocker =
    status.active_quarantine_count > 0 ? "quarantine" : pending > 0 ? "pending_push" : undefined;
  return {
    ...status,
    pending_push_count: pending,
    pending_push_high_water_event_id: highest,
    ...(blocker === undefined ? {} : { reset_blocker: blocker }),
  };
}

/** Adds what the credentials file says about the copies of projects in this database. Adds no token. */
async function withCredentialsOf(
  { store, federation: { credentials } }: Needs,
  statuses: readonly Status[],
): Promise<Status[]> {
  if (!statuses.some(({ role }) => role === "spoke")) return [...statuses];
  const known = await credentialsIn(credentials);
  return statuses.map((status) => {
    if (status.role !== "spoke") return status;
    if (known === undefined) return { ...status, credential_status: "unreadable" };
    const stored = known.get(status.project_uid);
    // Several databases can share the file, and the token of another one is of no use here.
    if (stored?.spoke_instance_uid !== store.instanceUid)
      return { ...status, credential_status: "missing" };
    return {
      ...status,
      credential_status: "present",
      capabilities: [...stored.capabilities],
    };
  });
}

/** Returns the credentials in the file; undefined if the file cannot be used. */
async function credentialsIn(credentials: Federation["credentials"]) {
  try {
    return await credentials.all();
  } catch (error) {
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}

/** At most one quarantined batch for each direction is active. */
const MOST_QUARANTINES = 2;

async function statusOf(
  reader: Reader,
  project: StoredProject,
  binding: BindingRow,
  now: string,
): Promise<Status> {
  const { federation, unfolded } = reader;
  const { disabled_reason, last_sync_at } = binding;
  const sync = await unfolded.find("federation_sync_status", { project_uid: project.uid });
  const leaving = await unfolded.find("federation_leave", { project_uid: project.uid });
  const counts = await federation.counts(project.uid, now);
  const comparison = await comparisonOf(reader, binding);
  const quarantines = await federation.quarantines(project.uid, "active", MOST_QUARANTINES);
  return {
    project_id: project.id,
    project_uid: project.uid,
    project_name: project.name,
    archived: project.deleted_at !== null,
    role: binding.role,
    enabled: binding.enabled === 1,
    ...(disabled_reason === null ? {} : { disabled_reason }),
    push_enabled: binding.push_enabled === 1,
    ...hubOf(binding),
    ...(leaving === undefined ? {} : { leaving: true }),
    replay_horizon_event_id: binding.replay_horizon_event_id,
    pull_cursor_event_id: binding.pull_cursor_event_id,
    push_cursor_event_id: binding.push_cursor_event_id,
    pending_push_count: 0,
    pending_push_high_water_event_id: 0,
    enrollment_count: counts.enrollments,
    live_claim_count: counts.leases,
    pending_claim_count: counts.pending_leases,
    active_quarantine_count: counts.quarantines,
    ...(binding.role === "hub" ? {} : { active_quarantines: quarantines.map(summaryOut) }),
    ...(comparison === undefined ? {} : { comparison }),
    created_at: binding.created_at,
    updated_at: binding.updated_at,
    ...(last_sync_at === null ? {} : { last_sync_at }),
    ...(sync === undefined ? {} : passesOf(binding, sync)),
  };
}

/** Where the hub of a copy is. */
function hubOf(binding: BindingRow) {
  if (binding.role === "hub") return {};
  const { hub_url, hub_project_id, hub_project_uid, bound_actor } = binding;
  const known = withoutNulls({ hub_url, hub_project_id, hub_project_uid, bound_actor });
  return { ...known, allow_insecure: binding.allow_insecure === 1 };
}

/** How the last passes of a copy went. */
function passesOf(
  { last_sync_at }: BindingRow,
  { project_uid: _project, ...sync }: Row<"federation_sync_status">,
) {
  const times = [last_sync_at, sync.last_pull_success_at, sync.last_push_success_at];
  const last_successful_sync_at =
    times
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null;
  return withoutNulls({ last_successful_sync_at, ...sync });
}

/** The fields that are not null. */
function withoutNulls<T extends object>(
  fields: T,
): { readonly [K in keyof T]?: NonNullable<T[K]> } {
  const found = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(found) as { readonly [K in keyof T]?: NonNullable<T[K]> };
}
