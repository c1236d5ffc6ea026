import { SEARCH_DEFAULT_LIMIT, SEARCH_MAX_LIMIT } from "../../contract/limits.ts";
import { JSON_BUDGET_BYTES } from "../../contract/list-budget.ts";

/**
 * A frequent read that `read.ts` answers without oclif. A test compares each entry of `FAST_COMMANDS` with the flags
 * and the request of the ordinary command. Flags that are not listed here are left to the ordinary command.
 */
export interface FastCommand {
  readonly path: "/issues" | "/issues/{ref}" | "/ready" | "/search";
  readonly words: "none" | "ref" | "text";
  /** The default values of query parameters. A flag replaces the default. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, FastFlag>>;
  /** `param` is sent with the caller's name, unless the flag `flag` is given. */
  readonly actor?: { readonly param: string; readonly flag: string };
  /** The number of rows that the daemon returns if the request has no `limit`. */
  readonly usualRows?: number;
  /** The most rows that the daemon puts into one answer. */
  readonly mostRows?: number;
  /** True to print only the first issue. This requires that the daemon's answer says `order=take`. */
  readonly first?: boolean;
}

export interface FastFlag {
  readonly takes: "nothing" | "text" | "texts" | "number";
  readonly param: string;
  /** Maps each allowed value of the flag to the value that is sent. */
  readonly values?: Readonly<Record<string, string>>;
  readonly least?: number;
  readonly excludes?: string;
  /** A query parameter whose default this flag lifts: it is then sent as 0, which means no limit. */
  readonly lifts?: string;
}

const priorities = { "0": "0", "1": "1", "2": "2", "3": "3", "4": "4" };

const labels = {
  label: { takes: "texts", param: "label" },
  "no-label": { takes: "texts", param: "exclude_label" },
} as const;

const owners = {
  owner: { takes: "text", param: "owner", excludes: "unowned" },
  unowned: { takes: "nothing", param: "unowned", excludes: "owner" },
} as const;

/** The query parameters that limit the answers of lists (`../flags/budget.ts`). */
const bounds = { fields: "-body", max_bytes: String(JSON_BUDGET_BYTES) } as const;
const budget = {
  fields: { takes: "text", param: "fields", excludes: "full" },
  "max-bytes": { takes: "number", param: "max_bytes" },
} as const;
const limit = { takes: "number", param: "limit", lifts: "max_bytes" } as const;

export const FAST_COMMANDS: Readonly<Record<string, FastCommand>> = {
  list: {
    path: "/issues",
    words: "none",
    defaults: { status: "open", limit: "200", ...bounds },
    flags: {
      ...budget,
      after: { takes: "text", param: "after", excludes: "at" },
      ...labels,
      ...owners,
      status: {
        takes: "text",
        param: "status",
        values: { open: "open", closed: "closed", all: "" },
      },
      priority: { takes: "text", param: "priority", values: priorities },
      "max-priority": { takes: "text", param: "max_priority", values: priorities },
      meta: { takes: "texts", param: "meta" },
      limit: { ...limit, least: 1 },
    },
  },
  ready: {
    path: "/ready",
    words: "none",
    defaults: { order: "take", limit: "200", ...bounds },
    flags: {
      ...budget,
      after: { takes: "text", param: "after", excludes: "at" },
      ...labels,
      ...owners,
      order: { takes: "text", param: "order", values: { next: "take", recent: "recent" } },
      containers: { takes: "nothing", param: "containers" },
      limit: { ...limit, least: 0 },
    },
  },
  next: {
    path: "/ready",
    words: "none",
    defaults: { order: "take", limit: "1", fields: bounds.fields },
    flags: {
      fields: budget.fields,
      ...labels,
      ...owners,
      containers: { takes: "nothing", param: "containers" },
    },
    actor: { param: "takeable_by", flag: "owner" },
    first: true,
  },
  show: {
    path: "/issues/{ref}",
    words: "ref",
    defaults: { max_bytes: bounds.max_bytes },
    flags: { "max-bytes": budget["max-bytes"] },
  },
  search: {
    path: "/search",
    words: "text",
    usualRows: SEARCH_DEFAULT_LIMIT,
    mostRows: SEARCH_MAX_LIMIT,
    defaults: bounds,
    flags: {
      ...budget,
      ...labels,
      limit: { ...limit, least: 1 },
      "include-deleted": { takes: "nothing", param: "include_deleted" },
    },
  },
};
