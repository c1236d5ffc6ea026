import { chosenIssues } from "../chosen.ts";
import { promptDialog } from "../forms/dialog.ts";
import type { Issue } from "../issues/issues.ts";
import { hint } from "../messages/messages.ts";
import { NO_DAEMON } from "../session/replay.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";

export function askOwnCommand(state: State): State {
  const choices = state.preferences.commands.map(({ name, argv }) => `${name}  ${argv.join(" ")}`);
  const uids = chosenIssues(state).map(({ uid }) => uid);
  return { ...state, dialog: { ...promptDialog("run", "run", { choices, uids }), choose: 0 } };
}

export function whyNoOwnCommand(state: State): string | undefined {
  if (state.session.replay !== undefined) return NO_DAEMON;
  return state.preferences.commands.length === 0
    ? "no command is below [tui.commands] in config.toml"
    : undefined;
}

export function runOwnCommand(state: State, uids: readonly string[], name: string): Step {
  const command = state.preferences.commands.find((one) => one.name === name);
  if (command === undefined) return hint(state, `no command is called ${name}`);
  const issues = uids.flatMap((uid) => state.issues.get(uid) ?? []);
  const argv = argvFor(command.argv, issues);
  if (typeof argv === "string") return hint(state, `${name} ${argv}`);
  return step(state, { effect: "run-program", name, argv });
}

const VALUES: Readonly<Record<string, (issue: Issue) => string>> = {
  ref: ({ qualified_id }) => qualified_id,
  short: ({ short_id }) => short_id,
  uid: ({ uid }) => uid,
  title: ({ title }) => title,
  project: ({ project_name }) => project_name,
};

const ALL = "{refs}";
const ONE = /\{(ref|short|uid|title|project)\}/g;

/**
 * The program with its arguments. The word `{refs}` becomes one argument for each issue. `{ref}` and the other
 * placeholders may be part of a word and need exactly one issue. The program's name is used unchanged, and no word is
 * split or interpreted by a shell.
 */
function argvFor(
  [program = "", ...words]: readonly string[],
  issues: readonly Issue[],
): readonly string[] | string {
  const [issue] = issues;
  const needsOne = words.some((word) => word.search(ONE) !== -1);
  if (issue === undefined && (needsOne || words.includes(ALL)))
    return "needs an issue: none is selected";
  if (needsOne && issues.length > 1) return `is for one issue, and ${issues.length} are marked`;
  const filled = (word: string): string =>
    word.replaceAll(ONE, (whole, value: string) =>
      issue === undefined ? whole : (VALUES[value]?.(issue) ?? whole),
    );
  return [
    program,
    ...words.flatMap((word) =>
      word === ALL ? issues.map(({ qualified_id }) => qualified_id) : filled(word),
    ),
  ];
}
