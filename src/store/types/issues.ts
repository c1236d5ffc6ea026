import type { Instant } from "../../base/clock.ts";
import type { CommentRow, LabelRow, LinkEnds, LinkRow, LinkType } from "../../domain/state.ts";
import type { StoredIssue, WithId } from "./rows.ts";

/** Filters of issue lists (docs/contract/http-api.md#33-lists-create-show-edit). An absent field does not filter. */
export interface IssueFilter {
  readonly project_uid?: string;
  readonly status?: "open" | "closed";
  /** `null` selects issues without a priority. */
  readonly priority?: number | null;
  readonly max_priority?: number;
  readonly owner?: string;
  readonly unowned?: boolean;
  /** The issue must have all of these labels. */
  readonly labels?: readonly string[];
  readonly exclude_labels?: readonly string[];
  readonly parent_uid?: string;
  readonly author?: string;
  /** `true` selects issues that an open issue blocks, and `false` selects the other issues. */
  readonly blocked?: boolean;
  /** The issue was last changed at this instant or later. */
  readonly changed_since?: Instant;
  /** The issue must have all of these metadata keys. If `value` is given, the key's value must be this string. */
  readonly meta?: readonly { readonly key: string; readonly value?: string }[];
  readonly uids?: readonly string[];
  /**
   * Only issues that this actor may take: without an owner or owned by the actor, and without a live lease at `now`.
   */
  readonly takeable?: { readonly by: string; readonly now: Instant };
  /** Only issues after this position in the list's order. Ready lists use the order `recent`. */
  readonly after?: ListPlace;
  readonly limit?: number;
}

/** Further filters for browser pages. Lists of past states do not have them. */
export interface PageFilter extends IssueFilter {
  readonly owners?: readonly string[];
  readonly any_labels?: readonly string[];
  /** The issue must have at least one of these relations to a live issue. */
  readonly related?: readonly Relationship[];
  /**
   * The title, the body or the short id must contain the text. With `names`, the title or the qualified id must contain
   * it.
   */
  readonly contains?: TextPart;
  /** At least one of these metadata keys must have a text that is `from` or greater, and less than `before`. */
  readonly dated?: {
    readonly keys: readonly string[];
    readonly from?: string;
    readonly before?: string;
  };
  /**
   * Selects all closed issues, and the open issues that are ready at this instant. An issue with open children counts
   * as ready here.
   */
  readonly ready_if_open?: Instant;
}

/** `parent`: the issue has a parent, `child`: it has a child, and so on. */
export type Relationship = "parent" | "child" | "blocks" | "blocked_by" | "related";

/** A text to look for, in lower case. ASCII letters match in upper and lower case, other letters only as they are. */
export interface TextPart {
  readonly text: string;
  readonly names?: true;
}

/** `recent`: last changed first. `created`: last created first. */
export type ListOrder = "recent" | "created";

/** The sort key of a list entry, after which the next page continues. */
export interface ListPlace {
  /** `updated_at` or `created_at`, depending on the list's order. */
  readonly at: Instant;
  readonly id: number;
  /** Only in the order in which issues are taken: the rank of the priority (`takeRank`). */
  readonly rank?: number;
}

export type IssueName = Pick<StoredIssue, "uid" | "short_id" | "project_id" | "project_name">;

export type IssuePeer = Pick<
  StoredIssue,
  "id" | "uid" | "short_id" | "status" | "project_name" | "deleted_at" | "project_deleted_at"
>;

/** The fields of a blocking or parent issue that explain why another one is not ready. */
export type IssueOutline = Pick<
  StoredIssue,
  | "uid"
  | "project_uid"
  | "short_id"
  | "title"
  | "status"
  | "owner"
  | "metadata"
  | "deleted_at"
  | "recurrence_uid"
  | "project_name"
  | "project_deleted_at"
>;

export interface Issues {
  find(uid: string): Promise<StoredIssue | undefined>;
  findByShortId(projectUid: string, shortId: string): Promise<StoredIssue | undefined>;
  /**
   * The issues of this daemon that had the short id in a copy of a hub's project, until an issue of the hub got it.
   */
  lostShortId(projectUid: string, shortId: string): Promise<readonly StoredIssue[]>;
  /** Up to `limit` issues whose uid starts with the prefix (upper case). */
  byUidPrefix(prefix: string, limit: number): Promise<readonly StoredIssue[]>;
  many(uids: readonly string[]): Promise<ReadonlyMap<string, StoredIssue>>;
  names(uids: readonly string[]): Promise<ReadonlyMap<string, IssueName>>;
  outlines(uids: readonly string[]): Promise<ReadonlyMap<string, IssueOutline>>;
  /** The fields that a link shows of the issue at its other end, even if that issue is deleted. */
  peers(uids: readonly string[]): Promise<ReadonlyMap<string, IssuePeer>>;
  /** `recent` sorts by `updated_at`, `created` by `created_at`; both descending, then by id descending. */
  list(filter: PageFilter, order: ListOrder): Promise<readonly StoredIssue[]>;
  ready(filter: PageFilter, now: Instant, containers: boolean): Promise<readonly StoredIssue[]>;
  /** The size in bytes of the texts of each issue that `list` would return, computed without reading the texts. */
  sizes(filter: PageFilter, order: ListOrder): Promise<readonly number[]>;
  readySizes(filter: PageFilter, now: Instant, containers: boolean): Promise<readonly number[]>;
  /** The ready issue to take first among those without a live lease: highest priority, then last changed. */
  takeable(filter: TakeFilter, now: Instant): Promise<StoredIssue | undefined>;
  /** The latest instant up to `now` at which a scheduled issue became ready; null if there is none. */
  scheduledUpTo(now: Instant): Promise<Instant | null>;
  /** Live children, oldest first. */
  children(uid: string): Promise<readonly StoredIssue[]>;
  /**
   * Whether an issue other than `except` ever had the short id in the project. Deleted, moved and purged issues count
   * too.
   */
  shortIdTaken(projectUid: string, shortId: string, except?: string): Promise<boolean>;
  /** Returns the short ids that were ever used in one of the projects. */
  takenShortIds(
    projectUids: readonly string[],
    shortIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Issues of the project, deleted ones too, whose short id is or was used in the other project. */
  sharedShortIds(
    projectUid: string,
    otherUid: string,
  ): Promise<readonly { readonly uid: string; readonly short_id: string }[]>;
  /** Whether the issue was in the project and moved out. */
  wasIn(projectUid: string, uid: string): Promise<boolean>;
  /** The issue that had this short id in the project before it moved out. */
  findByFormerId(projectUid: string, shortId: string): Promise<StoredIssue | undefined>;
}

export interface TakeFilter
  extends Pick<IssueFilter, "project_uid" | "labels" | "exclude_labels" | "parent_uid"> {
  readonly containers: boolean;
  /** Allows issues of this owner in addition to issues without an owner. */
  readonly owner?: string;
  /** Leaves out the issues of these projects. */
  readonly not_projects?: readonly string[];
  /** Leaves out these issues. */
  readonly not_issues?: readonly string[];
}

export interface Links {
  find(fromUid: string, toUid: string, type: LinkType): Promise<WithId<LinkRow> | undefined>;
  get(id: number): Promise<WithId<LinkRow> | undefined>;
  parentOf(childUid: string): Promise<WithId<LinkRow> | undefined>;
  /**
   * Every link with an end at one of the issues, sorted by id. With `most`, returns at most `most` of these links,
   * chosen arbitrarily.
   */
  touching(uids: readonly string[], most?: number): Promise<readonly WithId<LinkRow>[]>;
  /**
   * Like `touching`, but returns only the uids of the ends and the type. The indexes contain these, so no row is read.
   */
  endsTouching(uids: readonly string[]): Promise<readonly LinkEnds[]>;
  /**
   * Whether the issues have more than `count` links, without counting further. A link between two of the issues counts
   * twice.
   */
  touchMoreThan(uids: readonly string[], count: number): Promise<boolean>;
  /**
   * The links that may keep the issues from being ready, ordered by id: links with open blockers, with parents and, for
   * the issues in `childrenOf`, with open children.
   */
  inTheWay(uids: readonly string[], childrenOf: readonly string[]): Promise<readonly LinkEnds[]>;
  /** Ancestors by parent links, nearest first; stops at a cycle. */
  ancestors(uid: string): Promise<readonly string[]>;
  /** All pairs of an issue and an issue that it blocks, both open and live, in all projects. */
  openBlocks(): Promise<readonly OpenBlock[]>;
  /**
   * The links between an open child and its open parent, both live. Returns only links of children that wait for other
   * issues, because a chain of waiting issues ends at any other child.
   */
  openFamilies(): Promise<readonly Pick<LinkEnds, "from_uid" | "to_uid">[]>;
}

export interface OpenBlock {
  readonly from_uid: string;
  readonly from_project_uid: string;
  readonly to_uid: string;
  readonly to_project_uid: string;
}

export interface Labels {
  of(issueUid: string): Promise<readonly LabelRow[]>;
  many(issueUids: readonly string[]): Promise<ReadonlyMap<string, readonly LabelRow[]>>;
  /** The sorted names of the labels that live issues have, in one project or in all active projects. */
  names(projectUid: string | undefined): Promise<readonly string[]>;
  /** The number of live issues for each label, sorted by label. */
  counts(
    projectUid: string,
  ): Promise<readonly { readonly label: string; readonly count: number }[]>;
}

export interface Comments {
  find(issueUid: string, uid: string): Promise<WithId<CommentRow> | undefined>;
  /** All comments of the issue, oldest first; comments of the same time are sorted by uid. */
  of(issueUid: string): Promise<readonly WithId<CommentRow>[]>;
  /** The newest `limit` comments of the issue, or of its comments older than `before`. They are sorted oldest first. */
  newest(
    issueUid: string,
    limit: number,
    before?: CommentPlace,
  ): Promise<readonly WithId<CommentRow>[]>;
  /** How many comments the issue has, or how many of them are older than `before`. */
  count(issueUid: string, before?: CommentPlace): Promise<number>;
}

/** The place of a comment in the order of time, which is the same on every daemon. */
export type CommentPlace = Pick<CommentRow, "created_at" | "uid">;

export interface SearchHit {
  readonly issue: StoredIssue;
  readonly score: number;
  readonly matched_in: readonly ("title" | "body" | "comments")[];
  /**
   * How the issue was found.
   * - `words`: it has all words as typed.
   * - `forms`: it has all words in some form.
   * - `some`: it has some of the words.
   * - `near`: it has words that differ by one letter.
   */
  readonly matched?: "words" | "forms" | "some" | "near";
  /** The part of the body or the comments that matched the search. */
  readonly excerpt?: string;
}

export interface SearchQuery {
  readonly project_uid: string;
  readonly text: string;
  readonly limit: number;
  readonly include_deleted: boolean;
  readonly labels: readonly string[];
  readonly exclude_labels: readonly string[];
  readonly filter?: IssueFilter;
}

export interface Search {
  lexical(query: SearchQuery): Promise<readonly SearchHit[]>;
  /** Returns the local ids whose issues satisfy the query's project, labels and filter. Ignores the query's text. */
  satisfying(query: SearchQuery, ids: readonly number[]): Promise<ReadonlySet<number>>;
  /**
   * Returns the uids of at most `most` live issues that satisfy the query as above, in no particular order. `among`:
   * only issues with these uids.
   */
  selected(query: SearchQuery, most: number, among?: readonly string[]): Promise<readonly string[]>;
  /**
   * Live issues of the project whose title shares words with the given text, best match first, for the look-alike
   * check. Includes uncommitted writes of the transaction.
   */
  similar(
    projectUid: string,
    text: { readonly title: string; readonly body: string },
    limit: number,
  ): Promise<readonly StoredIssue[]>;
}
