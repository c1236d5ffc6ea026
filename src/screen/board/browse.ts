import { OWNER_NONE, parseQuery, partWith, togglePart } from "../issues/query.ts";
import { relationsOf } from "../issues/relations.ts";
import { chooseProject } from "../scope/choose-project.ts";
import { projectLabel } from "../scope/copies.ts";
import { countsOf, inboxProject } from "../scope/counts.ts";
import type { ProjectItem } from "../scope/state.ts";
import { clamp } from "../scroll.ts";
import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import { setQuery } from "./board.ts";
import { applyView, CAPTURE, isShown, type NamedQuery, removeView, viewsOf } from "./views.ts";

export type BrowseTarget =
  | { readonly is: "view"; readonly name: string; readonly view: NamedQuery }
  | { readonly is: "project"; readonly project: ProjectItem | undefined }
  | { readonly is: "part"; readonly part: string };

export interface BrowseRow {
  /** The identity of the line, which stays the same when the counts or the order of the lines change. */
  readonly key: string;
  readonly name: string;
  /** Whether the line names a person or agent. */
  readonly isName?: true;
  readonly count: number;
  readonly isOn: boolean;
  readonly target: BrowseTarget;
}

export interface BrowseSection {
  readonly title: string;
  readonly rows: readonly BrowseRow[];
  /** How many rows are left out for lack of room. */
  readonly more: number;
}

export function browseSections(state: State): readonly BrowseSection[] {
  const views = viewRows(state);
  const lists = [
    { title: "PROJECTS", rows: projectRows(state) },
    ...facets(state).map(({ title, rows }) => ({ title, rows })),
  ];
  // Each section takes a line for its title and a blank line below it.
  const room = state.fit.browse(state) - views.length - 2 * lists.length - 1;
  const shares = fairShares(
    lists.map(({ rows }) => rows.length),
    Math.max(room, LEAST_ROWS * lists.length),
  );
  return [
    { title: "VIEWS", rows: views, more: 0 },
    ...lists.map(({ title, rows }, at) => {
      const share = shares[at] ?? 0;
      // The last line says how many rows are left out.
      const shown = rows.length <= share ? rows : rows.slice(0, share - 1);
      return { title, rows: shown, more: rows.length - shown.length };
    }),
  ];
}

const LEAST_ROWS = 3;

/** Shares the room equally. Room that one section does not need goes to the others. */
function fairShares(wanted: readonly number[], room: number): readonly number[] {
  const shares = wanted.map(() => 0);
  let left = room;
  while (left > 0 && shares.some((share, at) => share < (wanted[at] ?? 0))) {
    for (const [at, want] of wanted.entries()) {
      const share = shares[at] ?? 0;
      if (share >= want || left === 0) continue;
      shares[at] = share + 1;
      left -= 1;
    }
  }
  return shares;
}

function viewRows(state: State): readonly BrowseRow[] {
  const views = viewsOf(state);
  const relations = relationsOf(state);
  const { scope } = state;
  const inbox = inboxProject(state.scope);
  const isInboxLoaded = scope.project === undefined || scope.project.id === inbox?.id;
  return views.map((view) => {
    const { name, query, isOwn } = view;
    const target = { is: "view", name, view } as const;
    const isCounted = isOwn || name !== CAPTURE || isInboxLoaded;
    const count = isCounted ? relations.countOf(query) : (inbox?.open ?? 0);
    return { key: `view ${name}`, name, count, isOn: isShown(state, view), target };
  });
}

function projectRows({ scope }: State): readonly BrowseRow[] {
  const { projects } = scope;
  const row = (project: ProjectItem | undefined, name: string, count: number): BrowseRow => ({
    key: `project ${project?.uid ?? "all"}`,
    name,
    count,
    isOn: scope.project?.id === project?.id,
    target: { is: "project", project },
  });
  const { open } = countsOf(projects);
  // The current project comes first, so that it is never left out.
  const first = projects.filter(({ id }) => id === scope.project?.id);
  const others = projects.filter(({ id }) => id !== scope.project?.id);
  return [
    row(undefined, "all projects", open),
    ...[...first, ...others].map((project) => row(project, projectLabel(project), project.open)),
  ];
}

function facets(
  state: State,
): readonly { readonly title: string; readonly rows: readonly BrowseRow[] }[] {
  const { labels, owners } = relationsOf(state).counts();
  const query = parseQuery(state.board.query);
  const row = (part: string, name: string, count: number, isOn: boolean): BrowseRow => ({
    key: part,
    name,
    count,
    isOn,
    target: { is: "part", part },
  });
  return [
    {
      title: "LABELS",
      rows: labels.map(([name, count]) =>
        row(partWith("label", name), name, count, query.labels.includes(name.toLowerCase())),
      ),
    },
    {
      title: "OWNERS",
      rows: owners.map(([name, count]) => {
        const owner = name === NO_OWNER ? OWNER_NONE : name;
        const isOn = query.owner === owner.toLowerCase();
        return { ...row(partWith("owner", owner), name, count, isOn), isName: true };
      }),
    },
  ];
}

const NO_OWNER = "(none)";

function rowsIn(state: State): readonly BrowseRow[] {
  return browseSections(state).flatMap(({ rows }) => rows);
}

/** The line under the cursor; if that line is gone, the first line that is switched on, else the first line. */
export function browseRow(state: State): BrowseRow | undefined {
  const rows = rowsIn(state);
  return rows[cursorIn(state, rows)];
}

function cursorIn({ board: { browse } }: State, rows: readonly BrowseRow[]): number {
  const at = rows.findIndex(({ key }) => key === browse);
  return at === -1
    ? Math.max(
        0,
        rows.findIndex(({ isOn }) => isOn),
      )
    : at;
}

export function moveInBrowse(state: State, by: number): State {
  const rows = rowsIn(state);
  return withSlice(state, "board", {
    browse: rows[clamp(cursorIn(state, rows) + by, rows.length)]?.key,
  });
}

/**
 * Uses the line under the cursor of the browse pane: shows its view or project, or adds its label or owner to the
 * filter. If the filter already contains the label or owner, removes it from the filter.
 */
export function applyBrowse(state: State): Step {
  const row = browseRow(state);
  if (row === undefined) return step(state);
  const { target, key } = row;
  const here = withSlice(state, "board", { browse: key });
  switch (target.is) {
    case "view":
      return applyView(here, target.view);
    case "project":
      return chooseProject(here, target.project);
    case "part":
      return step(setQuery(here, togglePart(state.board.query, target.part)));
  }
}

export function removeBrowsed(state: State): Step {
  const target = browseRow(state)?.target;
  return target?.is === "view" ? removeView(state, target.name) : step(state);
}
