import type { Change, IssueRow } from "../state.ts";
import { type Evolver, later } from "./evolver.ts";

/** Comments are only added: a second event with the same uid changes nothing (facts federation, section 8). */
export const commented: Evolver<"issue.commented"> = {
  touches: ({ issue_uid, payload }) =>
    issue_uid === undefined ? {} : { issues: [issue_uid], comments: [payload.comment_uid] },
  evolve: (state, event) => {
    const { issue_uid, payload } = event;
    const issue = issue_uid === undefined ? undefined : state.issue(issue_uid);
    if (issue === undefined || state.comment(payload.comment_uid) !== undefined) return [];
    const { comment_uid: uid, author, body, created_at, teammate } = payload;
    const row = { uid, issue_uid: issue.uid, author, body, created_at, teammate: teammate ?? null };
    const changes: Change[] = [touched(issue, created_at), { table: "comment", put: row }];
    const { idempotency_key: key, idempotency_fingerprint: fingerprint } = payload;
    if (key !== undefined && fingerprint !== undefined) {
      const mark = { scope_uid: issue.uid, operation: "comment", key, fingerprint } as const;
      changes.push({
        table: "idempotency",
        put: { ...mark, event_uid: event.uid, created_at: event.created_at },
      });
    }
    return changes;
  },
};

/** Author, uid, time and order do not change. In clock order an edit always follows its comment. */
export const commentEdited: Evolver<"issue.comment_edited"> = {
  touches: ({ issue_uid, payload }) =>
    issue_uid === undefined ? {} : { issues: [issue_uid], comments: [payload.comment_uid] },
  evolve: (state, { issue_uid, payload }) => {
    const issue = issue_uid === undefined ? undefined : state.issue(issue_uid);
    const comment = state.comment(payload.comment_uid);
    if (issue === undefined || comment === undefined || comment.issue_uid !== issue.uid) return [];
    return [
      touched(issue, payload.edited_at),
      { table: "comment", put: { ...comment, body: payload.body } },
    ];
  },
};

function touched(issue: IssueRow, at: string): Change {
  return { table: "issue", put: { ...issue, updated_at: later(issue.updated_at, at) } };
}
