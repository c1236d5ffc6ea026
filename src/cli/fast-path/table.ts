/**
 * The readings that people and agents run all day, as data: with `--json` they are answered without oclif and without
 * the commands' own files (`read.ts`). A test holds every row against the flags and the requests of the command's
 * class. What is not in the table is no mistake; the command itself sees to it.
 */
export interface FastCommand {
  /** Of the route, below the project. */
  readonly path: "/issues" | "/issues/{ref}" | "/ready" | "/search";
  readonly words: "none" | "ref" | "text";
  /** Sent unless a flag says otherwise. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, FastFlag>>;
  /** Prints the first issue of the list instead of the list, if the list is in the order that was asked for. */
  readonly first?: boolean;
}

export interface FastFlag {
  readonly takes: "nothing" | "text" | "texts" | "number";
  /** The query parameter that it becomes. */
  readonly param: string;
  /** The only values, each with what is sent for it. */
  readonly values?: Readonly<Record<string, string>>;
  /** The smallest number. */
  readonly least?: number;
  readonly excludes?: string;
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

export const FAST_COMMANDS: Readonly<Record<string, FastCommand>> = {
  list: {
    path: "/issues",
    words: "none",
    defaults: { status: "open", limit: "200" },
    flags: {
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
      limit: { takes: "number", param: "limit", least: 1 },
    },
  },
  ready: {
    path: "/ready",
    words: "none",
    defaults: { limit: "200" },
    flags: {
      ...labels,
      ...owners,
      containers: { takes: "nothing", param: "containers" },
      limit: { takes: "number", param: "limit", least: 0 },
    },
  },
  next: {
    path: "/ready",
    words: "none",
    defaults: { order: "take", limit: "1" },
    flags: {
      ...labels,
      ...owners,
      containers: { takes: "nothing", param: "containers" },
    },
    first: true,
  },
  show: { path: "/issues/{ref}", words: "ref", defaults: {}, flags: {} },
  search: {
    path: "/search",
    words: "text",
    defaults: {},
    flags: {
      ...labels,
      limit: { takes: "number", param: "limit", least: 1 },
      "include-deleted": { takes: "nothing", param: "include_deleted" },
    },
  },
};
