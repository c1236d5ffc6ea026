import { type Evolver, markOf, subjectOf, touched } from "./evolver.ts";

/** Comments are only added: a second event with the same uid changes nothing (docs/contract/events.md#62-effects). */
export const commented: Evolver<"issue.commented"> = {
  touches: ({ issue_uid, payload }) =>
    issue_uid === undefined ? {} : { issues: [issue_uid], comments: [payload.comment_uid] },
  evolve: (state, event) => {
    const { payload } = event;
    const issue = subjectOf(state, event);
    if (issue === undefined || state.comment(payload.comment_uid) !== undefined) return [];
    const { comment_uid: uid, author, body, created_at, teammate } = payload;
    const row = { uid, issue_uid: issue.uid, author, body, created_at, teammate: teammate ?? null };
    return [touched(issue, created_at), { table: "comment", put: row }, ...markOf(event)];
  },
};

/**
 * Changes only the comment's text. In the order of the events' hybrid clocks, an edit comes after the event that added
 * the comment.
 */
export const commentEdited: Evolver<"issue.comment_edited"> = {
  touches: ({ issue_uid, payload }) =>
    issue_uid === undefined ? {} : { issues: [issue_uid], comments: [payload.comment_uid] },
  evolve: (state, event) => {
    const { payload } = event;
    const issue = subjectOf(state, event);
    const comment = state.comment(payload.comment_uid);
    if (issue === undefined || comment === undefined || comment.issue_uid !== issue.uid) return [];
    return [
      touched(issue, payload.edited_at),
      { table: "comment", put: { ...comment, body: payload.body } },
    ];
  },
};
