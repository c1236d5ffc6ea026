import type { showIssue } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { projectOf } from "../../shared/ref.ts";
import { oneLine } from "../../shared/text.ts";
import { leaseText } from "./leases.ts";

export type ShownIssue = Output<typeof showIssue>;

/** The page of the issue on the code host that owns it. */
export function syncedText({ issue: { synced } }: ShownIssue): readonly string[] {
  return synced === undefined ? [] : [oneLine(synced.url)];
}

/** The connector whose record owns title and body. */
export function rootText({ issue: { external_root } }: ShownIssue): readonly string[] {
  if (external_root === undefined) return [];
  const { connector_instance, enabled } = external_root;
  return [`${oneLine(connector_instance)}${enabled ? "" : ", paused"}`];
}

export function namesakesText({ issue, namesakes = [] }: ShownIssue): readonly string[] {
  return namesakes.map(({ qualified_id, source }) => {
    return `${issue.short_id} was also the id of ${oneLine(qualified_id)} in ${oneLine(source)}`;
  });
}

export function seriesText({
  recurrence_uid,
  occurrence_key,
}: ShownIssue["issue"]): readonly string[] {
  if (recurrence_uid === undefined || occurrence_key === undefined) return [];
  return [`${oneLine(recurrence_uid)} for ${oneLine(occurrence_key)}`];
}

export function leaseLines({ lease, lease_hub_now, hub_lease }: ShownIssue): readonly string[] {
  if (lease !== undefined) return [`lease: ${leaseText(lease, lease_hub_now)}`];
  if (hub_lease === undefined) return [];
  const { state, holder = "", holder_instance_uid, heard_at = "" } = hub_lease;
  if (state === "unknown") return ["lease: unknown here, the hub decides (svc lease status)"];
  return [
    `lease: ${oneLine(holder)} from instance ${holder_instance_uid}, as the hub said at ${heard_at}`,
  ];
}

export function statusOf({ status, deleted_at }: ShownIssue["issue"]): string {
  return deleted_at === undefined ? status : "deleted";
}

/** Links from the issue's point of view, without its children, which have their own list. */
export function linksOf({
  issue,
  links,
}: ShownIssue): readonly { readonly kind: string; readonly ref: string }[] {
  const project = projectOf(issue.qualified_id);
  return links.flatMap(({ type, from, to }) => {
    const outgoing = from.uid === issue.uid;
    if (type === "parent" && !outgoing) return [];
    const peer = outgoing ? to : from;
    const kind = type === "blocks" && !outgoing ? "blocked_by" : type;
    return [{ kind, ref: peer.project === project ? peer.short_id : peer.qualified_id }];
  });
}

export function metadataLines(
  metadata: Readonly<Record<string, unknown>>,
): readonly (readonly [string, string])[] {
  return Object.entries(metadata)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [oneLine(key), oneLine(JSON.stringify(value))]);
}
