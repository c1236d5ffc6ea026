import { NeedsWorker } from "../../base/budget.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { undoImport as contract } from "../../contract/import-batches.ts";
import { UNDO_IMPORT_ISSUES } from "../../contract/limits.ts";
import type { Output } from "../../contract/route.ts";
import { issueImported } from "../../domain/drafts/issues.ts";
import { batchOf } from "../../domain/imports/base.ts";
import type { UndoHistory } from "../../domain/undo/facets.ts";
import { planUndo, type Revert, type UndoPlan } from "../../domain/undo/plan.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireProject } from "../find.ts";
import { carryOut } from "../undo/carry-out.ts";
import { type Conflict, conflictsOf } from "../undo/checks.ts";
import { historyOf } from "../undo/load.ts";
import { namesFor } from "../undo/names.ts";
import { conflictOut, issueName, type Names, revertOut } from "../undo/out.ts";
import { undoing } from "../undo/undo-context.ts";

/** If more events than this must be undone, a worker handles the request. */
const SMALL_WORK = 10;

type Answer = Output<typeof contract>;
type UsedDeps = "store" | "ids" | "smallWorkOnly";

/**
 * Undoes one portion of an import: the issues whose uids come after `after`, each as a whole or not at all. The rules
 * are those of `svc undo`, but a conflict excludes only its own issue from the undo. Repeating the request changes
 * nothing.
 */
export const undoImport: Op<typeof contract, UsedDeps> = async (deps, who, { params, body }) => {
  const actor = actorOf(who, body.actor);
  const { instanceUid } = deps.store;
  const batch = params.batch_uid.toUpperCase();
  const prepare = async (reader: Reader, leaseNow: () => Promise<string>) => {
    const { uid } = await requireProject(reader, params.project_id);
    const place = await reader.imports.placeOf(batch);
    if (place?.project_uid !== uid) throw new SvcError("import_not_found", { batch_uid: batch });
    const portion = await portionOf(reader, batch, body.after?.toUpperCase() ?? "");
    if (deps.smallWorkOnly === true && portion.events.length > SMALL_WORK) throw new NeedsWorker();
    const asker = { actor, instanceUid, leaseNow };
    return { ...place, ...portion, ...(await planPortion(reader, batch, portion.events, asker)) };
  };
  if (body.dry_run === true) {
    return await deps.store.read(async (reader) => {
      const prepared = await prepare(reader, async () => await deps.store.leaseNow());
      return await answerOf(reader, batch, true, prepared);
    });
  }
  return await deps.store.write(async (tx) => {
    const prepared = await prepare(tx, async () => await tx.leaseNow());
    const answer = await answerOf(tx, batch, false, prepared);
    const { plan, history, notes } = prepared;
    if (plan.reverts.length === 0 && notes.length === 0) return answer;
    const batch_uid = deps.ids.ulid();
    await takeNotesBack(tx, plan, notes, { actor, batch_uid });
    await carryOut(tx, { plan, history, actor, batch_uid });
    if (plan.reverts.length === 0) return answer;
    return { ...answer, batch: { batch_uid, actor, at: tx.now } };
  });
};

interface Portion {
  readonly events: readonly StoredEvent[];
  readonly next_after?: string;
}

async function portionOf(reader: Reader, batch: string, after: string): Promise<Portion> {
  const uids = await reader.imports.issues(batch, after, UNDO_IMPORT_ISSUES);
  const [first, last] = [uids[0], uids.at(-1)];
  if (first === undefined || last === undefined) return { events: [] };
  const events = await reader.imports.events(batch, first, last);
  return { events, ...(uids.length < UNDO_IMPORT_ISSUES ? {} : { next_after: last }) };
}

interface PlannedUndo {
  readonly history: UndoHistory;
  readonly plan: UndoPlan;
  readonly conflicts: readonly Conflict[];
  /** Events in which the import only recorded what it read about an issue, without changing the issue. */
  readonly notes: readonly StoredEvent<"issue.imported">[];
}

async function planPortion(
  reader: Reader,
  batch: string,
  chosen: readonly StoredEvent[],
  asker: Parameters<typeof conflictsOf>[2],
): Promise<PlannedUndo> {
  const history = await historyOf(reader, chosen);
  const ids = new Set(chosen.map(({ id }) => id));
  // Changes by the same import to issues of other portions do not count as later changes by somebody else.
  const same = history.events.filter((event) => !ids.has(event.id) && batchOf(event) === batch);
  const before = new Set(same.map(({ id }) => id));
  const { plan, conflicts } = await withoutConflicts(reader, asker, (kept) =>
    planUndo(history, ids, before, kept),
  );
  const settled = new Set([
    ...plan.reverts.map(ownerOf),
    ...conflicts.map(ownerOf),
    ...chosen.flatMap(({ id, issue_uid }) => (plan.undone.has(id) ? (issue_uid ?? "") : [])),
  ]);
  const notes = chosen.filter(
    (event): event is StoredEvent<"issue.imported"> =>
      event.type === "issue.imported" && !settled.has(event.issue_uid ?? ""),
  );
  return { history, plan, conflicts, notes };
}

/** The uid of the issue to which a change belongs. A link belongs to the issue at which the import made it. */
function ownerOf({ facet, events }: Pick<Revert, "facet" | "events">): string {
  return facet.of === "link" ? (events[0]?.issue_uid ?? facet.uid) : facet.uid;
}

/**
 * Plans the undo and leaves out issues in conflict. Planning is repeated, because an issue that is left out may be the
 * reason why another issue, such as its parent, cannot be undone either.
 */
async function withoutConflicts(
  reader: Reader,
  asker: Parameters<typeof conflictsOf>[2],
  planWith: (kept: ReadonlySet<string>) => UndoPlan,
): Promise<{ readonly plan: UndoPlan; readonly conflicts: readonly Conflict[] }> {
  const kept = new Set<string>();
  const conflicts: Conflict[] = [];
  for (;;) {
    const all = planWith(kept);
    const isLeft = (one: Parameters<typeof ownerOf>[0]) => !kept.has(ownerOf(one));
    const plan = { ...all, reverts: all.reverts.filter(isLeft) };
    const found = (await conflictsOf(reader, plan, asker)).filter(isLeft);
    if (found.length === 0) return { plan, conflicts };
    conflicts.push(...found);
    for (const one of found) kept.add(ownerOf(one));
  }
}

/**
 * Undoes events that only record what an import read, so that later imports do not compare their files with these
 * values (domain/imports/base.ts).
 */
async function takeNotesBack(
  tx: Tx,
  { now }: UndoPlan,
  notes: PlannedUndo["notes"],
  by: { readonly actor: string; readonly batch_uid: string },
): Promise<void> {
  for (const note of notes) {
    const issue = now.issue(note.issue_uid ?? "");
    if (issue === undefined) continue;
    const { source, external_id } = note.payload;
    const act = undoing({ ...by, now: issue.updated_at }, [{ events: [note] }]);
    await tx.append(issueImported(issue, { source, external_id }, { fields: {} }, act));
  }
}

async function answerOf(
  reader: Reader,
  batch_uid: string,
  dry_run: boolean,
  {
    source,
    plan,
    conflicts,
    events,
    next_after,
  }: PlannedUndo & Portion & { readonly source: string },
): Promise<Answer> {
  const names = await namesFor(reader, plan, events, conflicts);
  const byIssue = Map.groupBy(plan.reverts, ownerOf);
  const external = await reader.marks.externalIds(source, [...byIssue.keys()]);
  const items = [...byIssue].map(([issue_uid, reverts]) => {
    const external_id = external.get(issue_uid);
    const isNew = reverts.some(({ facet }) => facet.of === "issue" && facet.field === "exists");
    const changed = reverts.map((revert) => changeOut(revert, issue_uid, names));
    return {
      issue_uid,
      qualified_id: issueName(issue_uid, names),
      ...(external_id === undefined ? {} : { external_id }),
      ...(isNew ? { status: "deleted" as const } : { status: "reverted" as const, changed }),
    };
  });
  const deleted = items.filter(({ status }) => status === "deleted").length;
  const issues = (await reader.imports.summary(batch_uid))?.issues ?? 0;
  return {
    batch_uid,
    source,
    dry_run,
    issues,
    deleted,
    reverted: items.length - deleted,
    undone_before: undoneBefore(plan, events, [...plan.reverts, ...conflicts]),
    items,
    conflicts: conflicts.map((conflict) => conflictOut(conflict, names)),
    ...(next_after === undefined ? {} : { next_after }),
  };
}

/**
 * Names what changed on the issue `uid`: `title`, `label bug`, `link blocks web#ab3d`. A link that starts at the other
 * issue is named from this side (`link blocked_by web#ab3d`).
 */
function changeOut(revert: Revert, uid: string, names: Names): string {
  const { facet } = revert;
  if (facet.of === "link" && facet.peer === uid) {
    const end = facet.type === "blocks" ? "blocked_by" : facet.type;
    return `link ${end} ${issueName(facet.uid, names)}`;
  }
  const { field, name } = revertOut(revert, names);
  return name === undefined ? field : `${field} ${name}`;
}

/** Counts the issues for which earlier undos left nothing to undo. */
function undoneBefore(
  { undone }: UndoPlan,
  events: readonly StoredEvent[],
  settled: readonly Pick<Revert, "facet" | "events">[],
): number {
  const now = new Set(settled.map(ownerOf));
  const before = new Set(
    events.filter(({ id }) => undone.has(id)).map(({ issue_uid = "" }) => issue_uid),
  );
  return [...before].filter((uid) => !now.has(uid)).length;
}
