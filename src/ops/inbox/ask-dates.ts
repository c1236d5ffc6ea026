import type { Instant } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import type { EventDraft } from "../../contract/events.ts";
import { SYSTEM_ACTOR } from "../../contract/reserved-actors.ts";
import {
  askedBefore,
  automaticRequest,
  type DateReview,
  reviewDates,
} from "../../domain/inbox/planned.ts";
import { decideMetadata } from "../../domain/issues.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";
import { seriesOf } from "../recurrences/find.ts";
import { requireSmallWork } from "../small-work.ts";
import { TermOver } from "../term.ts";

interface AskDeps extends Pick<Deps, "store" | "clock" | "settings"> {
  /** Sends the requests of several issues in one write. If it is absent, each issue has a write of its own. */
  readonly askTogether?: (uids: readonly string[]) => Promise<unknown>;
}

export interface AskedDates {
  /** The number of issues whose requests changed. */
  readonly changed: number;
  readonly next: ReadonlyMap<string, Instant>;
  readonly faults: ReadonlyMap<string, unknown>;
}

/**
 * Sends a request to the owner of each issue, or to its author if it has no owner, once for each date that is reached
 * (docs/contract/cron-and-inbox.md#106-dates-that-are-reached), and removes requests that are out of date. Leaves out
 * copies of projects of other daemons: their hubs send these requests. The daemon may stop at any point, because the
 * requests of an issue are written in one transaction, and only the log records which requests were sent.
 */
export async function askAboutDates(deps: AskDeps, uids: readonly string[]): Promise<AskedDates> {
  const { store, clock, settings } = deps;
  const next = new Map<string, Instant>();
  const due = await store.read(async (reader) => {
    const found: string[] = [];
    const issues = await reader.issues.many(uids);
    const copies = await reader.federation.copies();
    for (const issue of issues.values()) {
      if (!isOpen(issue) || copies.has(issue.project_uid)) continue;
      const review = await reviewOf(reader, issue, clock.now(), settings.timezone);
      if (review.next !== undefined) next.set(issue.uid, review.next);
      if ((await patchOf(reader, issue, review)) !== undefined) found.push(issue.uid);
    }
    return found;
  });
  if (await trySendTogether(deps, due)) return { changed: due.length, next, faults: new Map() };
  const done = await Promise.allSettled(due.map(async (uid) => await writeRequest(deps, uid)));
  const over = done.find((one) => one.status === "rejected" && one.reason instanceof TermOver);
  if (over?.status === "rejected") throw over.reason;
  const faults = done.flatMap((one, at): readonly (readonly [string, unknown])[] =>
    one.status === "rejected" ? [[due[at] ?? "", one.reason]] : [],
  );
  return { changed: due.length - faults.length, next, faults: new Map(faults) };
}

/** If fewer issues than this are due, each has a write of its own. */
const SEVERAL = 4;

/**
 * Sends the requests of all these issues in one write. Returns false if each issue needs a write of its own: because
 * `askTogether` is absent or failed, or because there are fewer issues than `SEVERAL`.
 */
async function trySendTogether(
  { askTogether }: AskDeps,
  uids: readonly string[],
): Promise<boolean> {
  if (askTogether === undefined || uids.length < SEVERAL) return false;
  try {
    await askTogether(uids);
    return true;
  } catch (error) {
    if (error instanceof TermOver) throw error;
    return false;
  }
}

/** Sends the requests about dates of these issues in one write: either all of them or none. */
export async function askDates(
  { store, settings, smallWorkOnly }: Pick<Deps, "store" | "settings" | "smallWorkOnly">,
  uids: readonly string[],
): Promise<void> {
  requireSmallWork(smallWorkOnly, uids.length);
  await store.write(async (tx) => {
    const drafts: EventDraft[] = [];
    for (const uid of uids) drafts.push(...(await requestOf(tx, uid, settings.timezone)));
    await tx.appendAll(drafts);
  });
}

async function writeRequest({ store, settings }: AskDeps, uid: string): Promise<void> {
  await store.write(async (tx) => await tx.appendAll(await requestOf(tx, uid, settings.timezone)));
}

/**
 * Returns the event that sends a request about a date of the issue and removes requests that are out of date, if there
 * is something to change. Reads the issue inside the write, since it may have changed.
 */
async function requestOf(tx: Tx, uid: string, timezone: string): Promise<readonly EventDraft[]> {
  const issue = await tx.issues.find(uid);
  if (issue === undefined || !isOpen(issue)) return [];
  const review = await reviewOf(tx, issue, tx.now, timezone);
  const patch = await patchOf(tx, issue, review);
  if (patch === undefined) return [];
  const event = decideMetadata(issue, patch, { actor: SYSTEM_ACTOR, now: tx.now });
  return event === "unchanged" ? [] : [event];
}

function isOpen({ status, deleted_at, project_deleted_at }: StoredIssue): boolean {
  return status === "open" && deleted_at === null && project_deleted_at === null;
}

async function reviewOf(
  reader: Reader,
  issue: StoredIssue,
  now: Instant,
  zone: string,
): Promise<DateReview> {
  const series = await seriesOf(reader, issue);
  return reviewDates(issue, { daemon: zone, recurrence: series?.timezone }, now);
}

async function patchOf(
  reader: Reader,
  { uid }: StoredIssue,
  { stale, slot, messages }: DateReview,
): Promise<JsonObject | undefined> {
  const patch: Record<string, JsonObject | null> = {};
  for (const key of stale) patch[key] = null;
  if (slot !== undefined && messages.length > 0) {
    const earlier = askedBefore(await reader.inbox.naming(uid, slot), slot);
    const message = messages.find((due) => !earlier.has(due));
    if (message !== undefined) patch[slot] = automaticRequest(message);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
