import { invariant } from "../base/invariant.ts";
import { SvcError } from "../contract/errors.ts";
import type { Peer } from "../domain/links.ts";
import { PLAN_PREFIX } from "../domain/plan-names.ts";
import { isInteger, isShortUuid, parseRef, qualifiedId } from "../domain/refs.ts";
import type { ImportRow } from "../domain/state.ts";
import type { StoredIssue, StoredProject } from "../store/types/rows.ts";
import type { Reader } from "../store/types/store.ts";

export interface IssueParams {
  readonly project_id: number;
  readonly ref: string;
}

export interface FoundIssue {
  readonly project: StoredProject;
  readonly issue: StoredIssue;
}

/**
 * Returns an active project by its local id. An archived project is reported as missing
 * (docs/contract/http-api.md#31-common-rules-of-paths).
 */
export async function requireProject(reader: Reader, id: number): Promise<StoredProject> {
  const project = await reader.projects.findById(id);
  if (project === undefined || project.deleted_at !== null) {
    throw new SvcError("project_not_found", { project_id: id });
  }
  return project;
}

/** Like `requireProject`, but an archived project is returned too. */
export async function requireAnyProject(reader: Reader, id: number): Promise<StoredProject> {
  const project = await reader.projects.findById(id);
  if (project === undefined) throw new SvcError("project_not_found", { project_id: id });
  return project;
}

/** Returns the issue that a path names; a deleted issue is found only with `deleted`. */
export async function requireIssue(
  reader: Reader,
  { project_id, ref }: IssueParams,
  { deleted = false }: { readonly deleted?: boolean } = {},
): Promise<FoundIssue> {
  const project = await requireProject(reader, project_id);
  const issue = await inProject(reader, project, ref);
  if (issue === undefined || (issue.deleted_at !== null && !deleted)) throw noIssue(ref);
  return { project, issue };
}

/**
 * Finds an issue of the project. If another project of this daemon is being handed over to this one, issues that still
 * belong to that other project are found too.
 */
async function inProject(
  reader: Reader,
  project: StoredProject,
  text: string,
): Promise<StoredIssue | undefined> {
  const found = await inOne(reader, project, text);
  if (found !== undefined) return found;
  const uid = await reader.federation.handedOverTo(project.uid);
  return uid === undefined ? undefined : await inOne(reader, { ...project, uid }, text);
}

async function inOne(
  reader: Reader,
  project: StoredProject,
  text: string,
): Promise<StoredIssue | undefined> {
  const ref = parseRef(text);
  if (ref?.kind === "uid") {
    const issue = await reader.issues.find(ref.uid);
    return issue?.project_uid === project.uid ? issue : undefined;
  }
  const own = ref?.kind === "qualified" && ref.project !== project.name ? undefined : ref;
  return await issueNamed(reader, project, own?.short_id, text);
}

/** Finds an issue by its short id, or otherwise by its id in the tracker from which it was imported. */
export async function issueNamed(
  reader: Reader,
  project: Pick<StoredProject, "uid" | "name">,
  short_id: string | undefined,
  text: string,
): Promise<StoredIssue | undefined> {
  const issue =
    short_id === undefined ? undefined : await reader.issues.findByShortId(project.uid, short_id);
  if (issue !== undefined && short_id !== undefined) await refuseLostName(reader, issue, short_id);
  if (issue !== undefined || (isInteger(text) && !isShortUuid(text))) return issue;
  const prefix = `${project.name}#`;
  const name = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  const [first, second, ...more] = await importsNamed(reader, project.uid, name);
  if (first === undefined) return undefined;
  if (second !== undefined && second.issue_uid !== first.issue_uid)
    throw await twoSources(reader, name, [first, second, ...more]);
  return await reader.issues.find(first.issue_uid);
}

/**
 * Throws `prefix_ambiguous` if an issue of this daemon had the short id until an issue of the hub got it. A person who
 * remembers the short id may mean any of these issues, so the error names all of them.
 */
export async function refuseLostName(
  { issues }: Pick<Reader, "issues">,
  issue: StoredIssue,
  short_id: string,
): Promise<void> {
  const lost = await issues.lostShortId(issue.project_uid, short_id);
  if (lost.length === 0) return;
  const candidates = [issue, ...lost].map(({ uid, title, status, ...of }) => {
    const qualified_id = qualifiedId(of.project_name, of.short_id);
    return { uid, short_id: of.short_id, qualified_id, title, status };
  });
  const message = `${short_id} was an issue of this daemon, until an issue of the hub got it`;
  throw new SvcError(
    "prefix_ambiguous",
    { candidates },
    { message, hint: `use a uid: ${candidates.map(({ uid }) => uid).join(" or ")}` },
  );
}

/**
 * Finds imported issues by their id in the other tracker. `name` may be one of these:
 *
 * - the whole id; it is looked up as written, and then in lower case
 * - the first eight digits of a UUID, as Taskwarrior shows it
 * - `#12`, the number after the dash of an id such as `gh-12`
 */
async function importsNamed(
  reader: Reader,
  project_uid: string,
  name: string,
): Promise<readonly Pick<ImportRow, "source" | "issue_uid">[]> {
  const ids = new Set([name, name.toLowerCase()]);
  for (const id of ids) {
    const found = (await reader.marks.importedAs(project_uid, id)).filter(isOfTracker);
    if (found.length > 0) return found;
  }
  if (isShortUuid(name))
    return (await reader.marks.importedByUuid(project_uid, name.toLowerCase())).filter(isOfTracker);
  const number = /^#(\d+)$/.exec(name)?.[1];
  if (number === undefined) return [];
  return (await reader.marks.importedUnder(project_uid, [number, `issue-number:${number}`])).filter(
    isOfTracker,
  );
}

function isOfTracker({ source }: Pick<ImportRow, "source">): boolean {
  return !source.startsWith(PLAN_PREFIX);
}

/**
 * Returns other live issues whose id in another tracker equals this short id. The short id takes precedence, so the
 * answer lists these issues as a warning.
 */
export async function namesakesOf(
  reader: Reader,
  { project, issue }: FoundIssue,
  text: string,
): Promise<readonly { readonly qualified_id: string; readonly source: string }[]> {
  const name = text.slice(text.lastIndexOf("#") + 1).toLowerCase();
  if (name !== issue.short_id) return [];
  const imports = await importsNamed(reader, project.uid, name);
  const issues = await reader.issues.many(imports.map(({ issue_uid }) => issue_uid));
  return imports.flatMap(({ source, issue_uid }) => {
    const other = issues.get(issue_uid);
    if (other === undefined || other.deleted_at !== null || issue_uid === issue.uid) return [];
    return [{ qualified_id: qualifiedId(other.project_name, other.short_id), source }];
  });
}

async function twoSources(
  reader: Reader,
  name: string,
  imports: readonly Pick<ImportRow, "source" | "issue_uid">[],
): Promise<SvcError> {
  const issues = await reader.issues.many(imports.map(({ issue_uid }) => issue_uid));
  const candidates = imports.flatMap(({ source, issue_uid }) => {
    const issue = issues.get(issue_uid);
    if (issue === undefined) return [];
    return [{ qualified_id: qualifiedId(issue.project_name, issue.short_id), source }];
  });
  const sources = [...new Set(imports.map(({ source }) => source))];
  const whose =
    sources.length === 1
      ? `several issues of ${sources[0]}`
      : `an issue of ${sources.join(" and ")} each`;
  const ids = candidates.map(({ qualified_id, source }) => `${qualified_id} (${source})`);
  return new SvcError(
    "issue_not_found",
    { ref: name, candidates },
    { message: `${name} names ${whose}`, hint: `use ${ids.join(" or ")}` },
  );
}

/**
 * Finds the issue at the other end of a link. A uid and a `project#short_id` may name an issue of any project. Any
 * other name is looked up in the project `subjectProjectUid`. `pin` is the uid of the project that the caller expects:
 * an issue of another project counts as missing. Whether the project of the issue may be archived is checked later, by
 * the rules of links.
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

/** Returns an issue that is about to be created, in the form that the rules of links use. */
export function peerOfNewIssue(
  { uid: project_uid, name: project_name }: StoredProject,
  uid: string,
  short_id: string,
): Peer {
  return { uid, short_id, project_uid, project_name, project_archived: false };
}

export async function parentOf(
  reader: Reader,
  issue: StoredIssue,
): Promise<StoredIssue | undefined> {
  const link = await reader.links.parentOf(issue.uid);
  return link === undefined ? undefined : await reader.issues.find(link.to_uid);
}

async function anywhere(
  reader: Reader,
  subjectProjectUid: string,
  text: string,
): Promise<StoredIssue | undefined> {
  const ref = parseRef(text);
  if (ref?.kind === "uid") return await reader.issues.find(ref.uid);
  const hash = text.lastIndexOf("#");
  const elsewhere = hash > 0 ? await reader.projects.findByName(text.slice(0, hash)) : undefined;
  const project = elsewhere ?? (await reader.projects.find(subjectProjectUid));
  if (project === undefined || (ref?.kind === "qualified" && elsewhere === undefined))
    return undefined;
  return await issueNamed(reader, project, ref?.short_id, text);
}

export async function reload(reader: Reader, { uid }: StoredIssue): Promise<StoredIssue> {
  const issue = await reader.issues.find(uid);
  invariant(issue !== undefined, "an issue stays where it is while it is written");
  return issue;
}

export function noIssue(ref: string): SvcError {
  return new SvcError("issue_not_found", { ref }, { message: `no issue ${ref} here` });
}
