import { shownIssue } from "../chosen.ts";
import type { CommandHandlers } from "../command.ts";
import { ownComments } from "../detail/comments.ts";
import {
  chosenIssue,
  moveInDetail,
  needsIssue,
  nextSection,
  openIssue,
  scrollBy,
  viewOf,
} from "../detail/detail.ts";
import { leavesIssue, toPane } from "../detail/panes.ts";
import { SECTIONS } from "../detail/state.ts";
import { promptDialog } from "../forms/dialog.ts";
import { openNewForm } from "../forms/forms.ts";
import { commentEditForm, commentForm } from "../forms/text-forms.ts";
import { boardHeight } from "../lines.ts";
import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import { issueCommand, stateCommand, writeCommand } from "./command-handler.ts";

const END = Number.MAX_SAFE_INTEGER;

export const DETAIL_COMMANDS = {
  "scroll-down": stateCommand((state) => moveInDetail(state, 1)),
  "scroll-up": stateCommand((state) => moveInDetail(state, -1)),
  "scroll-page": stateCommand((state) => scrollBy(state, boardHeight(state) - 1)),
  "scroll-page-up": stateCommand((state) => scrollBy(state, 1 - boardHeight(state))),
  "scroll-top": stateCommand((state) => scrollBy(state, -END)),
  "scroll-bottom": stateCommand((state) => scrollBy(state, END)),
  "next-section": stateCommand((state) => sectionOrPane(state, 1)),
  "previous-section": stateCommand((state) => sectionOrPane(state, -1)),
  "raw-text": stateCommand((state) =>
    withSlice(state, "detail", { raw: !state.detail.raw, chosenRef: undefined }),
  ),
  follow: {
    run: (state) => openIssue(state, chosenIssue(state)),
    why: whyNothingFollows,
  },
  comment: writeCommand(
    issueCommand((state, issue) => openNewForm(state, (id) => commentForm(state, issue, id))),
  ),
  "edit-comment": writeCommand({
    run: editOwnComment,
    why: (state) =>
      needsIssue(state) ??
      (ownComments(state, shownIssue(state) ?? "").length === 0
        ? "none of the comments is yours"
        : undefined),
  }),
} satisfies CommandHandlers;

function whyNothingFollows(state: State): string | undefined {
  if (chosenIssue(state) !== undefined) return undefined;
  return viewOf(state)?.document.refs.length === 0
    ? "it names no other issue"
    : "no issue is chosen: tab goes to links";
}

/**
 * Moves to the next or previous section. With panes side by side, it moves from the last section to the next pane, and
 * from the first section to the previous pane.
 */
function sectionOrPane(state: State, by: 1 | -1): State {
  if (!leavesIssue(state, by)) return nextSection(state, by);
  const [section] = SECTIONS;
  return toPane(withSlice(state, "detail", { section, scroll: 0, chosenRef: undefined }), by);
}

function editOwnComment(state: State): Step {
  const issue = state.issues.get(shownIssue(state) ?? "");
  const comments = issue === undefined ? [] : ownComments(state, issue.uid);
  const [only, second] = comments;
  if (issue === undefined || only === undefined) return step(state);
  if (second === undefined) return openNewForm(state, (id) => commentEditForm(issue, only, id));
  const choices = comments.map(({ body }, at) => `${at + 1}  ${body.split("\n", 1)[0]}`);
  const label = `which comment on ${issue.qualified_id}`;
  return step({
    ...state,
    dialog: promptDialog("own-comment", label, { uids: [issue.uid], choices }),
  });
}
