import { NeedsWorker } from "../../base/budget.ts";
import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import type { importIssues as contract } from "../../contract/imports.ts";
import type { Input, Output } from "../../contract/route.ts";
import { checkNewMetadata } from "../../domain/metadata.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireProject } from "../find.ts";
import { type ImportItem, readBatch, type StatedItem } from "./batch.ts";
import { importComments, withKnownComments } from "./comments.ts";
import { createIssues, type ImportContext } from "./fields.ts";
import { importLinks } from "./links.ts";
import { type MergedItem, writeMerges } from "./merge.ts";
import { type Outcome, report, withLinked } from "./outcome.ts";
import { decisionKey, type MergeDecisions, planMerge } from "./plan-merge.ts";
import { removeIssues } from "./removed.ts";
import { refuseSynced } from "./synced.ts";
import { linkWaiting } from "./waiting.ts";

type Body = Input<typeof contract>["body"];

/**
 * Imports issues of another tracker in one transaction (docs/contract/http-api.md#313-imports-plans-issue-sync). Issues
 * are recognized by `source` and `external_id`. An issue that was imported before is merged field by field: its values
 * in the source and in svc are compared with those of the last import (the base of a three-way merge). So repeating an
 * import changes nothing, and changes of neither side are lost.
 */
export const importIssues: Op<typeof contract, "store" | "ids" | "smallWorkOnly"> = async (
  deps,
  who,
  { params, body },
) => {
  const actor = actorOf(who, body.actor);
  checkItems(body.items);
  if (deps.smallWorkOnly === true && !isSmall(body)) throw new NeedsWorker();
  const batch_uid = body.batch_uid?.toUpperCase() ?? deps.ids.ulid();
  const work = async (tx: Tx): Promise<Output<typeof contract>> => {
    const project = await requireProject(tx, params.project_id);
    await refuseSynced(tx, project, body.source);
    const batch = await readBatch({ tx, ids: deps.ids }, project, body);
    const { source } = body;
    const { instanceUid } = deps.store;
    const { ids } = deps;
    const context: ImportContext = {
      tx,
      ids,
      project,
      actor,
      instanceUid,
      source,
      batch_uid,
      batch,
    };
    const outcomes = await importAll(context, body);
    return await report(context, body, withLinked(outcomes, await linkWaiting(context)));
  };
  return body.dry_run === true ? await runDry(deps, work) : await deps.store.write(work);
};

/** Runs the import in a transaction and rolls it back, so that a dry run reports exactly what an import would do. */
async function runDry<T>(
  { store }: Parameters<Op<typeof contract, "store">>[0],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const outcome: { value?: T } = {};
  const back = new Error("a dry run takes back what it wrote");
  await store
    .write(async (tx) => {
      outcome.value = await work(tx);
      throw back;
    })
    .catch((error: unknown) => {
      if (error !== back) throw error;
    });
  return outcome.value as T;
}

async function importAll(context: ImportContext, body: Body): Promise<readonly Outcome[]> {
  const { batch } = context;
  const deciding: MergeDecisions = {
    prefer: body.prefer,
    decisions: new Map(
      (body.decisions ?? []).map(({ external_id, field, take }) => [
        decisionKey(external_id, field),
        take,
      ]),
    ),
  };
  const items = body.items.map((item) => withKnownComments(batch, item));
  await createIssues(context, items);
  const comments = new Map<string, number>();
  for (const item of items) {
    const fresh = batch.fresh.get(item.external_id);
    if (fresh !== undefined)
      comments.set(fresh.uid, await importComments(context, fresh.uid, item));
  }
  const merged = await mergeAll(context, items, deciding);
  const outcomes: Outcome[] = [];
  for (const item of items) {
    const { external_id } = item;
    const fresh = batch.fresh.get(external_id);
    if (fresh === undefined) outcomes.push(mergedOutcome(context, external_id, merged));
    else {
      const { uid, short_id } = fresh;
      const { added, ...links } = await importLinks(context, uid, item);
      const what = { changed: [], conflicts: [], comments: comments.get(uid) ?? 0, links: added };
      outcomes.push({ external_id, short_id, status: "created", ...what, ...links });
    }
  }
  return [...outcomes, ...(await removeAll(context, body, deciding))];
}

async function mergeAll(
  context: ImportContext,
  items: readonly ImportItem[],
  deciding: MergeDecisions,
): Promise<ReadonlyMap<string, MergedItem>> {
  const { known, imported } = context.batch;
  const plans = items.flatMap((item) => {
    const one = known.get(imported.get(item.external_id) ?? "");
    return one === undefined ? [] : [planMerge(context, one, item, deciding)];
  });
  const merged = await writeMerges(context, plans);
  return new Map(merged.map((one, at) => [plans[at]?.item.external_id ?? "", one]));
}

function mergedOutcome(
  { batch }: ImportContext,
  external_id: string,
  all: ReadonlyMap<string, MergedItem>,
): Outcome {
  const merged = all.get(external_id);
  const known = batch.known.get(batch.imported.get(external_id) ?? "");
  invariant(merged !== undefined && known !== undefined, "what is not new was imported before");
  const { kept, ...what } = merged;
  const status = merged.changed.length > 0 ? "updated" : "unchanged";
  const reason = kept === undefined ? {} : { reason: kept };
  return { external_id, short_id: known.issue.short_id, status, ...what, ...reason };
}

/**
 * Deletes the issues that the source reports as deleted, and with `only` also the issues that the source no longer has.
 */
async function removeAll(
  context: ImportContext,
  { removed = [], only }: Body,
  deciding: MergeDecisions,
): Promise<readonly Outcome[]> {
  if (removed.length === 0 && only === undefined) return [];
  const { tx, project, source } = context;
  const gone = new Map(await tx.marks.findImports(project.uid, source, removed));
  if (only !== undefined) {
    const there = new Set(only);
    for (const { external_id, issue_uid } of await tx.marks.importsOf(project.uid, source))
      if (!there.has(external_id)) gone.set(external_id, issue_uid);
  }
  return (await removeIssues(context, deciding, gone)).map(({ issue, ...one }) => ({
    ...one,
    short_id: issue.short_id,
    changed: [],
    comments: 0,
    links: 0,
    errors: [],
    missing: [],
  }));
}

/** If more issues, comments and links than this must be written, a worker handles the request. */
const SMALL_WORK = 10;

/**
 * True if the import is so small that no worker is needed. An empty request does not count as small: a client sends it
 * before a large import, so that the write worker starts while the client still reads its file.
 */
function isSmall({ items, removed = [], only }: Body): boolean {
  const size = items.reduce((sum, { comments = [], links = [] }) => {
    return sum + 1 + comments.length + links.length;
  }, removed.length);
  return only === undefined && size > 0 && size <= SMALL_WORK;
}

function checkItems(items: readonly StatedItem[]): void {
  const seen = new Set<string>();
  for (const [at, { external_id, metadata, status, closed_at }] of items.entries()) {
    if (seen.has(external_id)) throw invalid(at, `external_id ${external_id} is there twice`);
    seen.add(external_id);
    if (status === "open" && closed_at !== undefined)
      throw invalid(at, "is open and has closed_at");
    if (metadata !== undefined) checkNewMetadata(metadata);
  }
}

function invalid(at: number, message: string): SvcError {
  const field = `items[${at}]`;
  return new SvcError("validation", { field }, { message: `${field}: ${message}` });
}
