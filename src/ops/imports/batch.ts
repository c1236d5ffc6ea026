import type { Ids } from "../../base/ids.ts";
import type { importIssues as contract } from "../../contract/imports.ts";
import type { Input } from "../../contract/route.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { freeShortIds } from "../short-id.ts";
import { type KnownIssue, readKnown } from "./known.ts";

/** An issue as the request describes it. */
export type StatedItem = Input<typeof contract>["body"]["items"][number];

/** An issue of the request. Its comments have the names that svc has stored for them. */
export type ImportItem = Omit<StatedItem, "comments"> & {
  readonly comments?: readonly ImportComment[] | undefined;
  /** Further ids that the issue has in its source. */
  readonly other_external_ids?: readonly string[];
};

export type ImportComment = NonNullable<StatedItem["comments"]>[number] & {
  readonly created_at: string;
};

export interface NewIssue {
  readonly uid: string;
  readonly short_id: string;
}

/** Data that an import reads once for all its items, with a few statements instead of several per item. */
export interface Batch {
  /** The uid of each issue that the items name, by external id; the issues that this import creates are added later. */
  readonly imported: Map<string, string>;
  /** Issues of earlier imports by uid, as they were when this import began. */
  readonly known: ReadonlyMap<string, KnownIssue>;
  readonly fresh: ReadonlyMap<string, NewIssue>;
  /** External ids of deleted issues that this import has restored. */
  readonly restored: Set<string>;
  /** If a source has several external ids for an issue: the further ids, by the id that the item states. */
  readonly otherIds: ReadonlyMap<string, readonly string[]>;
}

export async function readBatch(
  { tx, ids }: { readonly tx: Tx; readonly ids: Ids },
  project: StoredProject,
  { source, items }: { readonly source: string; readonly items: readonly StatedItem[] },
): Promise<Batch> {
  const named = items.flatMap(({ external_id, links = [] }) => [
    external_id,
    ...links.map(({ target_external_id }) => target_external_id),
  ]);
  const imported = new Map(await tx.marks.findImports(project.uid, source, [...new Set(named)]));
  const uids = items.flatMap(({ external_id }) => imported.get(external_id) ?? []);
  const fresh = await newIssues(
    { tx, ids },
    project,
    items.filter(({ external_id }) => !imported.has(external_id)),
  );
  const createdUids = [...fresh.values()].map(({ uid }) => uid);
  await tx.preload({ projects: [project.uid], issues: [...uids, ...createdUids] });
  const known = await readKnown(tx, source, uids);
  return { imported, known, fresh, restored: new Set(), otherIds: new Map() };
}

/** Chooses uids and short ids for the issues that the items will become. */
export async function newIssues(
  { tx, ids }: { readonly tx: Tx; readonly ids: Ids },
  project: StoredProject,
  items: readonly Pick<StatedItem, "external_id">[],
): Promise<ReadonlyMap<string, NewIssue>> {
  const uids = new Map(items.map(({ external_id }) => [external_id, ids.ulid()]));
  const shortIds = await freeShortIds(tx, [project.uid], [...uids.values()]);
  return new Map(
    [...uids].map(([external_id, uid]) => [
      external_id,
      { uid, short_id: shortIds.get(uid) ?? uid.toLowerCase() },
    ]),
  );
}
