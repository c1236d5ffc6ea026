import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import { linksChanged } from "../../domain/drafts/links.ts";
import { linkEnds } from "../../domain/evolve/links.ts";
import { decideLinksDelta, type LinksDeltaInput } from "../issues/links-delta.ts";
import type { ImportItem } from "./batch.ts";
import { instant, lastChange, type Where } from "./fields.ts";

export interface ImportedLinks {
  readonly added: number;
  /** Messages about refused links: a second parent, a cycle, a missing target. */
  readonly errors: readonly string[];
}

/** Adds an item's links one by one, so that a refused one does not prevent the others. */
export async function importLinks(
  where: Where,
  issueUid: string,
  item: ImportItem,
): Promise<ImportedLinks> {
  const errors: string[] = [];
  let added = 0;
  for (const link of item.links ?? []) {
    try {
      if (await addLink(where, issueUid, item, link)) added += 1;
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      errors.push(`${item.external_id} ${link.type} ${link.target_external_id}: ${error.message}`);
    }
  }
  return { added, errors };
}

export async function linksDiffer(
  { tx, batch }: Where,
  issueUid: string,
  item: ImportItem,
): Promise<boolean> {
  for (const { type, target_external_id } of item.links ?? []) {
    const target = batch.imported.get(target_external_id);
    if (target === undefined) continue;
    const ends = linkEnds(type, issueUid, target);
    if ((await tx.links.find(ends.from_uid, ends.to_uid, type)) === undefined) return true;
  }
  return false;
}

type Link = NonNullable<ImportItem["links"]>[number];

async function addLink(
  { tx, actor, batch }: Where,
  issueUid: string,
  item: ImportItem,
  link: Link,
): Promise<boolean> {
  const target = batch.imported.get(link.target_external_id);
  if (target === undefined) throw refused("the target was not imported");
  const issue = await tx.issues.find(issueUid);
  invariant(issue !== undefined, "an imported issue is there as long as its import is");
  if (link.type === "parent") {
    const parent = await tx.links.parentOf(issueUid);
    if (parent !== undefined && parent.to_uid !== target) {
      throw refused("the issue has another parent");
    }
  }
  const decided = await decideLinksDelta(tx, issue, deltaOf(link.type, target));
  if (decided === "unchanged") return false;
  const changes = {
    ...decided.payload,
    ...(link.author === undefined ? {} : { author: link.author }),
    ...(link.created_at === undefined ? {} : { created_at: instant(link.created_at) }),
  };
  await tx.append(linksChanged(issue, changes, { actor, now: lastChange(item) }));
  return true;
}

function deltaOf(type: Link["type"], target: string): LinksDeltaInput {
  switch (type) {
    case "parent":
      return { set_parent: target };
    case "blocks":
      return { add_blocks: [target] };
    case "related":
      return { add_related: [target] };
  }
}

function refused(message: string): SvcError {
  return new SvcError("validation", {}, { message });
}
