import { chosenIssues, shownIssue } from "../chosen.ts";
import type { CommandHandler } from "../command.ts";
import { needsIssue } from "../detail/detail.ts";
import { type PromptKind, promptDialog } from "../forms/dialog.ts";
import { aboutAll } from "../forms/forms.ts";
import type { Issue } from "../issues/issues.ts";
import { whyCopy } from "../scope/copies.ts";
import { whyNoWrites } from "../session/replay.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendOrAsk } from "../writes/sending.ts";
import type { Write } from "../writes/writes.ts";

export const stateCommand = (next: (state: State) => State): CommandHandler => ({
  run: (state) => step(next(state)),
});

/** A command on the marked issues or, if none is marked, on the issue in view. */
export const chosenCommand = (
  run: (state: State, issues: readonly Issue[]) => Step,
): CommandHandler => ({
  run: (state) => run(state, chosenIssues(state)),
  why: needsIssue,
  count: (state) => chosenIssues(state).length,
});

/** A command on the issue in view, even if other issues are marked. */
export const issueCommand = (run: (state: State, issue: Issue) => Step): CommandHandler => ({
  run: (state) => {
    const uid = shownIssue(state);
    const issue = uid === undefined ? undefined : state.issues.get(uid);
    return issue === undefined ? step(state) : run(state, issue);
  },
  why: needsIssue,
});

/**
 * The ids of the projects that a command on the chosen issues changes; without an issue, the id of the shown project.
 */
const projectsOfChosen = (state: State): readonly (number | undefined)[] => {
  const issues = chosenIssues(state);
  return issues.length === 0
    ? [state.scope.project?.id]
    : issues.map(({ project_id }) => project_id);
};

/** The id of the project that is shown, for a command that makes something new. */
export const shownProject = ({ scope }: State): readonly (number | undefined)[] => [
  scope.project?.id,
];

/**
 * A command that changes data. It cannot run while a recording is shown, while the daemon refuses all changes, or in a
 * project that is a copy. `changes` gives the ids of the projects that it changes.
 */
export const writeCommand = (
  doing: CommandHandler,
  changes: (state: State) => readonly (number | undefined)[] = projectsOfChosen,
): CommandHandler => ({
  ...doing,
  run: (state) => doing.run(state),
  why: (state) => whyNoWrites(state) ?? whyCopy(state, changes(state)) ?? doing.why?.(state),
});

/** A command that asks the person for one line of text about the chosen issues. */
export const promptCommand = (
  kind: PromptKind,
  label: string,
  choices: (state: State) => readonly string[],
  why: (state: State) => string | undefined = () => undefined,
): CommandHandler =>
  writeCommand({
    run: (state) => {
      const issues = chosenIssues(state);
      const more = { uids: issues.map(({ uid }) => uid), choices: choices(state) };
      return step({ ...state, dialog: promptDialog(kind, `${label} ${aboutAll(issues)}`, more) });
    },
    why: (state) => needsIssue(state) ?? why(state),
    count: (state) => chosenIssues(state).length,
  });

/**
 * A command that sends one write for each chosen issue. `write` returns `undefined` for an issue that needs no write.
 */
export const actCommand = (
  verb: string,
  write: (issue: Issue, state: State) => Write | undefined,
  nothing: string,
): CommandHandler =>
  writeCommand({
    run: (state) => {
      const writes = chosenIssues(state).flatMap((issue) => write(issue, state) ?? []);
      return sendOrAsk(state, writes, `${verb} ${writes.length} issues?`);
    },
    why: (state) =>
      needsIssue(state) ??
      (chosenIssues(state).some((issue) => write(issue, state) !== undefined)
        ? undefined
        : nothing),
    count: (state) =>
      chosenIssues(state).filter((issue) => write(issue, state) !== undefined).length,
  });
