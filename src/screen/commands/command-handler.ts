import { chosen, shownIssue } from "../chosen.ts";
import type { CommandHandler } from "../command.ts";
import { needsIssue } from "../detail/detail.ts";
import { type PromptKind, promptDialog } from "../forms/dialog.ts";
import { aboutAll } from "../forms/forms.ts";
import type { Issue } from "../issues/issues.ts";
import { whyNoWrites } from "../session/replay.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendOrAsk } from "../writes/sending.ts";
import type { Write } from "../writes/writes.ts";

export const to = (next: (state: State) => State): CommandHandler => ({
  run: (state) => step(next(state)),
});

/** A command on the marked issues or, if none is marked, on the issue in view. */
export const onChosen = (
  run: (state: State, issues: readonly Issue[]) => Step,
): CommandHandler => ({
  run: (state) => run(state, chosen(state)),
  why: needsIssue,
  count: (state) => chosen(state).length,
});

/** A command on the issue in view, even if other issues are marked. */
export const onOne = (run: (state: State, issue: Issue) => Step): CommandHandler => ({
  run: (state) => {
    const uid = shownIssue(state);
    const issue = uid === undefined ? undefined : state.issues.get(uid);
    return issue === undefined ? step(state) : run(state, issue);
  },
  why: needsIssue,
});

/** A command that changes data. It cannot run while a recording is shown or the daemon refuses all changes. */
export const writing = (doing: CommandHandler): CommandHandler => ({
  ...doing,
  run: (state) => doing.run(state),
  why: (state) => whyNoWrites(state) ?? doing.why?.(state),
});

/** A command that asks the person for one line of text about the chosen issues. */
export const prompt = (
  kind: PromptKind,
  label: string,
  choices: (state: State) => readonly string[],
  why: (state: State) => string | undefined = () => undefined,
): CommandHandler =>
  writing({
    run: (state) => {
      const issues = chosen(state);
      const more = { uids: issues.map(({ uid }) => uid), choices: choices(state) };
      return step({ ...state, dialog: promptDialog(kind, `${label} ${aboutAll(issues)}`, more) });
    },
    why: (state) => needsIssue(state) ?? why(state),
    count: (state) => chosen(state).length,
  });

/**
 * A command that sends one write for each chosen issue. `write` returns `undefined` for an issue that needs no write.
 */
export const acting = (
  verb: string,
  write: (issue: Issue, state: State) => Write | undefined,
  nothing: string,
): CommandHandler =>
  writing({
    run: (state) => {
      const writes = chosen(state).flatMap((issue) => write(issue, state) ?? []);
      return sendOrAsk(state, writes, `${verb} ${writes.length} issues?`);
    },
    why: (state) =>
      needsIssue(state) ??
      (chosen(state).some((issue) => write(issue, state) !== undefined) ? undefined : nothing),
    count: (state) => chosen(state).filter((issue) => write(issue, state) !== undefined).length,
  });
