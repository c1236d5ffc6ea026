import type { EventDraft } from "../../contract/events.ts";
import { providerLabel } from "./provider-labels.ts";

/** The fields that a code host owns, in the order in which they are named. */
const OWNED_FIELDS = ["title", "body", "status", "labels", "owner", "parent"] as const;

type OwnedField = (typeof OWNED_FIELDS)[number];

/** The issue on a code host from which an issue of svc is read, as answers show it. */
export interface SyncedIssue {
  readonly provider: string;
  readonly number: number;
  readonly url: string;
}

/** Whether an event removes a label or a parent that came from the host. */
export interface RemovedFromHost {
  readonly label?: boolean;
  readonly parent?: boolean;
}

/**
 * Returns the fields that the events edit and that the host will overwrite when the issue next changes on the host
 * (`merge.ts`). Labels count only if a label that came from the host was removed here. The parent counts only if a
 * parent that came from the host was removed here, because a parent that somebody sets here stays.
 */
export function ownedEdits(
  events: readonly Pick<EventDraft, "type" | "payload">[],
  removed: RemovedFromHost = {},
): readonly OwnedField[] {
  const edited = new Set(events.flatMap((event) => fieldsOf(event as EventDraft)));
  if (removed.label === true) edited.add("labels");
  if (removed.parent === true) edited.add("parent");
  return OWNED_FIELDS.filter((field) => edited.has(field));
}

function fieldsOf(event: EventDraft): readonly OwnedField[] {
  switch (event.type) {
    case "issue.updated": {
      const { title, body, owner } = event.payload;
      const fields = { title, body, owner };
      return (["title", "body", "owner"] as const).filter((name) => fields[name] !== undefined);
    }
    case "issue.assigned":
    case "issue.unassigned":
      return ["owner"];
    case "issue.closed":
    case "issue.reopened":
      return ["status"];
    default:
      return [];
  }
}

/** Returns the warning for whoever edited the fields: the host will overwrite them. */
export function hostWarning(
  { provider, url }: SyncedIssue,
  fields: readonly OwnedField[],
  ref: string,
) {
  const last = fields.at(-1) ?? "";
  const names = fields.length < 2 ? last : `${fields.slice(0, -1).join(", ")} and ${last}`;
  return {
    code: "host_owned",
    message: `${providerLabel(provider)} owns ${names} of ${ref}: the edit is lost when the issue changes there, so make it there too (${url})`,
    fields: [...fields],
  };
}
