import { invariant } from "../base/invariant.ts";
import { SvcError } from "../contract/errors.ts";
import type { Peer } from "../domain/links.ts";
import { parseRef } from "../domain/refs.ts";
import type { StoredIssue, StoredProject } from "../store/types/rows.ts";
import type { Reader } from "../store/types/store.ts";

export interface IssueParams {
  readonly project_id: number;
  readonly ref: string;
}

export interface Found {
  readonly project: StoredProject;
  readonly issue: StoredIssue;
}

/** Returns an active project by its local id. An archived one is reported like a missing one (facts http-api 3.1). */
export async function requireProject(reader: Reader, id: number): Promise<StoredProject> {
  const project = await reader.projects.findById(id);
  if (project === undefined || project.deleted_at !== null) {
    throw new SvcError("project_not_found", { project_id: id });
  }
  return project;
}

/** Returns the issue that a path names; a deleted issue is found only with `deleted`. */
export async function requireIssue(
  reader: Reader,
  { project_id, ref }: IssueParams,
  { deleted = false }: { readonly deleted?: boolean } = {},
): Promise<Found> {
  const project = await requireProject(reader, project_id);
  const issue = await inProject(reader, project, ref);
  if (issue === undefined || (issue.deleted_at !== null && !deleted)) throw noIssue(ref);
  return { project, issue };
}

async function inProject(
  reader: Reader,
  project: StoredProject,
  text: string,
): Promise<StoredIssue | undefined> {
  const ref = parseRef(text);
  if (ref === undefined) return undefined;
  if (ref.kind === "uid") {
    const issue = await reader.issues.find(ref.uid);
    return issue?.project_uid === project.uid ? issue : undefined;
  }
  if (ref.kind === "qualified" && ref.project !== project.name) return undefined;
  return await reader.issues.findByShortId(project.uid, ref.short_id);
}

/**
 * Returns the other end of a link: a short id is looked up in the subject's project, a uid in all projects. The rules
 * of links decide whether the peer's project may be archived. `pin` is the uid of the project that the caller expects.
 */
export async function requirePeer(
  reader: Reader,
  subjectProjectUid: string,
  text: string,
  { pin, deleted = false }: { readonly pin?: string | undefined; readonly deleted?: boolean } = {},
): Promise<Peer> {
  const issue = await anywhere(reader, subjectProjectUid, text);
  if (issue === undefined || (issue.deleted_at !== null && !deleted)) throw noIssue(text);
  if (pin !== undefined && pin.toUpperCase() !== issue.project_uid) throw noIssue(text);
  return peerOf(issue);
}

export function peerOf(issue: StoredIssue): Peer {
  return {
    uid: issue.uid,
    short_id: issue.short_id,
    project_uid: issue.project_uid,
    project_name: issue.project_name,
    project_archived: issue.project_deleted_at !== null,
  };
}

async function anywhere(
  reader: Reader,
  subjectProjectUid: string,
  text: string,
): Promise<StoredIssue | undefined> {
  const ref = parseRef(text);
  if (ref === undefined) return undefined;
  if (ref.kind === "uid") return await reader.issues.find(ref.uid);
  if (ref.kind === "short_id")
    return await reader.issues.findByShortId(subjectProjectUid, ref.short_id);
  const project = await reader.projects.findByName(ref.project);
  if (project === undefined) return undefined;
  return await reader.issues.findByShortId(project.uid, ref.short_id);
}

export async function reload(reader: Reader, { uid }: StoredIssue): Promise<StoredIssue> {
  const issue = await reader.issues.find(uid);
  invariant(issue !== undefined, "an issue stays where it is while it is written");
  return issue;
}

export function noIssue(ref: string): SvcError {
  return new SvcError("issue_not_found", { ref }, { message: `no issue ${ref} here` });
}
