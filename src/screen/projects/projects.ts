import { type PromptDialog, promptDialog } from "../forms/dialog.ts";
import type { LiveEvent, MessageOf } from "../message.ts";
import { say } from "../messages/messages.ts";
import { chooseProject } from "../scope/choose-project.ts";
import { loadProjects, totalCounts } from "../scope/counts.ts";
import { type State, withSlice } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";

/**
 * Stores the projects and keeps the cursor on its project. The first time, the cursor goes to the project of the board.
 */
export function withProjects(state: State, { projects }: MessageOf<"projects">): State {
  const isFirst = state.scope.projects.length === 0;
  const uid = state.scope.projects[state.projects.cursor - 1]?.uid;
  const at = projects.findIndex((project) =>
    isFirst ? project.id === state.scope.project?.id : project.uid === uid,
  );
  // Line 0 means all projects, which cannot be gone.
  const isGone = at === -1 && !isFirst && state.projects.cursor > 0;
  const projectCursor = isGone ? Math.min(state.projects.cursor, projects.length) : at + 1;
  return withSlice(withSlice(state, "scope", { projects }), "projects", { cursor: projectCursor });
}

export function touchesProjects(state: State, events: readonly LiveEvent[]): boolean {
  const isOnBoard = state.fit.board(state)?.browse === true || totalCounts(state) !== undefined;
  const isShown = state.screen === "projects" || (state.screen === "board" && isOnBoard);
  return isShown && events.some(({ kind }) => COUNTED.has(kind) || kind.startsWith("project."));
}

const COUNTED: ReadonlySet<string> = new Set([
  "issue.created",
  "issue.closed",
  "issue.reopened",
  "issue.soft_deleted",
  "issue.restored",
  "issue.purged",
  "issue.moved",
]);

export function askProjectName(state: State): State {
  return { ...state, dialog: nameDialog("") };
}

function nameDialog(text: string): PromptDialog {
  return promptDialog("project", "name of the new project", { text });
}

export function createProject(state: State, name: string): Step {
  return step(state, { effect: "create-project", name });
}

/** Shows the new project at once, or the project of that name if it existed already. */
export function withNewProject(state: State, message: MessageOf<"new-project">): Step {
  if ("error" in message) {
    // Keeps the typed name, unless something else is being typed.
    const dialog = state.dialog ?? nameDialog(message.name);
    return say({ ...state, dialog }, message.error, "error");
  }
  const { project, created } = message;
  const known = state.scope.projects.some(({ uid }) => uid === project.uid);
  const projects = known ? state.scope.projects : [...state.scope.projects, project];
  const text = created ? `created the project ${project.name}` : `${project.name} is there already`;
  const withMessage = say(withSlice(state, "scope", { projects }), text);
  return andThen(
    andThen(withMessage, (now) => chooseProject(now, project)),
    (now) => step(now, loadProjects()),
  );
}
