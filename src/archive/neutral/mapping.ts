import type { ImportItem } from "./item.ts";

/**
 * What the words of a source mean in svc. A status or type without a rule becomes a label, a link without a rule
 * becomes `related`, and the account lists the word.
 */
export interface Mapping {
  readonly statuses: Readonly<Record<string, StatusRule>>;
  readonly types: Readonly<Record<string, TypeRule>>;
  readonly links: Readonly<Record<string, LinkWord>>;
}

export interface StatusRule {
  /** An issue with the status `deleted` is not imported; if it was imported before, it is deleted in svc. */
  readonly status: ImportItem["status"] | "deleted";
  /** For `closed`, if the issue has no reason of its own; default `done`. */
  readonly reason?: ImportItem["closed_reason"];
  readonly label?: string | undefined;
  /** Parks the issue, unless it has a scheduled date. */
  readonly someday?: boolean | undefined;
  /** The reason that the account gives for it. */
  readonly why?: string | undefined;
}

/** The label of the issues of a type; issues of an ignored type are not work and are left out. */
export type TypeRule = { readonly label: string } | "ignore";

/**
 * What a link says about the issue that states it: `parent` means that the other issue is its parent, `blocks` that it
 * blocks the other issue. Ignored links are dropped.
 */
export const LINK_WORDS = ["parent", "child", "blocks", "blocked-by", "related", "ignore"] as const;

export type LinkWord = (typeof LINK_WORDS)[number];
