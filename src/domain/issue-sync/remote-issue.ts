import type { Instant } from "../../base/clock.ts";

/**
 * The keys that identify an issue of another tracker, the most reliable first: `issue-id:<id>`, `issue:<node id>`,
 * `issue-number:<number>`. There is at least one. The number is the issue's number in the bound repository.
 */
export type RemoteKeys = readonly [string, ...string[]];

/**
 * The parent of an issue on the host:
 *
 * - `issue`: another issue of the same repository. If the host sent only its number, that is the only key.
 * - `none`: the host says that the issue has no parent.
 * - `unknown`: the host did not say, or the parent belongs to another repository. The parent in svc then stays as it
 *   is.
 */
export type RemoteParent =
  | { readonly kind: "issue"; readonly keys: RemoteKeys }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

/**
 * An issue as received from the host. Its texts are not checked: they may be empty or too long, and may contain
 * characters that svc cannot store, such as NUL and lone surrogates.
 */
export interface RemoteIssue {
  readonly keys: RemoteKeys;
  readonly number: number;
  /** The address of the issue's page for people. */
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "closed";
  /** The reason for the state, such as `completed`, `not_planned`, `duplicate` or `reopened`. */
  readonly state_reason: string | undefined;
  readonly labels: readonly string[];
  /** The login of the first assignee. */
  readonly owner: string | undefined;
  /** `undefined` if the account was deleted. */
  readonly author: string | undefined;
  readonly created_at: Instant | undefined;
  readonly updated_at: Instant | undefined;
  readonly closed_at: Instant | undefined;
  /** All comments, the oldest first. */
  readonly comments: readonly RemoteComment[];
  readonly parent: RemoteParent;
}

export interface RemoteComment {
  /**
   * `comment-id:<id>` if the comment has an id, otherwise `comment:<node id>`, otherwise `comment-missing:<key of the
   * issue>:<index>`.
   */
  readonly key: string;
  readonly body: string;
  readonly author: string | undefined;
  readonly created_at: Instant | undefined;
}

/** The parent of an issue that this run did not read in full, found by a scan of all issues. */
export interface RemoteLink {
  readonly keys: RemoteKeys;
  readonly number: number;
  readonly parent: RemoteParent;
}
