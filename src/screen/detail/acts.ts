import { openNewForm } from "../forms/forms.ts";
import { commentEditForm } from "../forms/text-forms.ts";
import { hint } from "../messages/messages.ts";
import { whyCopy } from "../scope/copies.ts";
import { whyNoWrites } from "../session/replay.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendWrites } from "../writes/send.ts";
import { ownComments } from "./comments.ts";
import { detailUid } from "./detail.ts";

/** Opens the form for one of the person's own comments on the issue in view. */
export function editComment(state: State, comment_uid: string): Step {
  const issue = state.issues.get(detailUid(state) ?? "");
  const why = whyNoWrites(state) ?? whyCopy(state, [issue?.project_id]);
  if (why !== undefined) return hint(state, why);
  const comments = issue === undefined ? [] : ownComments(state, issue.uid);
  const comment = comments.find(({ uid }) => uid === comment_uid);
  if (issue === undefined || comment === undefined) return step(state);
  return openNewForm(state, (id) => commentEditForm(issue, comment, id));
}

export function restoreShown(state: State): Step {
  const issue = state.detail.known.get(detailUid(state) ?? "")?.show?.issue;
  const why = whyNoWrites(state) ?? whyCopy(state, [issue?.project_id]);
  if (why !== undefined) return hint(state, why);
  if (issue?.deleted_at == null) return step(state);
  const { uid, project_id, short_id: ref, qualified_id: name } = issue;
  return sendWrites(state, [{ act: "restore", at: { uid, project_id, ref, name } }]);
}
