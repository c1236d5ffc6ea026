import * as Flags from "@oclif/core/flags";
import type { InferredFlags } from "@oclif/core/interfaces";
import { invalid } from "../../contract/errors.ts";
import { usage } from "../failure/failure.ts";
import { booleanFlag, type Globals, integerFlag, listFlag, onOffFlag, textFlag } from "./flags.ts";

/** The filters by label of `list`, `ready`, `next` and `search` (docs/contract/command-line.md#21-work-on-issues). */
export const labelFilters = {
  label: listFlag("only issues with this label; repeat it to require several", "<label>", {
    char: "l",
  }),
  "no-label": listFlag("only issues without this label; may be repeated", "<label>"),
};

export const ownerFilters = {
  owner: textFlag("only issues of this owner; @me for yours", "<owner>", { char: "a" }),
  unowned: booleanFlag("only issues without an owner", { exclusive: ["owner"] }),
};

export const parentFilter = {
  parent: textFlag("only children of this issue", "<ref>"),
};

export const originFilters = {
  author: textFlag("only issues that this person created; @me for yours", "<author>"),
  "changed-since": textFlag(
    "only issues changed since: how long ago (90m, 12h, 7d), or a day or a time (mon, 2026-01-31)",
    "<when>",
  ),
};

const PRIORITIES = ["0", "1", "2", "3", "4"] as const;

const priorityFilters = {
  priority: Flags.option({
    char: "p",
    summary: "exactly this priority, 0 (highest) to 4",
    options: PRIORITIES,
    helpValue: "<0-4>",
  })(),
  "max-priority": Flags.option({
    summary: "this priority or a higher one; leaves out issues without a priority",
    options: PRIORITIES,
    helpValue: "<0-4>",
  })(),
};

/** The flag `--status`. A command may add a default. Without a default, open and closed issues are selected. */
export const statusFilter = (summary: string) =>
  Flags.option({ summary, options: ["open", "closed", "all"] as const, helpValue: "<status>" });

const detailFilters = {
  blocked: onOffFlag(
    "only issues that an open issue blocks; --no-blocked: only the others",
    undefined,
  ),
  meta: listFlag("only issues with this metadata key, or with key=value", "<key[=value]>"),
};

/**
 * The filters that `list` and `search` share. `status` is not among them, because the two commands have different
 * defaults for it.
 */
export const issueFilters = {
  ...priorityFilters,
  ...ownerFilters,
  ...labelFilters,
  ...parentFilter,
  ...originFilters,
  ...detailFilters,
};

export const allFlag = {
  all: booleanFlag("use every project of the daemon"),
};

export const feedFlags = {
  "project-id": integerFlag(
    "use the project with this local id instead of this directory's",
    "<n>",
    { exclusive: ["all-projects", "project"] },
  ),
  "all-projects": booleanFlag("use every project; --all is the same", { aliases: ["all"] }),
};

export const limitFlag = (summary: string, rules?: Parameters<typeof integerFlag>[2]) =>
  integerFlag(summary, "<n>", { char: "n", ...rules });

type LabelFlags = InferredFlags<typeof labelFilters>;
type OwnerFlags = InferredFlags<typeof ownerFilters>;

export function labelQuery(flags: LabelFlags) {
  return { label: flags.label, exclude_label: flags["no-label"] };
}

/** A false flag is not sent, since the daemon treats absent and false alike. */
export function ownerQuery({ owner, unowned }: OwnerFlags) {
  return { owner, unowned: unowned || undefined };
}

function priorityQuery(flags: InferredFlags<typeof priorityFilters>) {
  return { priority: flags.priority, max_priority: flags["max-priority"] };
}

export function issueQuery(flags: InferredFlags<typeof issueFilters>) {
  return { ...priorityQuery(flags), ...ownerQuery(flags), meta: flags.meta };
}

export function readyQuery(
  flags: LabelFlags &
    OwnerFlags & { readonly limit?: number | undefined; readonly containers: boolean },
) {
  const { limit, containers } = flags;
  return { limit, containers: containers || undefined, ...ownerQuery(flags), ...labelQuery(flags) };
}

/**
 * Throws if `--all`, which means every project, is given together with a flag that selects one project
 * (docs/contract/command-line.md#11-global-flags).
 */
export function refuseAllWithPlace(all: boolean, { project, workspace }: Globals): void {
  if (!all || (project === undefined && workspace === undefined)) return;
  const flag = project === undefined ? "--workspace" : "--project";
  throw usage(`--all cannot be used with ${flag}`, `leave one of them out`);
}

export function requireAtLeast(least: number, flag: string, value: number | undefined): void {
  if (value !== undefined && value < least)
    throw invalid(`${flag} must be ${least} or more, not ${value}`);
}
