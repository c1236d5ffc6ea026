import type { ImportItem } from "./item.ts";

/**
 * The meaning in svc of the statuses, types and kinds of links of a source. A status or type without a rule becomes a
 * label, and a link without a rule becomes `related`. The import's report lists them.
 */
export interface Mapping {
  readonly statuses: Readonly<Record<string, StatusRule>>;
  readonly types: Readonly<Record<string, TypeRule>>;
  readonly links: Readonly<Record<string, LinkWord>>;
  /** If set, an issue whose status has no rule here is parked, because the source does not offer it as work. */
  readonly parksOtherStatuses?: true;
  /**
   * If set, an issue is parked while an issue that it depends on is missing, because the source does not offer it as
   * work.
   */
  readonly parksMissingBlockers?: true;
}

export interface StatusRule {
  /** An issue with the status `deleted` is not imported; if it was imported before, it is deleted in svc. */
  readonly status: ImportItem["status"] | "deleted";
  /** The close reason for the status `closed`, unless the issue itself has one; default `done`. */
  readonly reason?: ImportItem["closed_reason"];
  readonly label?: string | undefined;
  /** Parks the issue because somebody put it off on purpose. An issue with a scheduled date is not parked. */
  readonly someday?: boolean | undefined;
  /**
   * Parks the issue because its source does not offer such issues as work. An issue with open children is not parked.
   */
  readonly notOffered?: true;
  /** The reason that the import's report gives for issues with this status. */
  readonly why?: string | undefined;
}

/**
 * The label for issues of a type, or `ignore`: issues of such a type are not work and are left out. `notOffered` has
 * the same meaning as in `StatusRule`.
 */
export type TypeRule = { readonly label: string; readonly notOffered?: true } | "ignore";

/**
 * What a kind of link says about the issue that states the link. `parent`: the other issue is the parent. `blocks`:
 * this issue blocks the other one. `ignore`: the link is left out.
 */
export const LINK_WORDS = ["parent", "child", "blocks", "blocked-by", "related", "ignore"] as const;

export type LinkWord = (typeof LINK_WORDS)[number];
