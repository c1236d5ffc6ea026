import type { Payload } from "../../contract/events.ts";
import type { IssueRow, LinkRow, LinkType } from "../state.ts";
import { type Act, type IssueInProject, issueEventDraft } from "./draft.ts";

type LinkedIssue = IssueInProject & Pick<IssueRow, "short_id">;

/** The issue at the other end of a link. */
interface OtherIssue {
  readonly uid: string;
  readonly ref: string;
}

export function issueLinked(issue: LinkedIssue, type: LinkType, other: OtherIssue, act: Act) {
  const payload = { ...linkPayload(issue, type, other), updated_at: act.now };
  return {
    ...issueEventDraft("issue.linked", issue, act, payload),
    related_issue_uid: other.uid,
  };
}

export function issueUnlinked(
  issue: LinkedIssue,
  { type, from_uid, to_uid }: Pick<LinkRow, "type" | "from_uid" | "to_uid">,
  other: OtherIssue,
  act: Act,
) {
  const payload = {
    ...linkPayload(issue, type, other),
    ...(from_uid === issue.uid ? {} : { incoming: true }),
    link_from_uid: from_uid,
    link_to_uid: to_uid,
    updated_at: act.now,
  };
  return {
    ...issueEventDraft("issue.unlinked", issue, act, payload),
    related_issue_uid: other.uid,
  };
}

function linkPayload(issue: LinkedIssue, type: LinkType, { uid, ref }: OtherIssue) {
  return {
    type,
    from_short_id: issue.short_id,
    from_uid: issue.uid,
    to_short_id: ref,
    to_uid: uid,
  };
}

/** `changes` may have an author and a time, because imported and restored links keep their original ones. */
export function linksChanged(
  issue: IssueInProject,
  changes: Omit<Payload<"issue.links_changed">, "updated_at">,
  act: Act,
) {
  return issueEventDraft("issue.links_changed", issue, act, { ...changes, updated_at: act.now });
}
