import type { EventDraft } from "../../contract/events.ts";
import { providerLabel } from "./provider-labels.ts";
import { PROVIDER_RULES, type ProviderName } from "./providers.ts";

/** The fields that a code host owns, in the order in which they are named. */
const OWNED_FIELDS = ["title", "body", "status", "labels", "owner", "parent"] as const;

type OwnedField = (typeof OWNED_FIELDS)[number];

/** The issue of a code host that an issue follows, as answers show it. */
export interface Synced {
  readonly provider: string;
  readonly number: number;
  readonly url: string;
}

/** Who added the label or the parent that an event removes; absent if it removes neither. */
export interface Removed {
  readonly label?: string | undefined;
  readonly parent?: string | undefined;
}

/**
 * The fields of the host that the events change, as far as its next change of the issue takes the edit back
 * (`merge.ts`). A label is taken back only if it came from the host and was removed here. The same is true of a parent:
 * one that somebody sets here stays.
 */
export function ownedEdits(
  { provider }: Pick<Synced, "provider">,
  events: readonly Pick<EventDraft, "type" | "payload">[],
  removed: Removed = {},
): readonly OwnedField[] {
  const { actor } = PROVIDER_RULES[provider as ProviderName];
  const edited = new Set(events.flatMap((event) => fieldsOf(event as EventDraft)));
  if (removed.label === actor) edited.add("labels");
  if (removed.parent === actor) edited.add("parent");
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

/** Tells whoever edited the fields that the host will overwrite them. */
export function hostWarning({ provider, url }: Synced, fields: readonly OwnedField[], ref: string) {
  const last = fields.at(-1) ?? "";
  const names = fields.length < 2 ? last : `${fields.slice(0, -1).join(", ")} and ${last}`;
  return {
    code: "host_owned",
    message: `${providerLabel(provider)} owns ${names} of ${ref}: the edit is lost when the issue changes there, so make it there too (${url})`,
    fields: [...fields],
  };
}
