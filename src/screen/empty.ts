import { shellWord } from "../base/shell-word.ts";
import { boardLines } from "./board/board.ts";
import { nearMisses } from "./board/near-misses.ts";
import { cronCount, hasLedger } from "./cron/cron.ts";
import { fleetRows } from "./fleet/fleet.ts";
import { unknownNameIn } from "./issues/query.ts";
import { keyFor } from "./keymap.ts";
import type { Command } from "./keys.ts";
import type { MissingProject } from "./projects/state.ts";
import type { Screen, State } from "./state.ts";

/** What a screen without rows shows: why it is empty, and how to make the first row. */
export interface Empty {
  readonly why: string;
  /**
   * The keys that lead out of this state, as text. The text is shown after `why` and a colon. The browser page shows
   * buttons instead.
   */
  readonly how?: string;
  /** Further lines that name keys. The browser page leaves them out. */
  readonly byKey?: readonly string[];
  readonly next: readonly string[];
}

export function textsOf({ why, how, byKey = [], next }: Empty): readonly string[] {
  return [how === undefined ? why : `${why}: ${how}`, ...byKey, ...next];
}

export const LOADING: Empty = { why: "loading...", next: [] };

/**
 * The screens whose rows depend on the chosen project. If the browser page's address names a project that does not
 * exist or is archived, these screens show no rows.
 */
const OF_PROJECT: ReadonlySet<Screen> = new Set<Screen>(["board", "cron", "fleet"]);

export function isProjectMissing({ screen, projects: { missing } }: State): boolean {
  return missing !== undefined && OF_PROJECT.has(screen);
}

/** What the current screen shows instead of rows; `undefined` if it has rows. */
export function emptyOf(state: State): Empty | undefined {
  const { missing } = state.projects;
  if (missing !== undefined && OF_PROJECT.has(state.screen)) return noProject(state, missing);
  switch (state.screen) {
    case "board":
      return boardLines(state).length > 0 ? undefined : emptyBoard(state);
    case "inbox":
      return emptyInbox(state);
    case "graph":
      return emptyGraph(state);
    case "cron":
      return emptyCron(state);
    case "projects":
      return emptyProjects(state);
    case "fleet":
      return emptyFleet(state);
  }
}

function noProject(state: State, { name, isArchived }: MissingProject): Empty {
  const others = `${keyFor(state, "projects")} shows the projects that there are.`;
  return isArchived
    ? {
        why: `The project ${name} is archived.`,
        byKey: [others],
        next: [`svc projects restore ${shellWord(name)} brings it back with its issues.`],
      }
    : {
        why: `There is no project called ${name}.`,
        byKey: [others],
        next: [
          "It was renamed, merged into another or removed, or the address is that of another daemon.",
        ],
      };
}

type Word = (command: Command) => string;

const keysOf =
  (state: State): Word =>
  (command) =>
    keyFor(state, command);

function emptyBoard(state: State): Empty {
  const key = keysOf(state);
  const { board, issues } = state;
  const { stage: loading } = state.loading;
  if (loading === "nothing" || loading === "first") return LOADING;
  if (board.search?.found !== undefined)
    return { why: "the daemon found nothing", how: `${key("back")} goes back`, next: [] };
  if (needsProject(state)) {
    if (state.connection.live === "starting") return LOADING;
    const next = `${key("projects")} shows the projects: ${key("project-new")} there makes one by its name`;
    return { why: "There is no project yet, and an issue needs one.", byKey: [next], next: [] };
  }
  if (issues.size === 0)
    return { why: "no issues yet", how: `${key("new")} makes the first`, next: [] };
  const how = `${key("clear-filter")} clears the filter, ${key("search")} asks the daemon, ${key("new")} makes one`;
  return { why: "no issues match", how, ...whyNone(state) };
}

export function needsProject({ projects: { all, scope } }: State): boolean {
  return all.length === 0 && scope.project === undefined;
}

/**
 * What to say if the filter finds no issues: in `byKey` the filters that would find some, in `next` an unknown field
 * name in the filter. The browser page has a button for each line of `byKey`.
 */
function whyNone(state: State): Pick<Empty, "byKey" | "next"> {
  const name = unknownNameIn(state.board.query);
  const states = `${keysOf(state)("next-status")} goes through the states`;
  return {
    byKey: nearMisses(state).map(
      ({ differs, count, isStatus }) =>
        `${differs} there would be ${count}${isStatus ? `: ${states}` : ""}`,
    ),
    next:
      name === undefined
        ? []
        : [`no ${name}: here, but status: owner: author: project: label: date: rel: p: meta.`],
  };
}

function emptyInbox(state: State): Empty | undefined {
  const { requests, address, all } = state.inbox;
  if (requests === undefined) return LOADING;
  if (requests.length > 0) return undefined;
  const key = keysOf(state);
  return {
    why: `nobody asks ${address} for anything`,
    byKey: [
      ...(all ? [] : [`${key("inbox-all")} looks at all your addresses`]),
      `${key("notify")} on an issue asks somebody; so does: svc notify <ref> --to ${address}`,
    ],
    next: [],
  };
}

function emptyGraph(state: State): Empty | undefined {
  const { graph } = state;
  const key = keysOf(state);
  if (graph === undefined) {
    const next = `${key("board")} is the board: choose one there and press ${key("graph-screen")}`;
    return { why: "no issue is chosen", byKey: [next], next: [] };
  }
  const isRead = (graph.showChain ? graph.chain : graph.data) !== undefined;
  if (isRead) return undefined;
  // The painters show `graph.error` above this text.
  if (graph.error !== undefined) return { why: "the graph cannot be read", next: [] };
  return LOADING;
}

/** Returns the text that the graph screen shows below an issue without links. */
export function unlinked(state: State): Empty | undefined {
  const { graph } = state;
  if (graph?.data === undefined || graph.showChain) return undefined;
  if (graph.data.edges.length > 0 || graph.data.unresolved_refs.length > 0) return undefined;
  const key = keysOf(state);
  const links = `${key("set-parent")} gives it a parent, ${key("add-blocker")} what it waits for, ${key("add-related")} what it is related to`;
  const done = `${key("graph-done")} shows closed issues too`;
  return {
    why: graph.hideDone ? "it is linked to nothing that is open" : "it is linked to nothing",
    next: graph.hideDone ? [links, done] : [links],
  };
}

function emptyCron(state: State): Empty | undefined {
  const { cron } = state;
  const { scope } = state.projects;
  const key = keysOf(state);
  if (scope.project === undefined)
    return {
      why: "jobs and runs belong to a project",
      byKey: [`${key("projects")} chooses one`],
      next: [],
    };
  if (cron.unsupported) return { why: "this daemon has no cron support", next: [] };
  if (cronCount(state) > 0) return undefined;
  switch (cron.tab) {
    case "runs":
      if (cron.runs === undefined) return LOADING;
      return {
        why: "no run was recorded yet",
        next: ["who runs a job records it: svc cron run observe"],
      };
    case "jobs":
      if (cron.jobs === undefined) return LOADING;
      return {
        why: "no job yet",
        next: [
          "svc cron job create --file job.json --parent <ref> makes one; its --help has such a file",
        ],
      };
    case "workflows":
      if (cron.workflows === undefined) return LOADING;
      return {
        why: "no workflow yet",
        next: ["svc cron workflow create --file flow.json makes one; its --help has such a file"],
      };
    case "series":
      if (cron.series === undefined) return LOADING;
      return {
        why: "nothing comes again yet",
        how: `${key("series-new")} makes a series`,
        next: [
          "A series makes its next issue when the one before it is closed as done.",
          'On the command line: svc recurrence create --title "..." --rrule "FREQ=WEEKLY"',
        ],
      };
    case "ledger":
      if (cron.job === undefined) return noJob(key);
      if (!hasLedger(cron))
        return {
          why: "svc delivers this job not itself, and keeps no ledger of it",
          next: ["what became of it say its runs, which its adapter records"],
        };
      if (cron.ledger === undefined) return LOADING;
      return {
        why: "nothing came due yet",
        next: [`${key("cron-preview")} shows when it does`],
      };
    case "preview":
      if (cron.job === undefined) return noJob(key);
      if (cron.preview === undefined) return LOADING;
      return {
        why: "no time is to come",
        next: ["its date is over, or no clock starts it: its adapter does"],
      };
  }
}

function noJob(key: Word): Empty {
  const next = `${key("cron-next-tab")} to Jobs: there ${key("cron-open")} shows what became of one, ${key("cron-preview")} when it comes next`;
  return { why: "no job is chosen", next: [next] };
}

function emptyProjects(state: State): Empty | undefined {
  if (state.projects.all.length > 0) return undefined;
  if (state.connection.live === "starting") return LOADING;
  return {
    why: "There is no project yet.",
    byKey: [`${keysOf(state)("project-new")} makes one by its name.`],
    next: ["For the folder that you work in, leave and run: svc init"],
  };
}

function emptyFleet(state: State): Empty | undefined {
  const { rows } = state.fleet;
  if (rows === undefined) return LOADING;
  const key = keysOf(state);
  if (fleetRows(state).length > 0) return undefined;
  if (rows.length > 0)
    return { why: "nobody like that", how: `${key("fleet-clear")} clears the filter`, next: [] };
  return {
    why: "nobody leases an issue or owns an open one",
    byKey: [`${key("board")} is the board: there ${key("assign")} gives an issue to somebody`],
    next: ["an agent takes one: svc next --claim"],
  };
}
