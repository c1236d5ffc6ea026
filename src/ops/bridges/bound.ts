import { instantToMs } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import { isClaimed } from "../../domain/bridges/claim.ts";
import type { BridgeRow, StoredBridge } from "../../store/types/bridges.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { findBinding } from "../federation/binding.ts";
import {
  type FoundIssue,
  type IssueParams,
  noIssue,
  requireAnyProject,
  requireIssue,
} from "../find.ts";
import { conflict } from "./faults.ts";

export interface Bound extends FoundIssue {
  readonly bridge: StoredBridge;
}

/** Returns the active bridge of the issue; throws `bridge_not_found` if there is none. */
export async function requireBound(reader: Reader, params: IssueParams): Promise<Bound> {
  return await withBridge(reader, await requireIssue(reader, params));
}

/** Like `requireBound`, but also finds issues of archived projects. Then the issue must be named by its short id or uid. */
export async function requireBoundAnywhere(reader: Reader, params: IssueParams): Promise<Bound> {
  const project = await requireAnyProject(reader, params.project_id);
  if (project.deleted_at === null) return await requireBound(reader, params);
  const issue = await archivedIssue(reader, project, params.ref);
  if (issue === undefined || issue.deleted_at !== null) throw noIssue(params.ref);
  return await withBridge(reader, { project, issue });
}

async function archivedIssue(
  { issues }: Reader,
  { uid, name }: StoredProject,
  ref: string,
): Promise<StoredIssue | undefined> {
  const short = ref.startsWith(`${name}#`) ? ref.slice(name.length + 1) : ref;
  const found =
    (await issues.findByShortId(uid, short.toLowerCase())) ??
    (await issues.find(ref.toUpperCase()));
  return found?.project_uid === uid ? found : undefined;
}

async function withBridge(reader: Reader, found: FoundIssue): Promise<Bound> {
  const bridge = await reader.bridges.active(found.issue.uid);
  if (bridge === undefined) throw new SvcError("bridge_not_found");
  return { ...found, bridge };
}

/** Returns the bridge with its issue and project, whatever their state. */
export async function boundOf(reader: Reader, bridge: StoredBridge): Promise<Bound> {
  const issue = await reader.issues.find(bridge.issue_uid);
  invariant(issue !== undefined, "a bridge is deleted with its issue");
  const project = await reader.projects.find(issue.project_uid);
  invariant(project !== undefined, "an issue has a project");
  return { bridge, issue, project };
}

/** The actor of what a connector writes. On a copy it is the actor that the hub knows. */
export async function integrationActor(
  reader: Pick<Reader, "unfolded">,
  project: StoredProject,
  instance: string,
): Promise<string> {
  const binding = await findBinding(reader, project);
  const bound = binding?.role === "spoke" ? binding.bound_actor : null;
  return bound ?? `connector:${instance}`;
}

/** Throws if a run works on the bridge now. A claim that is left of a killed run does not count. */
export function requireNoRun(tx: Pick<Tx, "now">, bridge: BridgeRow): void {
  if (isClaimed(bridge, instantToMs(tx.now)))
    throw conflict("a run works on the bridge now", "try again in a moment");
}

/** The columns of a bridge on which no run works. */
export const UNCLAIMED = { claim_token: null, claim_started_at: null } as const;
