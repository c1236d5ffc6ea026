import type { LinkType, Touches } from "../domain/state.ts";
import type { Connection } from "./connection.ts";
import {
  aliasByIdentity,
  aliasesByProject,
  commentsByName,
  commentsByUid,
  cronJobByUid,
  cronJobsByProject,
  cronRunByUid,
  cronRunsByProject,
  cronWorkflowByUid,
  cronWorkflowsByProject,
  importsByProject,
  issuesByName,
  issuesByUid,
  labelByKey,
  labelsByIssue,
  leasesOf,
  linkByKey,
  linksByName,
  linksFrom,
  parentLinks,
  projectsByUid,
  recurrenceByUid,
  recurrencesByProject,
  uidsByProject,
} from "./load-statements.ts";
import { keyOf, type Loaded } from "./loaded.ts";
import {
  cronJobOf,
  cronWorkflowOf,
  derivedOf,
  issueRow,
  projectRow,
  recurrenceOf,
  runOf,
} from "./rows.ts";
import type { Statement } from "./statement.ts";

/** Makes sure that what the event touches is here. An issue that does not exist has nothing to load for it. */
export async function load(
  connection: Connection,
  loaded: Loaded,
  touches: Touches,
): Promise<void> {
  const {
    projects = [],
    issues = [],
    comments = [],
    labels = [],
    links = [],
    parentsOf = [],
    aliases = [],
    leases = [],
    recurrences = [],
    recurrencesOf = [],
    cronJobs = [],
    cronWorkflows = [],
    cronRuns = [],
    cronOf = [],
    aliasesOf = [],
    issuesOf = [],
    importsOf = [],
    authored = [],
  } = touches;
  await Promise.all([
    loadIssues(connection, loaded, issues),
    loadProjects(connection, loaded, projects),
    loadComments(connection, loaded, comments),
    loadAliases(connection, loaded, aliases, aliasesOf),
  ]);
  await loadLeases(connection, loaded, leases);
  await loadKind(connection, loaded.recurrences, SERIES, recurrences, recurrencesOf);
  await loadKind(connection, loaded.cronJobs, JOBS, cronJobs, cronOf);
  await loadKind(connection, loaded.cronWorkflows, WORKFLOWS, cronWorkflows, cronOf);
  await loadKind(connection, loaded.cronRuns, RUNS, cronRuns, cronOf);
  for (const uid of issuesOf) await loadProjectIssues(connection, loaded, uid);
  for (const uid of importsOf)
    loaded.projectImports.set(uid, await importsByProject.all(connection, { uid }));
  for (const [uid, name] of authored) await loadAuthored(connection, loaded, uid, name);
  const exists = (uid: string): boolean =>
    !loaded.issues.has(uid) || loaded.issues.get(uid) !== undefined;
  await Promise.all([
    loadLabels(
      connection,
      loaded,
      labels.filter(([uid]) => exists(uid)),
    ),
    loadLinks(
      connection,
      loaded,
      links.filter(([from, to]) => exists(from) && exists(to)),
    ),
    loadParents(connection, loaded, parentsOf.filter(exists)),
  ]);
}

export async function loadProjects(
  connection: Connection,
  loaded: Loaded,
  uids: readonly string[],
): Promise<void> {
  const missing = unknown(loaded.projects, uids);
  if (missing.length === 0) return;
  for (const row of await projectsByUid.all(connection, { uids: missing }))
    loaded.projects.set(row.uid, projectRow(row));
}

export async function loadIssues(
  connection: Connection,
  loaded: Loaded,
  uids: readonly string[],
): Promise<void> {
  const missing = unknown(loaded.issues, uids);
  if (missing.length === 0) return;
  for (const row of await issuesByUid.all(connection, { uids: missing })) {
    loaded.issues.set(row.uid, { row: issueRow(row), derived: derivedOf(row) });
  }
}

/** Lists are read each time: what is loaded is written by then. */
async function loadProjectIssues(
  connection: Connection,
  loaded: Loaded,
  uid: string,
): Promise<void> {
  const uids = (await uidsByProject.all(connection, { uid })).map((row) => row.uid);
  await loadIssues(connection, loaded, uids);
  loaded.projectIssues.set(uid, uids);
}

async function loadAuthored(
  connection: Connection,
  loaded: Loaded,
  uid: string,
  name: string,
): Promise<void> {
  const [issues, comments, links] = [
    await issuesByName.all(connection, { uid, name }),
    await commentsByName.all(connection, { uid, name }),
    await linksByName.all(connection, { uid, name }),
  ];
  const uids = issues.map((row) => row.uid);
  await loadIssues(connection, loaded, uids);
  for (const row of comments) loaded.comments.set(row.uid, row);
  for (const row of links) loaded.links.set(keyOf(row.from_uid, row.type, row.to_uid), row);
  loaded.named.set(keyOf(uid, name), {
    issues: uids.flatMap((uid) => loaded.issue(uid) ?? []),
    comments,
    links,
  });
}

/** Rows of which an event touches one, or all of a project. */
interface Kind<R, S> {
  readonly byUid: Statement<{ uid: string }, R>;
  readonly byProject: Statement<{ uid: string }, R>;
  readonly rowOf: (row: R) => S;
}

const SERIES = { byUid: recurrenceByUid, byProject: recurrencesByProject, rowOf: recurrenceOf };
const JOBS = { byUid: cronJobByUid, byProject: cronJobsByProject, rowOf: cronJobOf };
const WORKFLOWS = {
  byUid: cronWorkflowByUid,
  byProject: cronWorkflowsByProject,
  rowOf: cronWorkflowOf,
};
const RUNS = { byUid: cronRunByUid, byProject: cronRunsByProject, rowOf: runOf };

async function loadKind<R extends { readonly uid: string }, S extends { readonly id: number }>(
  connection: Connection,
  known: Map<string, Omit<S, "id"> | undefined>,
  { byUid, byProject, rowOf }: Kind<R, S>,
  uids: readonly string[],
  projects: readonly string[],
): Promise<void> {
  const rows: R[] = [];
  for (const uid of unknown(known, uids)) rows.push(...(await byUid.all(connection, { uid })));
  for (const uid of projects) rows.push(...(await byProject.all(connection, { uid })));
  for (const row of rows) {
    // The local id is the database's own.
    const { id: _local, ...own } = rowOf(row);
    known.set(row.uid, own);
  }
}

async function loadComments(
  connection: Connection,
  loaded: Loaded,
  uids: readonly string[],
): Promise<void> {
  const missing = unknown(loaded.comments, uids);
  if (missing.length === 0) return;
  for (const row of await commentsByUid.all(connection, { uids: missing }))
    loaded.comments.set(row.uid, row);
}

async function loadLeases(
  connection: Connection,
  loaded: Loaded,
  uids: readonly string[],
): Promise<void> {
  const missing = unknown(loaded.leases, uids);
  if (missing.length === 0) return;
  for (const row of await leasesOf.all(connection, { uids: missing }))
    loaded.leases.set(row.issue_uid, row);
}

/** A few are looked up one by one: an issue may have many more labels and links than the event touches. */
const FEW = 4;

async function loadLabels(
  connection: Connection,
  loaded: Loaded,
  keys: readonly (readonly [string, string])[],
): Promise<void> {
  const missing = keys.filter(([uid, label]) => !loaded.labels.has(keyOf(uid, label)));
  if (missing.length <= FEW) {
    for (const [issue_uid, label] of missing)
      loaded.labels.set(
        keyOf(issue_uid, label),
        await labelByKey.one(connection, { issue_uid, label }),
      );
    return;
  }
  for (const [uid, label] of missing) loaded.labels.set(keyOf(uid, label), undefined);
  const uids = [...new Set(missing.map(([uid]) => uid))];
  for (const row of await labelsByIssue.all(connection, { uids })) {
    const key = keyOf(row.issue_uid, row.label);
    if (loaded.labels.get(key) === undefined) loaded.labels.set(key, row);
  }
}

async function loadLinks(
  connection: Connection,
  loaded: Loaded,
  keys: readonly (readonly [string, string, LinkType])[],
): Promise<void> {
  const missing = keys.filter(([from, to, type]) => !loaded.links.has(keyOf(from, type, to)));
  if (missing.length <= FEW) {
    for (const [from_uid, to_uid, type] of missing)
      loaded.links.set(
        keyOf(from_uid, type, to_uid),
        await linkByKey.one(connection, { from_uid, to_uid, type }),
      );
    return;
  }
  for (const [from, to, type] of missing) loaded.links.set(keyOf(from, type, to), undefined);
  const uids = [...new Set(missing.map(([from]) => from))];
  for (const row of await linksFrom.all(connection, { uids })) {
    const key = keyOf(row.from_uid, row.type, row.to_uid);
    if (loaded.links.get(key) === undefined) loaded.links.set(key, row);
  }
}

async function loadParents(
  connection: Connection,
  loaded: Loaded,
  uids: readonly string[],
): Promise<void> {
  const missing = unknown(loaded.parents, uids);
  if (missing.length === 0) return;
  for (const row of await parentLinks.all(connection, { uids: missing }))
    loaded.parents.set(row.from_uid, row);
}

async function loadAliases(
  connection: Connection,
  loaded: Loaded,
  identities: readonly string[],
  projects: readonly string[],
): Promise<void> {
  for (const identity of identities) {
    if (!loaded.aliases.has(identity))
      loaded.aliases.set(identity, await aliasByIdentity.one(connection, { identity }));
  }
  for (const uid of projects)
    loaded.projectAliases.set(uid, await aliasesByProject.all(connection, { uid }));
}

/** Marks the keys as looked for, and returns those that were not before. */
function unknown<T>(known: Map<string, T | undefined>, keys: readonly string[]): readonly string[] {
  const missing = keys.filter((key) => !known.has(key));
  for (const key of missing) known.set(key, undefined);
  return missing;
}
