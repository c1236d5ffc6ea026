import type { StoredEvent } from "../../contract/events.ts";
import { planSource } from "../plan-names.ts";
import { assignedId } from "../short-id.ts";
import type { Change, IssueRow, ListedTable, State, Touches } from "../state.ts";
import type { Table } from "../tables/table.ts";
import { FOLDED, TABLES } from "../tables/tables.ts";
import { type Evolver, later, subject, subjectOf } from "./evolver.ts";
import { LinkChanges } from "./link-changes.ts";

/**
 * This file folds moves, merges and renamed authors (docs/contract/http-api.md#61-life-of-an-issue and
 * docs/contract/http-api.md#69-projects).
 */

/**
 * The short id in the old project stays reserved for the issue. The issue gets it again if it returns to that project.
 */
export const moved: Evolver<"issue.moved"> = {
  touches: (event) => {
    const own = event.issue_uid === undefined ? [] : [event.issue_uid];
    return {
      ...subject(event),
      parentsOf: own,
      waitingOf: own,
      ancestorsOf: own.map((uid) => [uid, []]),
    };
  },
  evolve: (state, event) => {
    const issue = subjectOf(state, event);
    if (issue === undefined) return [];
    const { left, entered } = moveOf(event, issue.uid);
    const put: IssueRow = {
      ...issue,
      ...entered,
      updated_at: later(issue.updated_at, event.payload.updated_at),
    };
    // Which link of a circle of parents waits depends on the projects of its issues.
    const links = new LinkChanges(state, [put]);
    links.judgeParents([issue.uid]);
    return [
      { table: "issue", put },
      { table: "former", remove: entered },
      { table: "former", put: { ...left, issue_uid: issue.uid } },
      ...links.changes(),
    ];
  },
};

/** The project and the short id that an issue leaves by a move, and those that it gets. */
export function moveOf(event: StoredEvent<"issue.moved">, uid: string) {
  const { from_project_uid, from_short_id, to_project_uid, to_short_id } = event.payload;
  const at = (project_uid: string, short_id: string) => ({
    project_uid,
    short_id: assignedId(event, uid, project_uid) ?? short_id,
  });
  return { left: at(from_project_uid, from_short_id), entered: at(to_project_uid, to_short_id) };
}

/** Tables whose rows belong to a project, except issues; a merge moves these rows to the target. */
const PROJECT_TABLES = FOLDED.filter(
  (table) => table !== "issue" && "project" in TABLES[table].belongs,
) as readonly ListedTable[];

/**
 * Moves the issues, imports and all other rows of the merged project (`source_uid`) to the event's project, and removes
 * the merged project, unless a purge already removed it.
 */
export const merged: Evolver<"project.merged"> = {
  touches: ({ project_uid, payload: { source_uid } }) => ({
    projects: [project_uid, source_uid],
    issuesOf: [source_uid],
    waitingParents: true,
    of: Object.fromEntries(
      ["import", ...PROJECT_TABLES].map((table) => [table, [source_uid]]),
    ) as Touches["of"] & object,
  }),
  evolve: (state, event) => {
    const { project_uid, payload } = event;
    const { source_uid: uid, plans_renamed = [] } = payload;
    const sources = new Map(
      plans_renamed.map(({ from, to }) => [planSource(from), planSource(to)]),
    );
    const wanted = mergedIdsOf(event);
    const issues = state.issuesOf(uid).map((issue): IssueRow => {
      const short_id = assignedId(event, issue.uid, project_uid) ?? wanted(issue);
      return { ...issue, project_uid, short_id };
    });
    const links = new LinkChanges(state, issues);
    links.judgeParents(state.waitingParents().map(({ from_uid }) => from_uid));
    return [
      ...issues.map((put): Change => ({ table: "issue", put })),
      ...links.changes(),
      ...state.of("import", uid).flatMap((row): readonly Change[] => [
        { table: "import", remove: row },
        {
          table: "import",
          put: { ...row, project_uid, source: sources.get(row.source) ?? row.source },
        },
      ]),
      ...PROJECT_TABLES.flatMap((table) => takenAlong(state, table, uid, project_uid)),
      ...(state.project(uid) === undefined ? [] : [gone(uid)]),
    ];
  },
};

/** The short ids that the event gives to the issues of the merged project. */
export function mergedIdsOf({ payload }: StoredEvent<"project.merged">) {
  const extended = new Map(
    payload.short_id_extensions.map(({ uid, post_merge_short_id }) => [uid, post_merge_short_id]),
  );
  return ({ uid, short_id }: Pick<IssueRow, "uid" | "short_id">): string =>
    extended.get(uid) ?? short_id;
}

function takenAlong(
  state: State,
  table: ListedTable,
  from: string,
  project_uid: string,
): readonly Change[] {
  const { key }: Table = TABLES[table];
  const isInKey = key.includes("project_uid");
  return state
    .of(table, from)
    .flatMap((row) => [
      ...(isInKey ? [{ table, remove: row }] : []),
      { table, put: { ...row, project_uid } },
    ]) as readonly Change[];
}

function gone(uid: string): Change {
  return { table: "project", remove: { uid } };
}

/**
 * Replaces a name in the current rows where it matches exactly; a new owner increments the revision
 * (docs/contract/http-api.md#16-revisions).
 */
export const authorRewritten: Evolver<"project.author_rewritten"> = {
  touches: ({ project_uid, payload }) => ({ authored: [[project_uid, payload.from]] }),
  evolve: (state, { project_uid, payload: { from, to, updated_at } }) => {
    const { issues, comments, links, waitingLinks } = state.authored(project_uid, from);
    const renamed = (name: string): string => (name === from ? to : name);
    return [
      ...issues.map(
        (issue): Change => ({
          table: "issue",
          put: {
            ...issue,
            author: renamed(issue.author),
            owner: issue.owner === null ? null : renamed(issue.owner),
            revision: issue.owner === from ? issue.revision + 1 : issue.revision,
            updated_at: later(issue.updated_at, updated_at),
          },
        }),
      ),
      ...comments.map((row): Change => ({ table: "comment", put: { ...row, author: to } })),
      ...links.map((row): Change => ({ table: "link", put: { ...row, author: to } })),
      ...waitingLinks.map(
        (row): Change => ({ table: "waiting_link", put: { ...row, author: to } }),
      ),
    ];
  },
};
