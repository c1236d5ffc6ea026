import { invariant } from "../../base/invariant.ts";
import type { JsonValue } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/events.ts";
import type { Act } from "../../domain/drafts/draft.ts";
import { issueImported } from "../../domain/drafts/issues.ts";
import { linksChanged } from "../../domain/drafts/links.ts";
import { linkField } from "../../domain/imports/fields.ts";
import { peersIn } from "../../domain/links.ts";
import { peerOf } from "../find.ts";
import { appendLinks } from "../link-owners.ts";
import { decideLinksDelta, type LinksDeltaInput } from "../links-delta.ts";
import type { ImportItem } from "./batch.ts";
import { type ImportContext, instant, lastChange } from "./fields.ts";
import { type MergePlan, type MissingEnd, missingEnd } from "./plan-merge.ts";

export interface ImportedLinks {
  readonly added: number;
  /** Messages about refused links: a second parent, a cycle, a missing target. */
  readonly errors: readonly string[];
  readonly missing: readonly MissingEnd[];
}

type Link = NonNullable<ImportItem["links"]>[number];

/** Adds a new issue's links one by one, so that a refused link does not prevent the others. */
export async function importLinks(
  context: ImportContext,
  issueUid: string,
  item: ImportItem,
): Promise<ImportedLinks> {
  const errors: string[] = [];
  const missing: MissingEnd[] = [];
  let added = 0;
  for (const link of item.links ?? []) {
    if (!context.batch.imported.has(link.target_external_id)) {
      const end = missingEnd(item.external_id, link);
      missing.push(end);
      errors.push(end.error);
      continue;
    }
    try {
      if (await addLink(context, issueUid, item, link)) added += 1;
    } catch (error) {
      const { message, waits } = await refusedLink(context, item, link, error);
      if (waits !== undefined) missing.push(waits);
      errors.push(message);
    }
  }
  if (missing.length > 0) await noteWaiting(context, issueUid, item, missing);
  return { added, errors, missing };
}

async function noteWaiting(
  { tx, actor, source, batch_uid }: ImportContext,
  issueUid: string,
  item: ImportItem,
  missing: readonly MissingEnd[],
): Promise<void> {
  const issue = await tx.issues.find(issueUid);
  invariant(issue !== undefined, "an imported issue is there as long as its import is");
  const act = { actor, now: lastChange(item), import: batch_uid };
  const read = { fields: {}, waiting: missing.map(({ link }) => link) };
  await tx.append(issueImported(issue, { source, external_id: item.external_id }, read, act));
}

/** A link that the rules refused. `waits` is set if its other end is deleted, since the end may be restored later. */
export interface RefusedLink {
  readonly message: string;
  readonly waits?: MissingEnd;
}

/** Writes one change of a link from a merge. Returns its event, a refusal, or `undefined` if nothing has to change. */
export async function writeLink(
  context: ImportContext,
  { known, item }: MergePlan,
  [field, to]: readonly [field: string, to: JsonValue | undefined],
  act: Act,
): Promise<EventDraft | RefusedLink | undefined> {
  const { tx, batch } = context;
  const issue = await tx.issues.find(known.issue.uid);
  invariant(issue !== undefined, "an imported issue is there as long as its import is");
  const parent = to ?? known.local.get(field);
  const peer = typeof parent === "string" ? parent : peerOfField(field);
  const link = (item.links ?? []).find(({ type, incoming, target_external_id }) => {
    const target = batch.imported.get(target_external_id);
    if (target === undefined) return false;
    const end = type === "blocks" && incoming === true ? "blocked_by" : type;
    const [name, value] = linkField(end, target);
    return name === field && value === to;
  });
  try {
    const decided = await decideLinksDelta(tx, issue, deltaOf(field, peer, to !== undefined));
    if (decided === "unchanged") return undefined;
    const draft = linksChanged(issue, { ...decided.payload, ...madeBy(link) }, act);
    return (await appendLinks(tx, draft, peerOf(issue), peersIn(decided.changes)))[0];
  } catch (error) {
    return await refusedLink(context, item, link, error);
  }
}

function peerOfField(field: string): string {
  return field.slice(field.indexOf(".") + 1);
}

export function deltaOf(field: string, peer: string, adds: boolean): LinksDeltaInput {
  if (field === "parent") return adds ? { set_parent: peer } : { remove_parent: peer };
  const end = field.slice(0, field.indexOf("."));
  return { [`${adds ? "add" : "remove"}_${end}`]: [peer] };
}

export function madeBy(link: Pick<Link, "author" | "created_at"> | undefined) {
  return {
    ...(link?.author === undefined ? {} : { author: link.author }),
    ...(link?.created_at === undefined ? {} : { created_at: instant(link.created_at) }),
  };
}

async function refusedLink(
  { tx, batch }: ImportContext,
  item: ImportItem,
  link: Link | undefined,
  error: unknown,
): Promise<RefusedLink> {
  if (!(error instanceof SvcError)) throw error;
  const { type = "link", target_external_id = "" } = link ?? {};
  const message = `${item.external_id} ${type} ${target_external_id}: ${error.message}`;
  const target = batch.imported.get(target_external_id);
  if (link === undefined || target === undefined) return { message };
  if ((await tx.issues.find(target))?.deleted_at === null) return { message };
  const waits = missingEnd(item.external_id, link, "the target is deleted here");
  return { message: waits.error, waits };
}

async function addLink(
  { tx, actor, batch, batch_uid }: ImportContext,
  issueUid: string,
  item: ImportItem,
  link: Link,
): Promise<boolean> {
  const target = batch.imported.get(link.target_external_id);
  invariant(target !== undefined, "a link without its other end is not added");
  const issue = await tx.issues.find(issueUid);
  invariant(issue !== undefined, "an imported issue is there as long as its import is");
  if (link.type === "parent") {
    const parent = await tx.links.parentOf(issueUid);
    if (parent !== undefined && parent.to_uid !== target) {
      throw refusedLinkError("the issue has another parent");
    }
  }
  const end = link.type === "blocks" && link.incoming === true ? "blocked_by" : link.type;
  const [field] = linkField(end, target);
  const decided = await decideLinksDelta(tx, issue, deltaOf(field, target, true));
  if (decided === "unchanged") return false;
  const changes = { ...decided.payload, ...madeBy(link) };
  const act = { actor, now: lastChange(item), import: batch_uid };
  const draft = linksChanged(issue, changes, act);
  await appendLinks(tx, draft, peerOf(issue), peersIn(decided.changes));
  return true;
}

function refusedLinkError(message: string): SvcError {
  return new SvcError("validation", {}, { message });
}
