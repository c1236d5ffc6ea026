import { sha256Hex } from "../../base/hash.ts";
import { importedText } from "../../domain/bridges/comments-in.ts";
import type { ExternalComment } from "../../domain/bridges/values.ts";
import type { BridgeRow, ExternalCommentRow } from "../../store/types/bridges.ts";
import type { Tx } from "../../store/types/store.ts";

/** The bridge whose knowledge of comments is written. */
export interface CommentPlace {
  readonly tx: Tx;
  readonly bridge: Pick<BridgeRow, "uid" | "issue_uid">;
}

type State = ExternalCommentRow["state"];

/** Notes that a comment of the provider and one of the issue are the same, as both sides are known by their own id. */
export async function noteBoth(
  place: CommentPlace,
  state: "imported" | "published",
  comment: ExternalComment,
  uid: string,
): Promise<void> {
  await noteExternal(place, comment, { state, other_id: uid });
  await noteLocal(place, { comment_id: uid, state, other_id: comment.id });
}

/** Notes a comment of the provider that is not imported; one that svc published stays so. */
export async function noteSeen(
  place: CommentPlace,
  comment: ExternalComment,
  before?: ExternalCommentRow,
): Promise<void> {
  const { state, other_id } = before ?? { state: "seen" as State, other_id: null };
  await noteExternal(place, comment, { state, other_id });
}

async function noteExternal(
  place: CommentPlace,
  comment: ExternalComment,
  { state, other_id }: Pick<ExternalCommentRow, "state" | "other_id">,
): Promise<void> {
  await put(place, {
    ...{ side: "external", comment_id: comment.id, state, other_id },
    revision: comment.revision,
    external_updated_at: comment.updated_at,
    body_digest: sha256Hex(importedText(comment)),
  });
}

/** Notes a comment of the issue: that it is on both sides, or that it is never published. */
export async function noteLocal(
  place: CommentPlace,
  row: Pick<ExternalCommentRow, "comment_id" | "state" | "other_id">,
): Promise<void> {
  const none = { revision: null, external_updated_at: null, body_digest: null };
  await put(place, { side: "local", ...row, ...none });
}

type Noted = Omit<ExternalCommentRow, "binding_uid" | "issue_uid" | "created_at" | "updated_at">;

async function put({ tx, bridge }: CommentPlace, row: Noted): Promise<void> {
  const times = { created_at: tx.now, updated_at: tx.now };
  await tx.unfolded.put("external_comment", {
    ...{ binding_uid: bridge.uid, issue_uid: bridge.issue_uid },
    ...row,
    ...times,
  });
}
