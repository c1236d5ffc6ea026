import type { EventDraft } from "../../contract/events.ts";

/**
 * What an event does that a root may forbid (docs/contract/connectors.md#51-what-a-root-forbids).
 * - `content`: it changes the title or body, or deletes the issue.
 * - `comment`: it edits a comment, which may be one that was imported from the root.
 * - `place`: it reopens the issue or moves it, so that a run which is under way would not find it as it was.
 * - `project`: it does the latter to all issues of a project.
 */
export type Intrusion = "content" | "comment" | "place" | "project";

export function intrusionOf({
  type,
  payload,
}: Pick<EventDraft, "type" | "payload">): Intrusion | undefined {
  switch (type) {
    case "issue.updated":
      return "title" in payload || "body" in payload ? "content" : undefined;
    case "issue.soft_deleted":
      return "content";
    case "issue.comment_edited":
      return "comment";
    case "issue.reopened":
    case "issue.moved":
      return "place";
    case "project.removed":
    case "project.merged":
      return "project";
    default:
      return undefined;
  }
}
