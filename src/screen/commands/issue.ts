import { chosenIssues, shownIssue } from "../chosen.ts";
import type { CommandHandler, CommandHandlers } from "../command.ts";
import { needsIssue } from "../detail/detail.ts";
import { askTask, whyNoTask } from "../detail/tasks.ts";
import { closeIssues, closeWith, openOf } from "../forms/close.ts";
import { askCopy } from "../forms/copy.ts";
import { datesForm } from "../forms/dates-form.ts";
import { openNewForm } from "../forms/forms.ts";
import { tryAgain } from "../forms/lists.ts";
import { newForm } from "../forms/new-form.ts";
import { askQuick } from "../forms/quick-add.ts";
import { editForm } from "../forms/text-forms.ts";
import { byUse, labelsOf, ownerNames, peopleOf, projectNames } from "../issues/choices.ts";
import type { Issue } from "../issues/issues.ts";
import { whyOwned } from "../issues/root.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { failureOf } from "../writes/failed.ts";
import { type LinkRole, linksOf, linkTargets } from "../writes/links.ts";
import { confirmDelete } from "../writes/sending.ts";
import { atOf } from "../writes/writes.ts";
import { askBridge, whyNoBridge } from "./bridge.ts";
import {
  actCommand,
  chosenCommand,
  issueCommand,
  promptCommand,
  shownProject,
  writeCommand,
} from "./command-handler.ts";

function whyNoNew({ scope }: State): string | undefined {
  return scope.projects.length === 0 && scope.project === undefined
    ? "there is no project yet"
    : undefined;
}

export const ISSUE_COMMANDS = {
  new: writeCommand(
    {
      run: (state) => openNewForm(state, (id) => newForm(state, undefined, id)),
      why: whyNoNew,
    },
    shownProject,
  ),
  "quick-add": writeCommand({ run: (state) => step(askQuick(state)), why: whyNoNew }, shownProject),
  "new-child": writeCommand(
    issueCommand((state, issue) => openNewForm(state, (id) => newForm(state, issue, id))),
  ),
  close: onOpen(closeIssues),
  "close-with": onOpen(closeWith),
  reopen: actCommand(
    "reopen",
    (issue) => (issue.status === "closed" ? { act: "reopen", at: atOf(issue) } : undefined),
    "it is open already",
  ),
  edit: writeCommand({
    run: (state) => {
      const failed = failedHere(state);
      if (failed !== undefined) return tryAgain(state, failed);
      const issue = state.issues.get(shownIssue(state) ?? "");
      return issue === undefined ? step(state) : openNewForm(state, (id) => editForm(issue, id));
    },
    why: (state) => {
      if (failedHere(state) !== undefined) return undefined;
      const issue = state.issues.get(shownIssue(state) ?? "");
      return issue === undefined ? needsIssue(state) : whyOwned([issue]);
    },
  }),
  "add-label": promptCommand("add-label", "add a label to", labelsOf),
  "remove-label": promptCommand("remove-label", "take a label off", (state) =>
    byUse(chosenIssues(state).flatMap(({ labels }) => labels)),
  ),
  assign: promptCommand("owner", "owner (empty is you) of", ownerNames),
  unassign: actCommand(
    "clear the owner of",
    (issue) => (issue.owner === undefined ? undefined : { act: "unassign", at: atOf(issue) }),
    "nobody owns it",
  ),
  priority: writeCommand(
    chosenCommand((state, issues) => {
      return step({ ...state, dialog: { dialog: "priority", uids: issues.map(({ uid }) => uid) } });
    }),
  ),
  "set-parent": promptCommand("parent", "parent (empty is none) of", targets("parent")),
  "add-blocker": promptCommand("blocker", "what must be done before", targets("blocker")),
  "add-blocked": promptCommand("blocked", "what waits for", targets("blocked")),
  "add-related": promptCommand("related", "related to", targets("related")),
  unlink: promptCommand(
    "unlink",
    "take a link off",
    (state) => linksOf(state, chosenIssues(state)),
    (state) => (linksOf(state, chosenIssues(state)).length === 0 ? "it has no links" : undefined),
  ),
  dates: writeCommand(
    chosenCommand((state, issues) => openNewForm(state, (id) => datesForm(issues, id))),
  ),
  move: promptCommand("move", "project for", projectNames),
  tick: writeCommand({ ...issueCommand(askTask), why: whyNoTask }),
  notify: promptCommand("recipient", "who should look at", peopleOf),
  bridge: writeCommand({ ...issueCommand(askBridge), why: whyNoBridge }),
  delete: writeCommand({
    ...chosenCommand(confirmDelete),
    why: (state) => needsIssue(state) ?? whyOwned(chosenIssues(state)),
  }),
  copy: chosenCommand((state, issues) => {
    const ids = issues.map(({ qualified_id }) => qualified_id);
    return step(state, { effect: "copy", text: ids.join("\n") });
  }),
  "copy-part": chosenCommand((state, issues) => step(askCopy(state, issues))),
} satisfies CommandHandlers;

function targets(tie: LinkRole): (state: State) => readonly string[] {
  return (state) => {
    const uids = chosenIssues(state).map(({ uid }) => uid);
    return linkTargets(state, tie, uids);
  };
}

function onOpen(run: (state: State, issues: readonly Issue[]) => Step): CommandHandler {
  return writeCommand({
    run: (state) => run(state, chosenIssues(state)),
    count: (state) => openOf(chosenIssues(state)).length,
    why: (state) =>
      needsIssue(state) ??
      (openOf(chosenIssues(state)).length === 0 ? "it is closed already" : undefined),
  });
}

/**
 * Returns the id of the refused write to try again: the write that the shown message is about, else the refused write
 * of the issue in view.
 */
function failedHere(state: State): number | undefined {
  return state.messages.notice?.failed ?? failureOf(state, shownIssue(state))?.id;
}
