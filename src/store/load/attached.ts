import type { LabelRow, LinkEnds } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import type { Loaded } from "./loaded.ts";
import { childrenOf, labelsByIssue, linksFrom } from "./statements.ts";

/**
 * Loads the links, children and labels of many issues at once, before the issues are deleted, closed or moved one by
 * one. If they were read issue by issue, the connection would write its deferred rows (`WriteBehind`) before each read.
 */
export async function loadAttached(
  connection: Connection,
  { attached }: Loaded,
  wanted: readonly string[],
): Promise<void> {
  const uids = wanted.filter((uid) => !attached.has(uid));
  if (uids.length === 0) return;
  const links = await linksFrom.all(connection, { uids });
  const children = await childrenOf.all(connection, { uids });
  const labels = await labelsByIssue.all(connection, { uids });
  for (const uid of uids)
    attached.set(uid, { links: new Map(), children: new Set(), labels: new Set() });
  for (const link of links) {
    if (link.type !== "related") attached.get(link.from_uid)?.links.set(nameOf(link), link);
  }
  for (const { from_uid, to_uid } of children) attached.get(to_uid)?.children.add(from_uid);
  for (const { issue_uid, label } of labels) attached.get(issue_uid)?.labels.add(label);
}

export function attachLink({ attached }: Loaded, link: LinkEnds, isThere: boolean): void {
  if (link.type === "related") return;
  const { links } = attached.get(link.from_uid) ?? {};
  if (isThere) links?.set(nameOf(link), link);
  else links?.delete(nameOf(link));
  if (link.type !== "parent") return;
  const { children } = attached.get(link.to_uid) ?? {};
  if (isThere) children?.add(link.from_uid);
  else children?.delete(link.from_uid);
}

export function attachLabel(
  { attached }: Loaded,
  { issue_uid, label }: Pick<LabelRow, "issue_uid" | "label">,
  isThere: boolean,
): void {
  const { labels } = attached.get(issue_uid) ?? {};
  if (isThere) labels?.add(label);
  else labels?.delete(label);
}

function nameOf({ type, to_uid }: LinkEnds): string {
  return `${type} ${to_uid}`;
}
