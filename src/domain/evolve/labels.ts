import type { Change, IssueRow, State } from "../state.ts";
import { type Evolver, later } from "./evolver.ts";

/** The last writer wins, per issue and label (facts federation, section 8). */

export const labeled: Evolver<"issue.labeled"> = {
  touches: ({ issue_uid, payload }) =>
    issue_uid === undefined ? {} : { issues: [issue_uid], labels: [[issue_uid, payload.label]] },
  evolve: (state, { issue_uid, actor, created_at, payload }) => {
    const issue = issue_uid === undefined ? undefined : state.issue(issue_uid);
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
  evolve: (state, { issue_uid, payload }) => {
    const issue = issue_uid === undefined ? undefined : state.issue(issue_uid);
    if (issue === undefined) return [];
    return [touched(issue, payload.updated_at), ...removal(state, issue, payload.label)];
  },
};

function removal(state: State, issue: IssueRow, label: string): readonly Change[] {
  if (state.label(issue.uid, label) === undefined) return [];
  return [{ table: "label", remove: { issue_uid: issue.uid, label } }];
}

function touched(issue: IssueRow, updated_at: string): Change {
  return { table: "issue", put: { ...issue, updated_at: later(issue.updated_at, updated_at) } };
}
