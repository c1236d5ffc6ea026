import type { Instant } from "../../base/clock.ts";
import type { SlotWrite } from "../../domain/inbox/request.ts";
import type { IssueRow, LeaseRow } from "../../domain/state.ts";
import type { Selected } from "../schema.ts";
import type { WithId } from "./rows.ts";

export interface Leases {
  /** The latest lease of the issue, expired and released ones included. */
  of(issueUid: string): Promise<WithId<LeaseRow> | undefined>;
  /** The leases of these issues that were not released, by issue uid. Expired leases are included. */
  unreleased(issueUids: readonly string[]): Promise<ReadonlyMap<string, WithId<LeaseRow>>>;
  /**
   * Leases that expired by `now` and are not released yet, earliest expiry first. Here and below, leases of copies that
   * cannot be changed on this daemon are left out.
   */
  expired(now: Instant, limit: number): Promise<readonly WithId<LeaseRow>[]>;
  /** Live timed leases that began or were renewed after `now`. This happens when the clock was set back. */
  ahead(now: Instant, limit: number): Promise<readonly WithId<LeaseRow>[]>;
  /** When the next timed lease expires. */
  nextExpiry(): Promise<Instant | undefined>;
}

export interface HeldIssue {
  readonly uid: string;
  readonly short_id: string;
  readonly title: string;
  readonly status: IssueRow["status"];
  readonly owner: string | null;
  readonly project_id: number;
  readonly project_name: string;
}

/** Reads who works on which issues. Without `projectUid`, reads all projects. */
export interface Holders {
  /** Issues with an unreleased lease, oldest lease first. */
  leased(projectUid: string | undefined, limit: number): Promise<readonly (HeldIssue & LeaseRow)[]>;
  /** All owners of open issues in active projects. */
  owners(projectUid: string | undefined): Promise<readonly string[]>;
  /** The first `limit` open issues of these owners, in the order of `owners` and then of issue ids. */
  owned(
    owners: readonly string[],
    projectUid: string | undefined,
    limit: number,
  ): Promise<readonly HeldIssue[]>;
  /** The latest event of each actor. */
  lastEvents(
    actors: readonly string[],
  ): Promise<
    readonly Pick<Selected<"event">, "id" | "actor" | "type" | "created_at" | "issue_uid">[]
  >;
  /** Whether an event after this one set or cleared the issue's owner. */
  hasNewOwner(issueUid: string, afterEventId: number): Promise<boolean>;
  /** When each of these issues got its current owner. Each must have an owner. */
  ownedSince(
    issueUids: readonly string[],
  ): Promise<readonly { readonly issue_uid: string | null; readonly since: Instant }[]>;
}

/** An issue with a metadata key, and the text stored under it. */
export interface InboxPlace {
  readonly issue_uid: string;
  readonly value: string;
  /** Whether the issue is open, live and in an active project. */
  readonly open: boolean;
}

/** The question whether an actor wrote a text about an issue before the event with the id `before`. */
export interface SaidBefore {
  readonly issue_uid: string;
  readonly actor: string;
  readonly text: string;
  readonly before: number;
}

/** The queries by which the inbox finds attention requests in the metadata of issues. */
export interface Inbox {
  /** For each issue, its latest event whose payload names the metadata key. */
  lastNaming(issueUids: readonly string[], key: string): Promise<readonly SlotWrite[]>;
  /** Every event of the issue whose payload names the metadata key, latest first. */
  naming(issueUid: string, key: string): Promise<readonly SlotWrite[]>;
  /**
   * For each element of `lookups`, the latest event by the actor about the issue, with an id below `before` and with
   * the text in its payload.
   */
  lastBy(lookups: readonly SaidBefore[]): Promise<readonly SlotWrite[]>;
  /** Issues whose text under the metadata key is at most `until`, sorted by text and then by uid. */
  dated(
    key: string,
    until: string,
    after: Pick<InboxPlace, "issue_uid" | "value">,
    limit: number,
  ): Promise<readonly InboxPlace[]>;
  /** The first metadata key with this prefix that comes after `after`. */
  nextKey(prefix: string, after?: string): Promise<string | undefined>;
  /** Issues with an object under the metadata key, sorted by uid. */
  holding(key: string, afterUid: string, limit: number): Promise<readonly InboxPlace[]>;
  /** The issue of each event after the id; `null` for an event that is about no single issue. */
  touchedAfter(
    id: number,
    limit: number,
  ): Promise<readonly { readonly id: number; readonly issue_uid: string | null }[]>;
}
