import { sha256Hex } from "../../base/hash.ts";
import { isInvisible } from "../../base/visible.ts";
import { FreeNames } from "../../domain/imports/free-names.ts";
import { NO_AUTHOR, storableActor } from "../../domain/imports/storable-actor.ts";
import { storableText } from "../../domain/imports/storable-text.ts";
import type { Tally } from "./account.ts";
import { fill } from "./filled.ts";
import type { ImportItem } from "./item.ts";
import type { SourceComment, SourceIssue } from "./record.ts";

export function mapComments(
  issue: SourceIssue,
  comments: readonly SourceComment[],
  counts: Tally,
): NonNullable<ImportItem["comments"]> {
  const names = new FreeNames();
  return comments.flatMap((comment) => {
    const body = storableText(comment.text);
    if (isInvisible(body)) {
      counts.add("comments", "comments", { kind: "dropped", why: "it is blank" });
      return [];
    }
    counts.add("comments", "comments", { kind: "kept", to: "comment with its author and time" });
    if (comment.author === "") fill(counts, "comment author", NO_AUTHOR);
    if (comment.createdAt === undefined)
      fill(counts, "comment created_at", "created_at of the issue");
    return [
      {
        external_id: names.take(`${issue.id}/${comment.id ?? `~${contentHash(comment)}`}`),
        author: storableActor(comment.author),
        body,
        ...(comment.createdAt !== undefined && { created_at: comment.createdAt }),
      },
    ];
  });
}

/**
 * A hash of author, time and text. It identifies a comment whose source has no lasting id for it. Equal comments have
 * the same hash.
 */
export function contentHash({ author, text, createdAt }: SourceComment): string {
  return sha256Hex(JSON.stringify([author, createdAt, text])).slice(0, 16);
}
