import type { Instant } from "../base/clock.ts";
import type { EventKind, StoredEvent } from "../contract/events.ts";
import type { EventFilter } from "../domain/event-filter.ts";
import type { Selected } from "./schema.ts";

export interface Span {
  readonly since: Instant;
  readonly until: Instant;
  readonly project_uid?: string;
  readonly actor?: string;
}

export type TimeCursor = Pick<StoredEvent, "created_at" | "id">;

export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** The reading got so far: up to this id nothing else fits. */
  readonly upTo: number;
  /** Whether the log ends there. */
  readonly last: boolean;
}

export interface Events {
  /** Events after the cursor in id order; of one project when given. */
  after(afterId: number, limit: number, projectUid?: string): Promise<readonly StoredEvent[]>;
  /**
   * Events that fit the filter, after the cursor in id order, as far as one reading looks. `maxBytes` ends it sooner where
   * payloads are long, but not before the first.
   */
  matching(
    filter: EventFilter,
    afterId: number,
    limit: number,
    maxBytes?: number,
  ): Promise<EventPage>;
  /** Events about the issue, or about another that name it as theirs, after the cursor in id order. */
  ofIssue(issueUid: string, afterId: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Events of a span of time, ends included, in its order; `after` is the last one that was read. */
  during(span: Span, after: TimeCursor | undefined, limit: number): Promise<readonly StoredEvent[]>;
  /** Closes of a project, done and refused ones, after the cursor in id order. */
  closes(
    type: "issue.closed" | "close.throttled",
    projectUid: string,
    afterId: number,
    limit: number,
  ): Promise<readonly StoredEvent[]>;
  find(uid: string): Promise<StoredEvent | undefined>;
  /** The last event of the kind of each of the issues, in id order. */
  latestOf<K extends EventKind>(
    issueUids: readonly string[],
    type: K,
  ): Promise<readonly StoredEvent<K>[]>;
  lastId(): Promise<number>;
  /** Purges whose reset lies after the id, by project. */
  resetsAfter(
    id: number,
  ): Promise<readonly { readonly project_uid: string; readonly after_event_id: number }[]>;
  /** Cursors below this must start anew (facts http-api 5.3); 0 when nothing was ever purged. */
  resetAfter(projectUids?: readonly string[]): Promise<number>;
}

/** A place in the log. */
export type Moment = Pick<StoredEvent, "id" | "created_at">;

/** Events by what they are about, however old. */
export interface PastEvents {
  /** The whole streams of the issues up to an event, in id order: what is about them or names them as the other end. */
  ofIssues(uids: readonly string[], through: number): Promise<readonly StoredEvent[]>;
  /** Events of other issues whose payload names one of these as the other end of a link. */
  mentioning(uids: readonly string[], through: number): Promise<readonly StoredEvent[]>;
  /** What happened to the series since they began, in id order: changes, ends, issues that were made and skipped. */
  ofSeries(uids: readonly string[], through: number): Promise<readonly StoredEvent[]>;
  /** Lives, names and merges of all projects, names that were rewritten in them, and series as they began. */
  ofProjects(through: number): Promise<readonly StoredEvent[]>;
  /** The last event at that instant. */
  lastAt(at: Instant): Promise<Moment | undefined>;
  /** The event, or when it is none the last one before it. */
  lastUpTo(id: number): Promise<Moment | undefined>;
  /** What the actor did in the span, both ends included, the first `limit` of it, in id order. */
  by(actor: string, span: Span, limit: number): Promise<readonly StoredEvent[]>;
  /** When the actor's last change of the span was made, but for the `skipped` newest. */
  timeOf(actor: string, span: Span, skipped: number): Promise<Instant | undefined>;
  /** What the actor purged in the span, oldest first: the records, since a purge is no event. */
  purgesBy(actor: string, span: Span): Promise<readonly Purged[]>;
}

export interface Purged extends Pick<Selected<"purge_log">, "project_name" | "purged_at"> {
  /** Absent when it was the whole project. */
  readonly short_id: string | null;
}
