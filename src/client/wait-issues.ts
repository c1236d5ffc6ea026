import { type Clock, instantToMs, stopwatch, systemClock } from "../base/clock.ts";
import { SvcError } from "../contract/errors.ts";
import { showIssueByUID } from "../contract/issues.ts";
import { type WhyReason, whyIssue } from "../contract/search.ts";
import { ForeignError } from "../shared/answer-errors.ts";
import type { CheckedIssue } from "../shared/conditions.ts";
import type { AbandonedIssue, MetIssue, WaitedFor } from "../shared/wait.ts";
import { call } from "./call.ts";
import type { Client } from "./client.ts";
import { type ConditionCheck, isTransient, type WaitNews, waitUntil } from "./wait.ts";

type ShownIssue = CheckedIssue["shown"];

export interface WaitIssuesOptions {
  readonly uids: readonly string[];
  /** Returns why the condition is met, or `undefined` if it is not. `before` is the state at the first check. */
  met(now: CheckedIssue, before: CheckedIssue): string | undefined;
  /** Whether the condition depends on whether the issues are ready. Finding that out takes further requests. */
  readonly ready: boolean;
  /** `true` ends the wait when one issue has met the condition, `false` when all have. */
  readonly any: boolean;
  readonly signal: AbortSignal;
  readonly pollMs: number;
  readonly onMet?: (result: MetIssue) => void;
  readonly onRetry?: (delayMs: number) => void;
  readonly clock?: Clock;
}

/**
 * After this many failed checks in a row, an issue is abandoned
 * (docs/contract/command-line.md#23-inbox-waiting-activity).
 */
const MAX_FAILURES = 3;
/** The maximum number of issues in a stream filter (contract/activity.ts). With more issues, all events are read. */
const MAX_WATCHED = 100;

/**
 * Waits until issues meet a condition. Issues are identified by uid, so that they are still found if they are moved or
 * their project is merged into another.
 */
export async function waitForIssues(
  client: Client,
  options: WaitIssuesOptions,
): Promise<WaitedFor> {
  const { signal, any, pollMs, onRetry, clock = systemClock } = options;
  const elapsedMs = stopwatch();
  const pending = new Map(options.uids.map((uid) => [uid, newWaiting(uid)]));
  const met: MetIssue[] = [];
  const abandoned: AbandonedIssue[] = [];
  const isSatisfied = (): boolean =>
    any ? met.length > 0 : pending.size === 0 && abandoned.length === 0;
  const isHopeless = (): boolean => (any ? pending.size === 0 : abandoned.length > 0);

  async function check(news: WaitNews): Promise<ConditionCheck<true>> {
    // Only the first check may start a daemon, because a daemon that was stopped on purpose later must not start again.
    const start = [...pending.values()].every(({ before }) => before === undefined);
    for (const waiting of [...pending.values()]) {
      if (!isTouched(waiting, news)) continue;
      const step = await checkIssue(client, waiting, options, start);
      if ("waiting" in step) pending.set(waiting.uid, step.waiting);
      else pending.delete(waiting.uid);
      if ("abandoned" in step) abandoned.push(step.abandoned);
      if ("met" in step) {
        const result = { ...step.met, waitedMs: elapsedMs() };
        met.push(result);
        options.onMet?.(result);
      }
    }
    if (isSatisfied() || isHopeless()) return { done: true, filter: {} };
    return {
      filter: filterOf(pending.values()),
      againInMs: nextCheckInMs(pending.values(), clock),
    };
  }

  const more = { ...(onRetry === undefined ? {} : { onRetry }), clock };
  await waitUntil(client, { check, signal, pollMs, ...more });
  return { met, abandoned, pending: [...pending.keys()], satisfied: isSatisfied() };
}

interface WaitingIssue {
  readonly uid: string;
  readonly before: CheckedIssue | undefined;
  /**
   * The uids of the issue and of the issues that hold it back. An event about any of them can change whether the issue
   * is ready.
   */
  readonly watched: readonly string[];
  /** The instant from which the issue's scheduled date no longer holds the issue back; `undefined` if no date does. */
  readonly until: string | undefined;
  readonly failures: number;
  readonly retryInMs: number | undefined;
}

function newWaiting(uid: string): WaitingIssue {
  return {
    uid,
    before: undefined,
    watched: [uid],
    until: undefined,
    failures: 0,
    retryInMs: undefined,
  };
}

function isTouched({ watched, until, retryInMs }: WaitingIssue, news: WaitNews): boolean {
  if (news === "all" || until !== undefined || retryInMs !== undefined) return true;
  return watched.some((uid) => news.has(uid));
}

type WaitStep =
  | { readonly waiting: WaitingIssue }
  | { readonly met: Omit<MetIssue, "waitedMs"> }
  | { readonly abandoned: AbandonedIssue };

async function checkIssue(
  client: Client,
  waiting: WaitingIssue,
  options: WaitIssuesOptions,
  start: boolean,
): Promise<WaitStep> {
  const { uid } = waiting;
  try {
    const params = { uid };
    const query = { include_deleted: true };
    const shown = await call(client, showIssueByUID, { params, query }, { start });
    const way = options.ready ? await inTheWay(client, shown, start) : NOTHING;
    // The issue has been moved since it was read. The next check finds it in its new project.
    if (way === undefined) return { waiting: { ...waiting, retryInMs: SOON_MS } };
    const now = { shown, ready: way.ready };
    const before = waiting.before ?? now;
    const reason = options.met(now, before);
    if (reason !== undefined) return { met: { uid, shown, reason } };
    if (shown.issue.deleted_at !== undefined)
      return { abandoned: { uid, reason: "deleted", error: "the issue was deleted" } };
    const watched = [uid, ...way.uids];
    return { waiting: { ...newWaiting(uid), before, watched, until: way.until } };
  } catch (error) {
    return afterFailure(waiting, error, options.pollMs);
  }
}

function afterFailure(waiting: WaitingIssue, error: unknown, pollMs: number): WaitStep {
  const { uid, before, failures } = waiting;
  // If the first check fails, the error is thrown: the issue does not exist, or no daemon runs.
  if (before === undefined) throw error;
  if (isTransient(error)) return { waiting: { ...waiting, retryInMs: pollMs } };
  if (!(error instanceof SvcError || error instanceof ForeignError)) throw error;
  const { code, status, message } = error;
  if (code === "issue_not_found") {
    const what = "the issue is gone: purged, or its project is archived";
    return { abandoned: { uid, reason: "gone", error: what } };
  }
  if (status < 500) throw error;
  if (failures + 1 >= MAX_FAILURES) return { abandoned: { uid, reason: "error", error: message } };
  return { waiting: { ...waiting, failures: failures + 1, retryInMs: pollMs } };
}

interface IssueQuery {
  readonly ready: boolean;
  readonly uids: readonly string[];
  readonly until: string | undefined;
}

const NOTHING: IssueQuery = { ready: false, uids: [], until: undefined };

/**
 * Returns whether the issue is ready and, if not, which issues and which instant can make it ready. Returns `undefined`
 * if the issue has moved.
 */
async function inTheWay(
  client: Client,
  { issue }: ShownIssue,
  start: boolean,
): Promise<IssueQuery | undefined> {
  if (issue.status === "closed" || issue.deleted_at !== undefined) return NOTHING;
  const params = { project_id: issue.project_id, ref: issue.uid };
  try {
    const { ready, reasons } = await call(client, whyIssue, { params }, { start });
    const until = reasons.find(({ reason }) => reason === "scheduled")?.until;
    return { ready, uids: uidsIn(reasons), until };
  } catch (error) {
    const moved = ["issue_not_found", "project_not_found"];
    if (error instanceof SvcError && moved.includes(error.code)) return undefined;
    throw error;
  }
}

/** Returns the uids of all issues named in the reasons, nested ones included. */
function uidsIn(reasons: readonly WhyReason[]): readonly string[] {
  return reasons.flatMap(({ blockers = [], children = [], parent }) => {
    const causes = parent === undefined ? blockers : [...blockers, parent];
    return [
      ...causes.flatMap(({ issue, because }) => [issue.uid, ...uidsIn(because)]),
      ...children.map(({ uid }) => uid),
    ];
  });
}

function filterOf(waiting: Iterable<WaitingIssue>) {
  const watched = [...new Set([...waiting].flatMap((one) => one.watched))].sort();
  return watched.length > MAX_WATCHED ? {} : { issue: watched };
}

function nextCheckInMs(waiting: Iterable<WaitingIssue>, clock: Clock): number | undefined {
  const times = [...waiting].flatMap(({ until, retryInMs }) => [
    ...(until === undefined ? [] : [instantToMs(until) - clock.nowMs()]),
    ...(retryInMs === undefined ? [] : [retryInMs]),
  ]);
  // The wait is never shorter than a moment, because the daemon's clock may be slightly behind.
  return times.length === 0 ? undefined : Math.max(SOON_MS, Math.min(...times));
}

const SOON_MS = 50;
