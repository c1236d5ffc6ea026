import type { Instant } from "../../base/clock.ts";
import type { EventKind, StoredEvent } from "../../contract/events.ts";
import type { DigestEvent } from "../../domain/digest.ts";
import type { EventFilter } from "../../domain/event-filter.ts";
import type { FoldOrder } from "../../domain/order.ts";
import type { Selected } from "../schema.ts";

export interface Span {
  readonly since: Instant;
  readonly until: Instant;
  readonly project_uid?: string;
  readonly actor?: string;
}

export type TimeCursor = Pick<StoredEvent, "created_at" | "id">;

/** The parts of an event that a digest reads. `feed_uid` is the project whose feed shows the event. */
export type Activity = DigestEvent &
  TimeCursor & {
    readonly actor: string;
    readonly feed_uid: string;
    readonly issue_uid: string | null;
  };

export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** The page contains every match up to this id. */
  readonly upTo: number;
  /** Whether `upTo` is the end of the log. */
  readonly last: boolean;
  /**
   * The cursor of a reader that has read the page. With a filter by issue, kind or actor it is `upTo`. Otherwise it is
   * the id of the last event of the page or, if only snapshots follow that event, of the last snapshot.
   */
  readonly next: number;
}

/** The end of the log. */
export interface LogHead {
  /** The id of the last event, or a later id that a purge has reserved. */
  readonly last_event_id: number;
  readonly hlc_physical_ms: number;
  readonly hlc_counter: number;
  /** The chain of the last event. It stays even if that event was deleted. */
  readonly chain: string;
  /** Changes when the log does not continue what readers may have read (`store/log/epoch.ts`). */
  readonly epoch: string;
}

/** What is known about the log at a cursor. */
export interface LogPlace {
  readonly last_event_id: number;
  readonly epoch: string;
  /** The chain of the event with the id of the cursor; null if there is no such event. */
  readonly chain: string | null;
}

export interface Events {
  /**
   * Events after the cursor, sorted by id, including snapshots: the events of one project or, without `projectUid`, of
   * all projects.
   */
  after(afterId: number, limit: number, projectUid?: string): Promise<readonly StoredEvent[]>;
  /**
   * Events after the cursor that match the filter, sorted by id, without snapshots. One call searches a bounded part of
   * the log. With `maxBytes` the page ends before its payloads exceed that size, but it has at least one event if any
   * matches.
   */
  matching(
    filter: EventFilter,
    afterId: number,
    limit: number,
    maxBytes?: number,
  ): Promise<EventPage>;
  /** The events with these ids, in the order of the list. Ids without an event are left out. */
  withIds(ids: readonly number[]): Promise<readonly StoredEvent[]>;
  /**
   * Events after the cursor about the issue, and events of other issues that name it as the other end of a link, sorted
   * by id, without snapshots.
   */
  ofIssue(issueUid: string, afterId: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Like `ofIssue`, but the last events, newest first. */
  lastOfIssue(issueUid: string, limit: number): Promise<readonly StoredEvent[]>;
  /**
   * The first or the last events of `ofIssue` of kinds that set a value (`domain/federation/settings.ts`), sorted by
   * id.
   */
  settingsOf(
    issueUid: string,
    which: "first" | "last",
    limit: number,
  ): Promise<readonly StoredEvent[]>;
  /** Events in the span (both ends included), sorted by time. `after` is the last event that was already read. */
  during(span: Span, after: TimeCursor | undefined, limit: number): Promise<readonly Activity[]>;
  /** Successful or refused closes of a project after the cursor, sorted by id. */
  closes(
    type: "issue.closed" | "close.throttled",
    projectUid: string,
    afterId: number,
    limit: number,
  ): Promise<readonly StoredEvent[]>;
  find(uid: string): Promise<StoredEvent | undefined>;
  /** For each of the issues, the last event of this kind in the order of the fold; the list is in this order too. */
  latestOf<K extends EventKind>(
    issueUids: readonly string[],
    type: K,
  ): Promise<readonly StoredEvent<K>[]>;
  /**
   * The end of the log. The hybrid clock values distinguish this log from the log of a restored copy with the same last
   * id.
   */
  head(): Promise<LogHead>;
  /** Looks up a cursor, to decide whether a reader may continue from it. */
  place(id: number): Promise<LogPlace>;
  /** The id of the last committed event. Events of the current transaction do not count. */
  lastId(): Promise<number>;
  /**
   * The projects with a purge after the cursor `id`, each with the event id from which its readers must start again.
   */
  resetsAfter(
    id: number,
  ): Promise<readonly { readonly project_uid: string; readonly after_event_id: number }[]>;
  /**
   * Readers with a cursor below this id must start again (docs/contract/http-api.md#53-purge-and-reset); 0 when nothing
   * was ever purged.
   */
  resetAfter(projectUids?: readonly string[]): Promise<number>;
}

export type Moment = Pick<StoredEvent, "id" | "created_at">;

/**
 * A value for `through` that means all events, including those that the current transaction has appended. `lastId` does
 * not count such events.
 */
export const ALL_EVENTS = Number.MAX_SAFE_INTEGER;

export interface PastEvents {
  /** All events up to `through` that are about the issues or name them as the other end of a link, sorted by id. */
  ofIssues(uids: readonly string[], through: number): Promise<readonly StoredEvent[]>;
  /** Events of other issues whose payload names one of these issues as the other end of a link. */
  mentioning(uids: readonly string[], through: number): Promise<readonly StoredEvent[]>;
  /** The events up to `through` that created these issues or moved them to other projects, and their snapshots. */
  creating(uids: readonly string[], through: number): Promise<readonly StoredEvent[]>;
  /** All events of the series, sorted by id: changes, ends, created issues and skipped occurrences. */
  ofSeries(uids: readonly string[], through: number): Promise<readonly StoredEvent[]>;
  /**
   * Events that change projects (created, renamed, archived, merged), rewrite an actor's name in them, or create a
   * series.
   */
  ofProjects(through: number): Promise<readonly StoredEvent[]>;
  /** The order in which the events up to `through` are folded. */
  order(through: number): Promise<FoldOrder>;
  /** The last event at or before the instant. */
  lastAt(at: Instant): Promise<Moment | undefined>;
  /** The event with this id, or else the last one before it. */
  lastUpTo(id: number): Promise<Moment | undefined>;
  /**
   * The earliest `limit` events in the span (both ends included) that the actor wrote, sorted by id. On a copy, `actor`
   * is the local writer and not the actor in whose name the hub gets the events (`writerOf`).
   */
  by(actor: string, span: Span, limit: number): Promise<readonly StoredEvent[]>;
  /** The time of the last change in the span that the actor wrote, not counting the `skipped` newest changes. */
  timeOf(actor: string, span: Span, skipped: number): Promise<Instant | undefined>;
  /** The actor's purge records in the span, oldest first; a purge writes no event. */
  purgesBy(actor: string, span: Span): Promise<readonly PurgedName[]>;
  /** The purge record of a single issue. An issue that was purged with its whole project has no record. */
  purgeOf(issueUid: string): Promise<PurgedIssue | undefined>;
}

export interface Folds {
  /** The events up to `through` from which the rows of these issues fold, in the order of the fold. */
  eventsFor(uids: readonly string[], through: number): Promise<readonly StoredEvent[]>;
}

export type PurgedIssue = Pick<
  Selected<"purge_log">,
  "project_name" | "short_id" | "purged_at" | "actor"
>;

export interface PurgedName extends Pick<Selected<"purge_log">, "project_name" | "purged_at"> {
  /** Null when the whole project was purged. */
  readonly short_id: string | null;
}
