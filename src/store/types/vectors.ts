import type { Instant } from "../../base/clock.ts";

/** A place that the scoring thread opens a read-only connection to. */
export type ScoringPlace =
  | { readonly sqlite: string }
  | { readonly dsn: string; readonly schema: string };

/** All vectors that were made by one model with one recipe, which `fingerprint` identifies. */
export interface Generation {
  readonly id: number;
  readonly fingerprint: string;
  readonly model: string;
  readonly dims: number;
  readonly state: "building" | "active" | "retired";
  readonly started_at: Instant;
  readonly activated_at: Instant | null;
}

/** What the index knows of an issue in a generation. `issue_id` is the local id of the issue. */
export interface IndexedIssue {
  readonly issue_id: number;
  readonly issue_uid: string;
  readonly project_uid: string;
  readonly content_revision: number;
  readonly text_hash: string;
  readonly state: "done" | "skipped";
  /** Why the provider did not embed the issue; null unless it is skipped. */
  readonly reason: string | null;
  readonly chunk_count: number;
}

/** An issue with its vectors, which have the length 1. A skipped issue and one without text have none. */
export interface EmbeddedIssue extends Omit<IndexedIssue, "chunk_count"> {
  readonly vectors: readonly Float32Array[];
}

/** The new stamp of an issue whose text did not change, although its project or revision did. */
export type Restamp = Omit<IndexedIssue, "state" | "reason" | "chunk_count">;

/**
 * The vectors of issues. They are derived data: no backup, export or restore contains them, and they may be deleted at
 * any time. All writes run one after another, in the order of the calls.
 */
export interface VectorStore {
  readonly dialect: "sqlite" | "postgres";
  readonly scoring: ScoringPlace;

  /** Returns all generations, oldest first. */
  generations(): Promise<readonly Generation[]>;
  begin(
    of: Pick<Generation, "fingerprint" | "model" | "dims">,
    state: "building" | "active",
    now: Instant,
  ): Promise<Generation>;
  /** Makes the generation active and retires every other active one, in one transaction. */
  switchTo(id: number, now: Instant): Promise<void>;
  /**
   * Removes at most `most` issues of a generation, and the generation itself when no issue is left. Returns true while
   * there is more to remove.
   */
  dropRetired(id: number, most: number): Promise<boolean>;

  /** Returns the issues with `afterId < issue_id <= upToId`, ordered by id, and only the first `most` of them if given. */
  range(
    generation: number,
    afterId: number,
    upToId: number,
    most?: number,
  ): Promise<readonly IndexedIssue[]>;
  find(generation: number, uids: readonly string[]): Promise<readonly IndexedIssue[]>;
  /** Returns at most `most` issues of the project with `issue_id > afterId`, ordered by id. */
  ofProject(
    generation: number,
    project_uid: string,
    afterId: number,
    most: number,
  ): Promise<readonly IndexedIssue[]>;
  /** Returns at most `most` skipped issues, newest first. */
  skipped(generation: number, most: number): Promise<readonly IndexedIssue[]>;

  /**
   * Writes the vectors and stamps of the issues in one transaction, in place of older ones. `current` returns which of
   * the uids still have the revision that was embedded. It is asked again while commits come in between. Leaves out
   * issues that are not current. Returns the uids that were written.
   */
  put(
    generation: number,
    issues: readonly EmbeddedIssue[],
    current: () => Promise<ReadonlySet<string>>,
  ): Promise<ReadonlySet<string>>;
  /**
   * Changes only the stamps of issues that the generation has. Returns the uids of these. On PostgreSQL leaves out issues
   * that are being deleted.
   */
  restamp(generation: number, issues: readonly Restamp[]): Promise<ReadonlySet<string>>;

  /**
   * Removes the issues from all generations. With `erase` overwrites the freed bytes and lets the next `erase` remove
   * older copies, also those of issues that were removed before.
   */
  remove(uids: readonly string[], options?: { readonly erase?: boolean }): Promise<void>;

  /** Returns a small text that the callers keep with the vectors. */
  meta(key: string): Promise<string | undefined>;
  setMeta(key: string, value: string): Promise<void>;

  /**
   * Removes the older copies of removed rows that page splits left, on a thread. Does nothing unless a removal asked
   * for it since the last call, and on PostgreSQL.
   */
  erase(): Promise<void>;
  /**
   * Throws all vectors away and begins with none, for example if a stored vector of the generation is damaged. Does
   * nothing if the generation is gone, as when somebody else has done this already.
   */
  discard(of: { readonly generation: number }): Promise<void>;
  close(): Promise<void>;
}
