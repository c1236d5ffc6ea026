import { invariant } from "../../base/invariant.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { Reader } from "../../store/types/store.ts";
import { type FoundIssue, reload } from "../find.ts";
import { commentOut } from "../out/comments.ts";
import { eventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";

export async function commentResponse(
  reader: Reader,
  found: FoundIssue,
  commentUid: string,
  event?: StoredEvent,
) {
  const { project } = found;
  const issue = event === undefined ? found.issue : await reload(reader, found.issue);
  const comment = await reader.comments.find(issue.uid, commentUid);
  invariant(comment !== undefined, "a comment is there once its event is in the log");
  return {
    issue: await issueOut(reader, issue),
    comment: commentOut(comment, issue),
    event: event === undefined ? null : eventOut(event, project, { issue }),
    changed: event !== undefined,
  };
}
