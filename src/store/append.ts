import { type Instant, msToInstant } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import { invariant } from "../base/invariant.ts";
import { canonicalJson, type JsonObject } from "../base/json.ts";
import type { EventDraft, EventKind, Payload, StoredEvent } from "../contract/events.ts";
import { isLocal } from "../domain/federation/gate.ts";
import { compareClocks, type HybridClock, MAX_COUNTER } from "../domain/order.ts";
import type { Inserts } from "../domain/tables/tables.ts";
import { applyEvent, applyIndependent } from "./fold/apply-event.ts";
import { applyPage } from "./fold/apply-page.ts";
import { noteCommits } from "./fold/closing-commits.ts";
import type { FoldContext } from "./fold/context.ts";
import { isCronEvent, noteCronEvent } from "./fold/cron-events.ts";
import { noteImport, noteNewIssues } from "./fold/import-events.ts";
import { mentionedIn, noteMentions } from "./fold/mentions.ts";
import { load } from "./load/load.ts";
import { chainOf } from "./log/chain.ts";
import { contentHash } from "./log/content-hash.ts";
import type { ProjectClocks } from "./log/project-clocks.ts";
import { insertion } from "./rows/insertion.ts";
import { eventValues } from "./rows/rows.ts";
import type { LogHead } from "./types/events.ts";
import type { Copies } from "./writer/copies.ts";

export interface Appending extends FoldContext {
  head: LogHead;
  readonly instanceUid: string;
  readonly ids: Ids;
  readonly copies: Copies;
  readonly clocks: ProjectClocks;
  /** Whether an issue may have an external root. */
  hasRoots: boolean;
  /** True if rows were written without an event. Then a transaction without events commits too. */
  changedUnfolded: boolean;
}

export async function append<K extends EventKind>(
  to: Appending,
  draft: EventDraft<K>,
  nowMs: number,
): Promise<StoredEvent<K>> {
  await to.clocks.load(to.connection);
  const [event, row] = recordedEvent(to, draft, nowMs, msToInstant(nowMs));
  await eventInsertion.run(to.connection, [row]);
  await to.clocks.write(to.connection);
  await applyEvent(to, event as StoredEvent);
  await indexEvent(to, event as StoredEvent, existingIn(to, event as StoredEvent));
  return event;
}

/**
 * Appends events that create issues without links. The events are folded together, since no two of them change the same
 * row.
 */
export async function appendNewIssues(
  to: Appending,
  drafts: readonly EventDraft<"issue.created">[],
  nowMs: number,
): Promise<void> {
  const uids = new Set(drafts.map(({ payload }) => payload.uid));
  await load(to.connection, to.loaded, { issues: [...uids], waitingOf: [...uids] });
  // A link that waits for one of the issues changes rows of another issue too.
  if ([...uids].some((uid) => to.loaded.waitingLinksOf(uid).length > 0)) {
    await appendAll(to, drafts, nowMs);
    return;
  }
  const isApart = ({ payload }: EventDraft<"issue.created">): boolean =>
    payload.links === undefined && to.loaded.issue(payload.uid) === undefined;
  invariant(uids.size === drafts.length && drafts.every(isApart), "each is new, without links");
  const now = msToInstant(nowMs);
  await to.clocks.load(to.connection);
  const records = drafts.map((draft) => recordedEvent(to, draft, nowMs, now));
  await eventInsertion.run(
    to.connection,
    records.map(([, row]) => row),
  );
  await to.clocks.write(to.connection);
  const events = records.map(([event]) => event);
  await applyIndependent(to, events);
  await noteNewIssues(to.connection, events);
}

/**
 * Appends events like repeated calls of `append`, but folds them together (`apply-page.ts`). Each event gets the same
 * id, clock and hash as with `append`.
 */
export async function appendAll(
  to: Appending,
  drafts: readonly EventDraft[],
  nowMs: number,
): Promise<readonly StoredEvent[]> {
  const now = msToInstant(nowMs);
  await to.clocks.load(to.connection);
  const records = drafts.map((draft) => recordedEvent(to, draft, nowMs, now));
  await eventInsertion.run(
    to.connection,
    records.map(([, row]) => row),
  );
  await to.clocks.write(to.connection);
  const events = records.map(([event]) => event as StoredEvent);
  const existing: ReadonlySet<string>[] = [];
  await applyPage(to, events, (event) => existing.push(existingIn(to, event)));
  for (const [at, event] of events.entries())
    await indexEvent(to, event, existing[at] ?? new Set());
  return events;
}

/** Returns which issues of an event exist after the event is folded. */
export function existingIn({ loaded }: Appending, event: StoredEvent): ReadonlySet<string> {
  const named = [event.issue_uid ?? "", ...mentionedIn(event)];
  return new Set(named.filter((uid) => loaded.issue(uid) !== undefined));
}

/** Adds the event to the indexes of the log. */
export async function indexEvent(
  to: Appending,
  event: StoredEvent,
  existing: ReadonlySet<string>,
): Promise<void> {
  const { connection } = to;
  await noteMentions(to, event);
  await noteCommits(connection, event, existing);
  await noteImport(connection, event, existing);
  if (isCronEvent(event)) await noteCronEvent(connection, event);
}

function recordedEvent<K extends EventKind>(
  to: Appending,
  draft: EventDraft<K>,
  nowMs: number,
  now: Instant,
): readonly [StoredEvent<K>, Inserts["event"]] {
  const clock = isLocal(draft.type) ? undefined : to.clocks.of(draft.project_uid);
  const head = nextHead(
    { ...to.head, ...laterClock(clock ?? to.head, clockLeft(to, draft as EventDraft)) },
    nowMs,
  );
  const payload = canonicalJson(draft.payload as unknown as JsonObject);
  const event = {
    ...draft,
    uid: to.ids.ulid(),
    origin_instance_uid: to.instanceUid,
    hlc_physical_ms: head.hlc_physical_ms,
    hlc_counter: head.hlc_counter,
    created_at: now,
    id: head.last_event_id,
    content_hash: "",
    chain: "",
  };
  event.content_hash = contentHash(event, payload);
  event.chain = chainOf(head.chain, event.content_hash);
  if (clock === undefined) to.head = { ...head, chain: event.chain };
  else {
    to.head = { ...to.head, last_event_id: event.id, chain: event.chain };
    to.clocks.witness(draft.project_uid, head);
  }
  if (draft.type === "project.federation_enabled") to.loaded.order = undefined;
  return [event, eventValues(event as StoredEvent, payload)];
}

/**
 * Returns the clock that the event must not be behind: the clock of the project from which the event takes issues into
 * another project. Later events of these issues must come after their events in the project that they left. A merge
 * also takes aliases, whose events have the clock of the database. Undefined for all other kinds of events.
 */
function clockLeft(
  { clocks, head }: Appending,
  { type, payload }: EventDraft,
): HybridClock | undefined {
  if (type === "issue.moved")
    return clocks.of((payload as Payload<"issue.moved">).from_project_uid) ?? head;
  if (type === "project.merged")
    return laterClock(head, clocks.of((payload as Payload<"project.merged">).source_uid));
  return undefined;
}

function laterClock(clock: HybridClock, other: HybridClock | undefined): HybridClock {
  const { hlc_physical_ms, hlc_counter } =
    other === undefined || compareClocks(clock, other) >= 0 ? clock : other;
  return { hlc_physical_ms, hlc_counter };
}

/**
 * Returns the head with the next event id and the next value of the hybrid clock, which never goes back
 * (docs/contract/events.md#13-the-hybrid-clock). When the counter is full, the clock goes on to the next millisecond.
 */
export function nextHead(head: LogHead, nowMs: number): LogHead {
  const { last_event_id, hlc_physical_ms, hlc_counter } = head;
  const isFull = hlc_counter >= MAX_COUNTER;
  const physical = Math.max(nowMs, isFull ? hlc_physical_ms + 1 : hlc_physical_ms);
  return {
    ...head,
    last_event_id: last_event_id + 1,
    hlc_physical_ms: physical,
    hlc_counter: physical === hlc_physical_ms ? hlc_counter + 1 : 0,
  };
}

export const eventInsertion = insertion("event", { rank: 1 });
