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
  leaseOf,
  linkByKey,
  linksByName,
  parentLink,
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
  for (const uid of leases) {
    if (!loaded.leases.has(uid)) loaded.leases.set(uid, await leaseOf.one(connection, { uid }));
  }
  await loadRecurrences(connection, loaded, recurrences);
  for (const uid of recurrencesOf) {
    for (const row of await recurrencesByProject.all(connection, { uid }))
      loaded.recurrences.set(row.uid, localOff(recurrenceOf(row)));
  }
  await loadCron(connection, loaded, cronJobs, cronWorkflows, cronOf);
  await loadRuns(connection, loaded, cronRuns, cronOf);
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

export async function loadRecurrences(
  connection: Connection,
  loaded: Loaded,
  uids: readonly string[],
): Promise<void> {
  for (const uid of unknown(loaded.recurrences, uids)) {
    const row = await recurrenceByUid.one(connection, { uid });
    if (row !== undefined) loaded.recurrences.set(uid, localOff(recurrenceOf(row)));
  }
}

async function loadCron(
  connection: Connection,
  loaded: Loaded,
  jobs: readonly string[],
  workflows: readonly string[],
  projects: readonly string[],
): Promise<void> {
  for (const uid of unknown(loaded.cronJobs, jobs)) {
    const row = await cronJobByUid.one(connection, { uid });
    if (row !== undefined) loaded.cronJobs.set(uid, localOff(cronJobOf(row)));
  }
  for (const uid of unknown(loaded.cronWorkflows, workflows)) {
    const row = await cronWorkflowByUid.one(connection, { uid });
    if (row !== undefined) loaded.cronWorkflows.set(uid, localOff(cronWorkflowOf(row)));
  }
  for (const uid of projects) {
    for (const row of await cronJobsByProject.all(connection, { uid }))
      loaded.cronJobs.set(row.uid, localOff(cronJobOf(row)));
    for (const row of await cronWorkflowsByProject.all(connection, { uid }))
      loaded.cronWorkflows.set(row.uid, localOff(cronWorkflowOf(row)));
  }
}

async function loadRuns(
  connection: Connection,
  loaded: Loaded,
  uids: readonly string[],
  projects: readonly string[],
): Promise<void> {
  for (const uid of unknown(loaded.cronRuns, uids)) {
    const row = await cronRunByUid.one(connection, { uid });
    if (row !== undefined) loaded.cronRuns.set(uid, localOff(runOf(row)));
  }
  for (const uid of projects) {
    for (const row of await cronRunsByProject.all(connection, { uid }))
      loaded.cronRuns.set(row.uid, localOff(runOf(row)));
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

async function loadLabels(
  connection: Connection,
  loaded: Loaded,
  keys: readonly (readonly [string, string])[],
): Promise<void> {
  for (const [issue_uid, label] of keys) {
    const key = keyOf(issue_uid, label);
    if (!loaded.labels.has(key))
      loaded.labels.set(key, await labelByKey.one(connection, { issue_uid, label }));
  }
}

async function loadLinks(
  connection: Connection,
  loaded: Loaded,
  keys: readonly (readonly [string, string, LinkType])[],
): Promise<void> {
  for (const [from_uid, to_uid, type] of keys) {
    const key = keyOf(from_uid, type, to_uid);
    if (!loaded.links.has(key))
      loaded.links.set(key, await linkByKey.one(connection, { from_uid, to_uid, type }));
  }
}

async function loadParents(
  connection: Connection,
  loaded: Loaded,
  uids: readonly string[],
): Promise<void> {
  for (const uid of uids) {
    if (!loaded.parents.has(uid))
      loaded.parents.set(uid, await parentLink.one(connection, { uid }));
  }
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

/** The local id is the database's own. */
function localOff<T extends { readonly id: number }>({ id: _local, ...row }: T): Omit<T, "id"> {
  return row;
}

/** Marks the keys as looked for, and returns those that were not before. */
function unknown<T>(known: Map<string, T | undefined>, keys: readonly string[]): readonly string[] {
  const missing = keys.filter((key) => !known.has(key));
  for (const key of missing) known.set(key, undefined);
  return missing;
}
