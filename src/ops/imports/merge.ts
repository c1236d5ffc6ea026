import type { Instant } from "../../base/clock.ts";
import type { JsonValue } from "../../base/json.ts";
import type { EventDraft } from "../../contract/events.ts";
import type { Act } from "../../domain/drafts/draft.ts";
import { issueImported, issueRestored, issueUpdated } from "../../domain/drafts/issues.ts";
import { later } from "../../domain/evolve/evolver.ts";
import { effectOf, timeOf, type WaitingLink } from "../../domain/imports/base.ts";
import { isOf, mirrored } from "../../domain/imports/fields.ts";
import { applied, differences, type Fields } from "../../domain/imports/merge.ts";
import { commented } from "./comments.ts";
import { type ImportContext, lastChange } from "./fields.ts";
import { readKnown } from "./known.ts";
import { withoutLeased } from "./leased.ts";
import { type RefusedLink, writeLink } from "./links.ts";
import type { Outcome } from "./outcome.ts";
import { DELETED, type MergePlan, type MissingEnd } from "./plan-merge.ts";
import { textDrafts } from "./text-drafts.ts";

export interface MergedItem
  extends Omit<Outcome, "external_id" | "short_id" | "status" | "reason"> {
  readonly kept?: string | undefined;
}

interface ItemMerge {
  readonly plan: MergePlan;
  readonly act: Act;
  readonly written: EventDraft[];
  /** The links that were refused and why, by the name of their field, such as `parent` or `blocks.<uid>`. */
  readonly refused: Map<string, RefusedLink>;
  /** The names of the new comments, by the comments' uids. */
  readonly comments: Map<string, string>;
  links: number;
}

/**
 * Writes the merges of a request. Links are removed before others are added, and refused links are tried again at the
 * end. Otherwise a link whose direction changed in the source would be refused as a cycle with its old direction.
 */
export async function writeMerges(
  context: ImportContext,
  plans: readonly MergePlan[],
): Promise<readonly MergedItem[]> {
  const open = await withoutLeased(context, plans);
  const all = (await withoutSharedLinks(context, open)).map(
    (plan): ItemMerge => ({
      plan,
      act: { actor: context.actor, now: lastChange(plan.item), import: context.batch_uid },
      written: [],
      refused: new Map(),
      comments: new Map(),
      links: 0,
    }),
  );
  for (const one of all) {
    await writeLinks(context, one, (to) => to === undefined);
    await writeText(context, one);
  }
  for (const one of all) await writeLinks(context, one, (to) => to !== undefined);
  for (const one of all.filter(({ refused }) => refused.size > 0)) {
    const again = new Set(one.refused.keys());
    one.refused.clear();
    await writeLinks(context, one, (_, field) => again.has(field));
  }
  const merged: MergedItem[] = [];
  for (const one of all) {
    await noteBase(context, one);
    merged.push(outcomeOf(one));
  }
  return merged;
}

/**
 * Returns the plans without the removals of links that the source still names at the link's other issue. A source may
 * name a link at either of its two issues, so a link that is no longer named at one issue may still exist.
 */
async function withoutSharedLinks(
  { tx, source }: ImportContext,
  plans: readonly MergePlan[],
): Promise<readonly MergePlan[]> {
  const ends = plans.flatMap(({ known, changes }) =>
    [...changes].flatMap(([field, to]) => {
      const other = to === undefined ? mirrored(known.issue.uid, field) : undefined;
      return other === undefined ? [] : [{ uid: known.issue.uid, of: field, ...other }];
    }),
  );
  if (ends.length === 0) return plans;
  const bases = new Map(plans.map(({ known, base }) => [known.issue.uid, base]));
  const peers = new Set(ends.map(({ peer }) => peer).filter((peer) => !bases.has(peer)));
  for (const [uid, { imported }] of await readKnown(tx, source, [...peers]))
    bases.set(uid, imported.base);
  const shared = Map.groupBy(
    ends.filter(({ peer, field }) => bases.get(peer)?.has(field) === true),
    ({ uid }) => uid,
  );
  return plans.map((plan) => {
    const kept = shared.get(plan.known.issue.uid) ?? [];
    const changes = new Map(plan.changes);
    for (const { of } of kept) changes.delete(of);
    return kept.length === 0 ? plan : { ...plan, changes };
  });
}

async function writeText(context: ImportContext, one: ItemMerge): Promise<void> {
  const { plan, act, written } = one;
  const { issue } = plan.known;
  if (plan.restores) {
    written.push(await context.tx.append(issueRestored(issue, act)));
    context.batch.restored.add(plan.item.external_id);
  }
  for (const draft of await textDrafts(context, plan, act))
    written.push(await context.tx.append(draft));
  for (const comment of newComments(plan)) {
    const draft = commented(context, issue, comment);
    one.comments.set(draft.payload.comment_uid, comment.external_id);
    written.push(await context.tx.append(draft));
  }
}

function newComments({ item, known, changes }: MergePlan) {
  const { comments } = known.imported;
  return (item.comments ?? []).filter(
    ({ external_id: name }) => changes.has(`comment.${name}`) && !comments.has(name),
  );
}

async function writeLinks(
  context: ImportContext,
  one: ItemMerge,
  chosen: (to: JsonValue | undefined, field: string) => boolean,
): Promise<void> {
  const { plan, act, written, refused } = one;
  for (const [field, to] of plan.changes) {
    if (!isOf("links", field) || !chosen(to, field)) continue;
    const result = await writeLink(context, plan, [field, to], act);
    if (result === undefined) continue;
    if ("message" in result) refused.set(field, result);
    else {
      written.push(result);
      if (to !== undefined) one.links += 1;
    }
  }
}

/**
 * Writes an `issue.imported` event with the base: the values with which the next import compares. Values that follow
 * from the other events of this import are left out. If the item's time in the source is later than those of all these
 * events and of the last import, an `issue.updated` event without fields moves the time of the issue; other daemons
 * that have the issue get this event too. If the issue was edited here after the item's time, that event is not
 * written, and only `issue.imported` records the time.
 */
async function noteBase({ tx, source }: ImportContext, one: ItemMerge): Promise<void> {
  const { plan, act, written, refused, comments } = one;
  const { issue, imported } = plan.known;
  const known = new Map([...imported.comments].map(([name, { uid }]) => [uid, name]));
  const nameOf = (uid: string) => comments.get(uid) ?? known.get(uid);
  const recorded = written.reduce<Fields>(
    (base, draft) => applied(base, effectOf(draft, nameOf)),
    imported.base,
  );
  const next = new Map(plan.base);
  for (const field of refused.keys()) {
    const was = imported.base.get(field);
    if (was === undefined) next.delete(field);
    else next.set(field, was);
  }
  const left = differences(recorded, next);
  const time = written.reduce((last, draft) => later(last, timeOf(draft)), imported.updated_at);
  const waiting = waitingNews(plan, missingEnds(one));
  const isSaid = left.size === 0 && waiting === undefined;
  const isLater = plan.kept === undefined && act.now > time;
  const isOvertaken = act.now <= issue.updated_at;
  if (isLater && !isOvertaken) await tx.append(issueUpdated(issue, {}, act));
  if (isSaid && !(isLater && isOvertaken)) return;
  const fields = Object.fromEntries([...left].map(([field, to]) => [field, to ?? null]));
  const { external_id } = plan.item;
  const read = { fields, ...(waiting === undefined ? {} : { waiting }) };
  await tx.append(issueImported(issue, { source, external_id }, read, act));
}

/** The item's links whose other end has not been imported yet; undefined if the last import recorded the same links. */
function waitingNews(
  { item, known, kept }: MergePlan,
  missing: readonly MissingEnd[],
): WaitingLink[] | undefined {
  if (item.links === undefined || kept !== undefined) return undefined;
  const waiting = missing.map(({ link }) => link);
  const isSame = waiting.map(textOf).join() === known.imported.waiting.map(textOf).join();
  return isSame ? undefined : waiting;
}

function missingEnds({ plan, refused }: ItemMerge): readonly MissingEnd[] {
  return [...plan.missing, ...[...refused.values()].flatMap(({ waits }) => waits ?? [])];
}

function textOf({ type, incoming, target_external_id, author, created_at }: WaitingLink): string {
  return JSON.stringify([type, incoming, target_external_id, author, created_at]);
}

function outcomeOf(one: ItemMerge): MergedItem {
  const { plan, act, refused, comments, links } = one;
  const { changes, conflicts, restores, known, kept } = plan;
  const missing = missingEnds(one);
  const changed = [...changes.keys()].filter((field) => !refused.has(field)).sort();
  if (restores) changed.unshift(DELETED);
  if (changed.length === 0 && kept === undefined && isTouched(act.now, known.issue))
    changed.push("updated_at");
  const errors = [
    ...[...refused.values()].map(({ message }) => message),
    ...plan.missing.map(({ error }) => error),
  ];
  return { changed, conflicts, comments: comments.size, links, errors, missing, kept };
}

function isTouched(now: Instant, issue: MergePlan["known"]["issue"]): boolean {
  return issue.deleted_at === null && now > issue.updated_at;
}
