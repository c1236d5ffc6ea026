import { chosen, shownIssue } from "../chosen.ts";
import type { CommandHandler, CommandHandlers } from "../command.ts";
import { needsIssue } from "../detail/detail.ts";
import { askTask, whyNoTask } from "../detail/tasks.ts";
import { closeIssues, closeWith, openOf } from "../forms/close.ts";
import { askCopy } from "../forms/copy.ts";
import { datesForm, editForm, newForm, opened } from "../forms/forms.ts";
import { tryAgain } from "../forms/lists.ts";
import { askQuick } from "../forms/quick-add.ts";
import { byUse, labelsOf, ownerNames, peopleOf, projectNames } from "../issues/choices.ts";
import type { Issue } from "../issues/issues.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { failureOf } from "../writes/failed.ts";
import { type LinkRole, linksOf, linkTargets } from "../writes/links.ts";
import { confirmDelete } from "../writes/sending.ts";
import { atOf } from "../writes/writes.ts";
import { acting, onChosen, onOne, prompt, writing } from "./command-handler.ts";

function whyNoNew({ scope }: State): string | undefined {
  return scope.projects.length === 0 && scope.project === undefined
    ? "there is no project yet"
    : undefined;
}

export const ISSUE = {
  new: writing({
    run: (state) => opened(state, (id) => newForm(state, undefined, id)),
    why: whyNoNew,
  }),
  "quick-add": writing({ run: (state) => step(askQuick(state)), why: whyNoNew }),
  "new-child": writing(onOne((state, issue) => opened(state, (id) => newForm(state, issue, id)))),
  close: onOpen(closeIssues),
  "close-with": onOpen(closeWith),
  reopen: acting(
    "reopen",
    (issue) => (issue.status === "closed" ? { act: "reopen", at: atOf(issue) } : undefined),
    "it is open already",
  ),
  edit: writing({
    run: (state) => {
      const failed = failedHere(state);
      if (failed !== undefined) return tryAgain(state, failed);
      const issue = state.issues.get(shownIssue(state) ?? "");
      return issue === undefined ? step(state) : opened(state, (id) => editForm(issue, id));
    },
    why: (state) => (failedHere(state) === undefined ? needsIssue(state) : undefined),
  }),
  "add-label": prompt("add-label", "add a label to", labelsOf),
  "remove-label": prompt("remove-label", "take a label off", (state) =>
    byUse(chosen(state).flatMap(({ labels }) => labels)),
  ),
  assign: prompt("owner", "owner (empty is you) of", ownerNames),
  unassign: acting(
    "clear the owner of",
    (issue) => (issue.owner === undefined ? undefined : { act: "unassign", at: atOf(issue) }),
    "nobody owns it",
  ),
  priority: writing(
    onChosen((state, issues) => {
      return step({ ...state, dialog: { dialog: "priority", uids: issues.map(({ uid }) => uid) } });
    }),
  ),
  "set-parent": prompt("parent", "parent (empty is none) of", targets("parent")),
  "add-blocker": prompt("blocker", "what must be done before", targets("blocker")),
  "add-blocked": prompt("blocked", "what waits for", targets("blocked")),
  "add-related": prompt("related", "related to", targets("related")),
  unlink: prompt(
    "unlink",
    "take a link off",
    (state) => linksOf(state, chosen(state)),
    (state) => (linksOf(state, chosen(state)).length === 0 ? "it has no links" : undefined),
  ),
  dates: writing(onChosen((state, issues) => opened(state, (id) => datesForm(issues, id)))),
  move: prompt("move", "project for", projectNames),
  tick: writing({ ...onOne(askTask), why: whyNoTask }),
  notify: prompt("recipient", "who should look at", peopleOf),
  delete: writing(onChosen(confirmDelete)),
  copy: onChosen((state, issues) => {
    const ids = issues.map(({ qualified_id }) => qualified_id);
    return step(state, { effect: "copy", text: ids.join("\n") });
  }),
  "copy-part": onChosen((state, issues) => step(askCopy(state, issues))),
} satisfies CommandHandlers;

function targets(tie: LinkRole): (state: State) => readonly string[] {
  return (state) => {
    const uids = chosen(state).map(({ uid }) => uid);
    return linkTargets(state, tie, uids);
  };
}

function onOpen(run: (state: State, issues: readonly Issue[]) => Step): CommandHandler {
  return writing({
    run: (state) => run(state, chosen(state)),
    count: (state) => openOf(chosen(state)).length,
    why: (state) =>
      needsIssue(state) ??
      (openOf(chosen(state)).length === 0 ? "it is closed already" : undefined),
  });
}

/**
 * Returns the id of the refused write to try again: the write that the shown message is about, else the refused write
 * of the issue in view.
 */
function failedHere(state: State): number | undefined {
  return state.messages.notice?.failed ?? failureOf(state, shownIssue(state))?.id;
}
