import type { Instant } from "../../base/clock.ts";

/**
 * Names of an issue of another tracker, the most lasting first: `issue-id:<id>`, `issue:<node id>`,
 * `issue-number:<number>`. Never empty. The number is that of the bound repository.
 */
export type PreparedKeys = readonly [string, ...string[]];

/**
 * The parent of an issue on the host:
 *
 * - `issue`: another issue of the same repository. Its keys may be the number alone, where the host said no more.
 * - `none`: the host says that there is no parent.
 * - `unknown`: the host did not say, or the parent belongs to another repository. What svc has stays.
 */
export type PreparedParent =
  | { readonly kind: "issue"; readonly keys: PreparedKeys }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

/**
 * An issue as the host has it. Its texts are not checked: they may be empty or too long, and may hold characters that
 * svc does not store, such as NUL and lone surrogates.
 */
export interface PreparedIssue {
  readonly keys: PreparedKeys;
  readonly number: number;
  /** The address of its page for people. */
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "closed";
  /** Such as `completed`, `not_planned`, `duplicate` or `reopened`. */
  readonly state_reason: string | undefined;
  readonly labels: readonly string[];
  /** The first assignee. */
  readonly owner: string | undefined;
  /** `undefined` if the account is gone. */
  readonly author: string | undefined;
  readonly created_at: Instant | undefined;
  readonly updated_at: Instant | undefined;
  readonly closed_at: Instant | undefined;
  /** All of them, the oldest first. */
  readonly comments: readonly PreparedComment[];
  readonly parent: PreparedParent;
}

export interface PreparedComment {
  /** `comment-id:<id>`, else `comment:<node id>`, else `comment-missing:<key of the issue>:<index>`. */
  readonly key: string;
  readonly body: string;
  readonly author: string | undefined;
  readonly created_at: Instant | undefined;
}

/** What a scan of all issues says about the parent of one that was not read in this run. */
export interface PreparedLink {
  readonly keys: PreparedKeys;
  readonly number: number;
  readonly parent: PreparedParent;
}
