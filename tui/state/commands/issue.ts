import { chosen } from "../board.ts";
import { byUse, labelsOf, ownersOf, refsOf } from "../choices.ts";
import { needsIssue } from "../detail.ts";
import { closeForm, datesForm, editForm, keyOf, newForm } from "../forms.ts";
import type { Issue } from "../issues.ts";
import { confirmDelete, sendOrAsk } from "../sheets.ts";
import type { State } from "../state.ts";
import { hint, type Step, say, step } from "../step.ts";
import { atOf, type Write } from "../writes.ts";
import { acting, type Doings, onChosen, onOne, prompt } from "./doing.ts";

export const ISSUE = {
  new: {
    run: (state) => {
      const serial = state.serial + 1;
      return step({ ...state, serial, sheet: newForm(state, undefined, keyOf(state, serial)) });
    },
    why: ({ projects, scope }) =>
      projects.length === 0 && scope.project === undefined ? "there is no project yet" : undefined,
  },
  "new-child": onOne((state, issue) => {
    const serial = state.serial + 1;
    return step({ ...state, serial, sheet: newForm(state, issue, keyOf(state, serial)) });
  }),
  close: onChosen((state, issues) => {
    const open = issues.filter(({ status }) => status === "open");
    if (open.length === 0) return hint(state, "it is closed already");
    if (!state.quickClose) return closeWith(state, open);
    const writes = open.map((issue): Write => {
      return {
        act: "close",
        at: atOf(issue),
        reason: undefined,
        message: undefined,
        evidence: undefined,
      };
    });
    return sendOrAsk(state, writes, `close ${writes.length} issues?`);
  }),
  "close-with": onChosen((state, issues) => {
    const open = issues.filter(({ status }) => status === "open");
    return open.length === 0 ? hint(state, "it is closed already") : closeWith(state, open);
  }),
  reopen: acting(
    (issue) => (issue.status === "closed" ? { act: "reopen", at: atOf(issue) } : undefined),
    "it is open already",
  ),
  edit: onOne((state, issue) => step({ ...state, sheet: editForm(issue) })),
  "add-label": prompt("add-label", "add a label to", labelsOf),
  "remove-label": prompt("remove-label", "take a label off", (state) =>
    byUse(chosen(state).flatMap(({ labels }) => labels)),
  ),
  assign: prompt("owner", "owner (empty is you) of", ownersOf),
  unassign: acting(
    (issue) => (issue.owner === undefined ? undefined : { act: "unassign", at: atOf(issue) }),
    "nobody owns it",
  ),
  priority: onChosen((state, issues) => {
    return step({ ...state, sheet: { sheet: "priority", uids: issues.map(({ uid }) => uid) } });
  }),
  "set-parent": prompt("parent", "parent of", refsOf),
  "add-blocker": prompt("blocker", "what must be done before", refsOf),
  "add-related": prompt("related", "related to", refsOf),
  dates: onOne((state, issue) => step({ ...state, sheet: datesForm(issue) })),
  move: prompt("move", "project for", ({ projects }) => projects.map(({ name }) => name)),
  notify: prompt("recipient", "who should look at", ownersOf),
  delete: { run: confirmDelete, why: needsIssue },
  copy: onOne((state, issue) => {
    const said = say(state, `copied ${issue.qualified_id}`);
    return { ...said, effects: [...said.effects, { effect: "copy", text: issue.qualified_id }] };
  }),
} satisfies Doings;

function closeWith(state: State, issues: readonly Issue[]): Step {
  const serial = state.serial + 1;
  return step({ ...state, serial, sheet: closeForm(issues, keyOf(state, serial)) });
}
