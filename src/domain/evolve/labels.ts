import type { Change, IssueRow, State } from "../state.ts";
import { type Evolver, subjectOf, touched } from "./evolver.ts";

/** This file folds labels: the last writer wins, per issue and label (docs/contract/events.md#62-effects). */

export const labeled: Evolver<"issue.labeled"> = {
  touches: ({ issue_uid, payload }) =>
    issue_uid === undefined ? {} : { issues: [issue_uid], labels: [[issue_uid, payload.label]] },
  evolve: (state, event) => {
    const { actor, created_at, payload } = event;
    const issue = subjectOf(state, event);
    if (issue === undefined) return [];
    const { label, updated_at } = payload;
    const known = state.label(issue.uid, label);
    if (known !== undefined) return [touched(issue, updated_at)];
    const was = {
      author: payload.author ?? actor,
      created_at: payload.created_at ?? created_at,
    };
    return [
      touched(issue, updated_at),
      { table: "label", put: { issue_uid: issue.uid, label, ...was } },
    ];
  },
};

export const unlabeled: Evolver<"issue.unlabeled"> = {
  touches: ({ issue_uid, payload }) =>
    issue_uid === undefined ? {} : { issues: [issue_uid], labels: [[issue_uid, payload.label]] },
  evolve: (state, event) => {
    const { payload } = event;
    const issue = subjectOf(state, event);
    if (issue === undefined) return [];
    return [touched(issue, payload.updated_at), ...removeLabel(state, issue, payload.label)];
  },
};

function removeLabel(state: State, issue: IssueRow, label: string): readonly Change[] {
  if (state.label(issue.uid, label) === undefined) return [];
  return [{ table: "label", remove: { issue_uid: issue.uid, label } }];
}
