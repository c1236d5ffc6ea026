import type { EVENT_FEATURES } from "../../contract/capabilities.ts";
import { SvcError } from "../../contract/errors.ts";
import { nativeParentOf } from "../../domain/cron/native.ts";
import { isReadOnly } from "../../domain/federation/gate.ts";
import type { Row } from "../../domain/tables/tables.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";

export type BindingRow = Row<"federation_binding">;

/** The binding of the project to its hub, or to its spokes; undefined if it is not federated. */
export async function findBinding(
  { unfolded }: Pick<Reader, "unfolded">,
  { uid: project_uid }: Pick<StoredProject, "uid">,
): Promise<BindingRow | undefined> {
  return await unfolded.find("federation_binding", { project_uid });
}

/** How many bindings are read at a time. */
const PAGE = 500;

export async function* eachBinding({
  unfolded,
}: Pick<Reader, "unfolded">): AsyncGenerator<BindingRow> {
  let after: Pick<BindingRow, "project_uid"> | undefined;
  for (;;) {
    const page = await unfolded.list("federation_binding", PAGE, after);
    yield* page;
    after = page.at(-1);
    if (after === undefined || page.length < PAGE) return;
  }
}

/** The copies among the projects of this daemon, by their uids, as lists of projects show them. */
export async function copiesOut(reader: Pick<Reader, "unfolded">) {
  const copies = new Map<string, { hub_url: string; hub_project_id: number; read_only: boolean }>();
  for await (const binding of eachBinding(reader)) {
    const { role, project_uid, hub_url, hub_project_id } = binding;
    if (role !== "spoke" || hub_url === null || hub_project_id === null) continue;
    copies.set(project_uid, { hub_url, hub_project_id, read_only: isReadOnly(binding) });
  }
  return copies;
}

/**
 * Returns the binding of a project that this daemon owns, disabled or not. Throws if there is none, or if the project
 * is a copy.
 */
export async function requireHub(reader: Reader, project: StoredProject): Promise<BindingRow> {
  const binding = await findBinding(reader, project);
  if (binding === undefined)
    throw new SvcError("federation_not_found", { project_uid: project.uid });
  if (binding.role !== "hub") throw new SvcError("not_a_hub", { project_uid: project.uid });
  return binding;
}

/** Refuses to make a copy of a project whose issues have bridges: another daemon would own them. */
export async function requireNoBridge(
  { bridges }: Pick<Reader, "bridges">,
  { id, uid }: StoredProject,
): Promise<void> {
  if (await bridges.activeIn(uid))
    throw new SvcError("external_root_federation_conflict", { project_id: id });
}

/** Refuses a change that the copies of a federated project on other machines could not follow. */
export async function requireNotFederated(reader: Reader, project: StoredProject): Promise<void> {
  const binding = await findBinding(reader, project);
  if (binding !== undefined)
    throw new SvcError("federated_read_only", { project_uid: project.uid });
}

/**
 * Returns the features that a reader must support before it gets the events of the project, sorted by name. Deleting
 * jobs removes no feature, since deleted jobs keep their rows (docs/contract/federation.md#35-features).
 */
export async function requiredFeatures(
  { federation, bridges }: Pick<Reader, "federation" | "bridges">,
  { uid }: Pick<StoredProject, "uid">,
): Promise<readonly Feature[]> {
  const roots: readonly Feature[] = (await bridges.wereIn(uid)) ? ["external_roots_v1"] : [];
  if (!(await federation.hasCron(uid))) return roots;
  const jobs = await federation.jobsWithIssues(uid);
  const isNative = jobs.some((job) => nativeParentOf(job) !== null);
  return [...(isNative ? (["cron_notify_children_v1"] as const) : []), "cron_v1", ...roots];
}

type Feature = (typeof EVENT_FEATURES)[number];

/**
 * What an answer says about where the events of a federated project begin
 * (docs/contract/federation.md#31-administration, FederationMetadata).
 */
export async function metadataOf(reader: Reader, project: StoredProject, binding: BindingRow) {
  const { last_event_id, epoch } = await reader.events.head();
  const { chain } = await reader.events.place(last_event_id);
  return {
    project_id: project.id,
    project_uid: project.uid,
    project_name: project.name,
    replay_horizon_event_id: binding.replay_horizon_event_id,
    baseline_through_event_id: binding.baseline_through_event_id,
    required_event_features: [...(await requiredFeatures(reader, project))],
    epoch,
    ...(chain === null ? {} : { chain }),
    last_event_id,
  };
}
