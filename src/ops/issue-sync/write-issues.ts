import { NeedsWorker } from "../../base/budget.ts";
import { type Instant, stopwatch } from "../../base/clock.ts";
import { issueImported } from "../../domain/drafts/issues.ts";
import { PROVIDER_RULES } from "../../domain/issue-sync/providers.ts";
import type { RemoteIssue, RemoteLink } from "../../domain/issue-sync/remote-issue.ts";
import { configOf } from "../../domain/issue-sync/run.ts";
import type { SyncItem } from "../../domain/issue-sync/sync-item.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";
import { type Batch, newIssues } from "../imports/batch.ts";
import { importComments } from "../imports/comments.ts";
import { createIssues, type ImportContext } from "../imports/fields.ts";
import { type KnownIssue, readKnown } from "../imports/known.ts";
import { importLinks } from "../imports/links.ts";
import { writeMerges } from "../imports/merge.ts";
import type { Outcome } from "../imports/outcome.ts";
import type { MergePlan } from "../imports/plan-merge.ts";
import { linkWaiting } from "../imports/waiting.ts";
import { type RunClaim, requireClaim } from "./binding.ts";
import { importItemOf, linkPlan, linksTo, syncPlan, wantedParent } from "./plan.ts";

/** A part of what a run read, written in one transaction. */
export interface Chunk {
  readonly claim: RunClaim;
  /** The uid of the run, which all its events carry. */
  readonly sync_uid: string;
  /** The source name that `svc import` uses for the issues of the same repository. */
  readonly file_source: string;
  /** Whether the run reads everything, and not only what changed since the last one. */
  readonly is_full: boolean;
  readonly issues: readonly RemoteIssue[];
  readonly links: readonly RemoteLink[];
}

/** An issue that was not changed. */
export interface UnchangedIssue {
  readonly external_id: string;
  readonly why: string;
}

export interface WrittenItems {
  readonly outcomes: readonly Pick<
    Outcome,
    "external_id" | "short_id" | "status" | "reason" | "comments" | "links" | "errors"
  >[];
  readonly kept: readonly UnchangedIssue[];
  /** The earliest change that was not written because the issue is leased: the next run must read it again. */
  readonly held_since: Instant | null;
  /** How long the transaction took. The size of the next chunk depends on it. */
  readonly ms: number;
}

/** If more issues and comments than this must be written, a worker does it. */
const SMALL_WORK = 10;

/**
 * Writes a part of what a run read from a code host, as an import does it (`ops/imports`): each issue is found by its
 * ids, or by the number with which a file brought it, and merged with what the last run read of it. Throws if the run
 * has lost its claim; nothing of the part is written then.
 */
export async function writeIssues(
  { store, ids, smallWorkOnly }: Pick<Deps, "store" | "ids" | "smallWorkOnly">,
  chunk: Chunk,
): Promise<WrittenItems> {
  const work = chunk.issues.reduce((sum, { comments }) => sum + 1 + comments.length, 0);
  if (smallWorkOnly === true && work + chunk.links.length > SMALL_WORK) throw new NeedsWorker();
  const elapsedMs = stopwatch();
  const written = await store.write(async (tx) => {
    const { project, binding } = await requireClaim(tx, chunk.claim);
    const rules = PROVIDER_RULES[binding.provider as keyof typeof PROVIDER_RULES];
    const mapping = {
      titlePrefix: configOf(binding).title_prefix,
      startedAt: chunk.claim.started_at,
    };
    const items = lastOfEach(chunk.issues.map((issue) => rules.map(issue, mapping)));
    const writing: Writing = {
      tx,
      ids,
      project,
      source: binding.source_key,
      actor: rules.actor,
      instanceUid: store.instanceUid,
      chunk,
      fileId: rules.fileId,
    };
    return await writeItems(writing, items);
  });
  return { ...written, ms: elapsedMs() };
}

/** An issue that changed while it was read may come twice; the later one counts. */
function lastOfEach(items: readonly SyncItem[]): readonly SyncItem[] {
  return [...new Map(items.map((item) => [item.external_id, item])).values()];
}

interface Writing
  extends Pick<ImportContext, "tx" | "ids" | "project" | "source" | "actor" | "instanceUid"> {
  readonly chunk: Chunk;
  fileId(number: number): string;
}

async function writeItems(
  writing: Writing,
  items: readonly SyncItem[],
): Promise<Omit<WrittenItems, "ms">> {
  const { tx, ids, project, source, actor, instanceUid, chunk } = writing;
  const { imported, left } = await findIssues(writing, items);
  const uidOf = (item: SyncItem) => imported.get(item.external_id);
  const there = items.filter((item) => !left.has(item.external_id));
  const fresh = await newIssues(
    { tx, ids },
    project,
    there.filter((item) => uidOf(item) === undefined),
  );
  const links = await changedLinks(tx, chunk.links, imported);
  const uids = [...there.flatMap((item) => uidOf(item) ?? []), ...links.map(({ uid }) => uid)];
  await tx.preload({
    projects: [project.uid],
    issues: [...uids, ...[...fresh.values()].map(({ uid }) => uid)],
  });
  const known = await readKnown(tx, source, uids);
  const otherIds = new Map(items.map((item) => [item.external_id, item.other_external_ids]));
  const batch: Batch = { imported, known, fresh, restored: new Set(), otherIds };
  const context: ImportContext = {
    tx,
    ids,
    project,
    actor,
    instanceUid,
    source,
    batch_uid: chunk.sync_uid,
    batch,
  };
  const toImport = (item: SyncItem) => importItemOf(item, known.get(uidOf(item) ?? ""));
  const created = there.filter((item) => fresh.has(item.external_id)).map(toImport);
  await createIssues(context, created);
  for (const [id, others] of otherIds)
    for (const other of others) {
      const uid = imported.get(id);
      if (uid !== undefined) imported.set(other, uid);
    }
  const outcomes: Outcome[] = [];
  const comments = new Map<string, number>();
  for (const item of created) {
    const uid = fresh.get(item.external_id)?.uid ?? "";
    comments.set(item.external_id, await importComments(context, uid, item));
  }
  const plans: MergePlan[] = [];
  const kept: UnchangedIssue[] = [...left].map(([external_id, why]) => ({ external_id, why }));
  for (const item of there) {
    const one = known.get(uidOf(item) ?? "");
    if (one === undefined || fresh.has(item.external_id)) continue;
    const why = whyKept(one, chunk.is_full, item);
    if (why !== undefined) kept.push({ external_id: item.external_id, why });
    else plans.push(syncPlan(context, one, item));
  }
  for (const { uid, link } of links) {
    const one = known.get(uid);
    if (one !== undefined && whyKept(one, true) === undefined)
      plans.push(linkPlan(context, one, link));
  }
  const merged = await writeMerges(context, plans);
  const createdById = new Map(created.map((item) => [item.external_id, item]));
  for (const { external_id, parent } of there) {
    const { uid, short_id = "" } = fresh.get(external_id) ?? {};
    const item = createdById.get(external_id);
    if (uid === undefined || item === undefined) continue;
    const links = linksTo(parent, batch);
    const { added, errors, missing } = await importLinks(context, uid, { ...item, links });
    const what = { changed: [], conflicts: [], comments: comments.get(external_id) ?? 0 };
    outcomes.push({
      external_id,
      short_id,
      status: "created",
      ...what,
      links: added,
      errors,
      missing,
    });
  }
  let oldestKept: Instant | null = null;
  for (const [at, { kept: reason, ...what }] of merged.entries()) {
    const plan = plans[at];
    if (plan === undefined) continue;
    const { external_id, updated_at } = plan.item;
    if (reason !== undefined && (oldestKept === null || updated_at < oldestKept))
      oldestKept = updated_at;
    const { short_id } = plan.known.issue;
    const status = what.changed.length > 0 ? "updated" : "unchanged";
    outcomes.push({ external_id, short_id, status, ...what, reason });
  }
  const linked = await linkWaiting(context);
  return { outcomes: withLater(outcomes, linked).map(shortOutcome), kept, held_since: oldestKept };
}

/** Adds the links that were waiting for an issue of this chunk. */
function withLater(outcomes: readonly Outcome[], linked: readonly Outcome[]): readonly Outcome[] {
  const links = linked.reduce((sum, one) => sum + one.links, 0);
  const [first, ...rest] = outcomes;
  return first === undefined ? [] : [{ ...first, links: first.links + links }, ...rest];
}

function shortOutcome({ external_id, short_id, status, reason, comments, links, errors }: Outcome) {
  return { external_id, short_id, status, reason, comments, links, errors };
}

/**
 * Finds the issues that items and their parents name. An issue that a file brought from the same repository is taken
 * over: it gets the ids of this source, by which it is found from now on. `left` has the items that are not written,
 * with the reasons.
 */
async function findIssues(
  writing: Writing,
  items: readonly SyncItem[],
): Promise<{
  readonly imported: Map<string, string>;
  readonly left: ReadonlyMap<string, string>;
}> {
  const { tx, project, source, chunk, fileId } = writing;
  const names = new Set([
    ...items.flatMap((item) => [...idsOf(item), ...wantedParent(item.parent)]),
    ...chunk.links.flatMap(({ keys, parent }) => [...keys, ...wantedParent(parent)]),
  ]);
  const imported = new Map(await tx.marks.findImports(project.uid, source, [...names]));
  const left = new Map<string, string>();
  const unknown: SyncItem[] = [];
  for (const item of items) {
    const uid = idsOf(item)
      .map((id) => imported.get(id))
      .find((found) => found !== undefined);
    if (uid === undefined) unknown.push(item);
    else for (const id of idsOf(item)) imported.set(id, uid);
  }
  const byFile = await tx.marks.findImports(
    project.uid,
    chunk.file_source,
    unknown.map(({ number }) => fileId(number)),
  );
  const issues = await tx.issues.many([...byFile.values()]);
  for (const item of unknown) {
    const issue = issues.get(byFile.get(fileId(item.number)) ?? "");
    if (issue === undefined) continue;
    if (issue.project_uid !== project.uid) {
      left.set(item.external_id, "it was moved to another project");
      continue;
    }
    const act = { actor: writing.actor, now: issue.created_at, import: chunk.sync_uid };
    const read = { fields: {}, external_ids: [...idsOf(item)] };
    const { external_id } = item;
    await tx.append(issueImported(issue, { source, external_id }, read, act));
    for (const id of idsOf(item)) imported.set(id, issue.uid);
  }
  return { imported, left };
}

function idsOf({ external_id, other_external_ids }: SyncItem): readonly string[] {
  return [external_id, ...other_external_ids];
}

/** Why an issue that was read is not changed here. */
function whyKept({ issue, imported }: KnownIssue, isFull: boolean, item?: SyncItem) {
  if (issue.project_deleted_at !== null) return "it was moved to a project that is archived";
  if (issue.deleted_at === null) return undefined;
  // If an undo of the run deleted the issue, the issue comes back if it has changed since, or if the run reads
  // everything.
  const comesBack = isFull || (item !== undefined && item.updated_at > imported.updated_at);
  return imported.isGoneByImport && item !== undefined && comesBack
    ? undefined
    : "it was deleted here";
}

interface ChangedLink {
  readonly uid: string;
  readonly link: RemoteLink;
}

/** The links that differ from the parents that the issues have here, so that only these links are merged. */
async function changedLinks(
  tx: Tx,
  links: readonly RemoteLink[],
  imported: ReadonlyMap<string, string>,
): Promise<readonly ChangedLink[]> {
  const uidOf = (keys: readonly string[]) =>
    keys.map((key) => imported.get(key)).find((uid) => uid !== undefined);
  const known = links.flatMap((link) => {
    const uid = uidOf(link.keys);
    return uid === undefined || link.parent.kind === "unknown" ? [] : [{ uid, link }];
  });
  const ends = await tx.links.endsTouching(known.map(({ uid }) => uid));
  const parents = new Map(
    ends.filter(({ type }) => type === "parent").map(({ from_uid, to_uid }) => [from_uid, to_uid]),
  );
  return known.filter(({ uid, link: { parent } }) => {
    const wanted = parent.kind === "issue" ? uidOf(parent.keys) : undefined;
    if (parent.kind === "issue" && wanted === undefined) return true;
    return parents.get(uid) !== wanted;
  });
}
