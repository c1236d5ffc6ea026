import { NeedsWorker } from "../../base/budget.ts";
import { compareTake } from "../../contract/take-order.ts";
import type { MemoryState } from "../../domain/memory.ts";
import { derivedOf, isLive, isReady } from "../../domain/readiness.ts";
import type { IssueRow } from "../../domain/state.ts";
import type { IssueFilter, ListOrder } from "../../store/types/issues.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadDeps } from "../deps.ts";
import { mapped, type ReadyList } from "../issue-rows.ts";
import type { IssueReader } from "../out/show.ts";
import { archivedProjects } from "../projects/find.ts";
import { StreamedRows } from "../streamed-rows.ts";
import { PastFolds } from "./folds.ts";
import { momentOf, type PastMoment } from "./moment.ts";
import type { Past } from "./past.ts";
import { pastView } from "./view.ts";

/** If more events than this must be folded, a worker handles the request. */
const SMALL_WORK = 1000;

/**
 * Lists the issues as they were at a moment. Purged issues are missing, since the log no longer contains them; a list
 * of all projects leaves out the issues of projects that are archived now.
 */
export async function listPast<T>(
  { store, clock, settings, smallWorkOnly, streams, past }: ReadDeps,
  at: string,
  listOf: (reader: Reader) => Promise<PastList>,
  out: (view: IssueReader, issues: readonly StoredIssue[]) => Promise<readonly T[]>,
): Promise<{
  readonly issues: T[] | StreamedRows<T>;
  readonly as_of: PastMoment;
  readonly more: boolean;
}> {
  const [list, as_of] = await store.read(
    async (reader) => [await inView(reader, listOf), await momentOf(reader, at, clock)] as const,
  );
  if (smallWorkOnly === true && as_of.event_id > SMALL_WORK) throw new NeedsWorker();
  const known = await (past ?? new PastFolds()).through(store, as_of.event_id);
  const found: IssueRow[] = [];
  const order = orderOf(known, list);
  for (const row of known.state.rows("issue")) {
    if (!isListed(known.state, row, list, as_of, settings.timezone)) continue;
    found.push(row);
  }
  const more = found.sort(order).splice(list.filter.limit ?? found.length).length > 0;
  const uids = found.map(({ uid }) => uid);
  const rowsOf = async (reader: Reader, some: readonly string[]): Promise<readonly T[]> => {
    const view = await pastView(reader, known, some, settings.timezone);
    const rows = await view.issues.many(some);
    return await out(
      view,
      some.flatMap((uid) => rows.get(uid) ?? []),
    );
  };
  return await store.read(async (reader) => {
    if (streams !== true) return { issues: [...(await rowsOf(reader, uids))], as_of, more };
    return {
      issues: new StreamedRows(mapped(slicesOf(uids), async (some) => rowsOf(reader, some))),
      as_of,
      more,
    };
  });
}

const SLICE = 200;

async function* slicesOf(uids: readonly string[]): AsyncGenerator<readonly string[], void, void> {
  for (let at = 0; at < uids.length; at += SLICE) yield uids.slice(at, at + SLICE);
}

type RowOrder = (left: IssueRow, right: IssueRow) => number;

/**
 * Orders as current lists do: as issues are taken, or newest first. A row of the past has no id, so its place in the
 * order of creation is used instead.
 */
function orderOf({ places }: Past, { order, ready }: PastList): RowOrder {
  const idOf = ({ uid }: IssueRow): number => places.get(uid) ?? 0;
  if (ready?.order === "take")
    return (left, right) => compareTake({ ...left, id: idOf(left) }, { ...right, id: idOf(right) });
  const key = order === "recent" ? "updated_at" : "created_at";
  return (left, right) => {
    if (left[key] === right[key]) return idOf(right) - idOf(left);
    return left[key] < right[key] ? 1 : -1;
  };
}

function isListed(
  state: MemoryState,
  row: IssueRow,
  { filter, ready, hidden }: ListInView,
  { at }: PastMoment,
  zone: string,
): boolean {
  const { project_uid, status, owner, unowned, priority, max_priority } = filter;
  if (row.deleted_at !== null || hidden.has(row.project_uid)) return false;
  if (project_uid === undefined ? !isLive(state, row) : row.project_uid !== project_uid)
    return false;
  if (filter.uids?.includes(row.uid) === false) return false;
  if (status !== undefined && row.status !== status) return false;
  if (owner !== undefined && row.owner !== owner) return false;
  if (unowned === true && row.owner !== null) return false;
  if (priority !== undefined && row.priority !== priority) return false;
  if (max_priority !== undefined && (row.priority === null || row.priority > max_priority))
    return false;
  const { parent_uid, author, changed_since, blocked } = filter;
  if (parent_uid !== undefined && state.link(row.uid, parent_uid, "parent") === undefined)
    return false;
  if (author !== undefined && row.author !== author) return false;
  if (changed_since !== undefined && row.updated_at < changed_since) return false;
  if (blocked !== undefined && derivedOf(state, row, zone).open_blockers > 0 !== blocked)
    return false;
  const { labels = [], exclude_labels = [], meta = [] } = filter;
  const has = (label: string): boolean => state.label(row.uid, label) !== undefined;
  if (!labels.every(has) || exclude_labels.some(has)) return false;
  if (!meta.every(({ key, value }) => hasMeta(row, key, value))) return false;
  if (ready === undefined) return true;
  return row.status === "open" && isReady(derivedOf(state, row, zone), at, ready.containers);
}

function hasMeta({ metadata }: IssueRow, key: string, value: string | undefined): boolean {
  if (!Object.hasOwn(metadata, key)) return false;
  return value === undefined || metadata[key] === value;
}

interface PastList {
  readonly filter: IssueFilter;
  readonly order: ListOrder;
  readonly ready?: ReadyList;
}

interface ListInView extends PastList {
  readonly hidden: ReadonlySet<string>;
}

async function inView(
  reader: Reader,
  listOf: (reader: Reader) => Promise<PastList>,
): Promise<ListInView> {
  const list = await listOf(reader);
  const isGlobal = list.filter.project_uid === undefined;
  return { ...list, hidden: isGlobal ? await archivedProjects(reader) : new Set() };
}
