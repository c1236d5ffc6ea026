import { type Empty, keysOf, LOADING, NEW_PROJECT } from "../empty-text.ts";
import { loadProjects } from "../scope/counts.ts";
import { cursorIn, type ScreenRecord } from "../screen.ts";
import { CURSOR, CUT } from "../signs.ts";
import type { State } from "../state.ts";
import { PROJECT_ENTRIES, PROJECTS_COMMANDS } from "./commands.ts";
import { PROJECTS_KEYS } from "./keys.ts";
import { createProject, touchesProjects } from "./projects.ts";
import { INITIAL_PROJECTS } from "./state.ts";

declare module "../forms/dialog.ts" {
  interface PromptKinds {
    readonly projects: "project";
  }
}

/** A read waits this long after an event, so that a burst of events causes one read. */
const AFTER_EVENT_MS = 500;

/** The list of projects, in which the person chooses to show one project or all. The first row means all projects. */
export const PROJECTS: ScreenRecord<"projects"> = {
  name: "projects",
  initial: () => INITIAL_PROJECTS,
  isFirst: ({ scope }) => scope === undefined,

  keys: PROJECTS_KEYS,
  help: { projects: { where: "among projects", heading: "Projects" } },
  signs: { projects: [CURSOR, CUT] },
  shownBy: "projects",
  opensBy: "project-choose",
  commands: PROJECTS_COMMANDS,
  scopes: [["projects", "lines", "everywhere"]],
  entries: PROJECT_ENTRIES,
  prompts: {
    project: {
      needsText: true,
      answer: (state, _dialog, text) => createProject(state, text),
    },
  },
  forms: undefined,
  targets: undefined,

  rows: {
    ...cursorIn("projects"),
    count: ({ scope: { projects } }) => (projects.length === 0 ? 0 : projects.length + 1),
    issues: () => [],
    isRead: () => true,
  },
  issueUnderCursor: () => undefined,

  empty,
  emptyActs: () => [NEW_PROJECT],

  reducer: undefined,
  reads: () => [loadProjects()],
  readsAfterEvents: (state, events) =>
    touchesProjects(state, events) ? [loadProjects(AFTER_EVENT_MS)] : [],

  address: undefined,
};

function empty(state: State): Empty | undefined {
  if (state.scope.projects.length > 0) return undefined;
  if (state.connection.live === "starting") return LOADING;
  return {
    why: "There is no project yet.",
    byKey: [`${keysOf(state)("project-new")} makes one by its name.`],
    next: ["For the folder that you work in, leave and run: svc init"],
  };
}
