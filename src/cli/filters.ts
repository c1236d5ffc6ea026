import * as Flags from "@oclif/core/flags";
import type { InferredFlags } from "@oclif/core/interfaces";
import { invalid } from "../shared/invalid.ts";
import { usage } from "./failure.ts";
import { listFlag, textFlag } from "./flags.ts";
import type { Globals } from "./globals.ts";

/** The filters of `list`, `ready`, `next` and `search` (facts cli-and-config 2.1). */
export const labelFilters = {
  label: listFlag("only issues with this label; repeat it to require several", "<label>"),
  "no-label": listFlag("only issues without this label; may be repeated", "<label>"),
};

export const ownerFilters = {
  owner: textFlag("only issues of this owner", "<owner>"),
  unowned: Flags.boolean({ summary: "only issues without an owner", exclusive: ["owner"] }),
};

export const allFlag = {
  all: Flags.boolean({ summary: "use every project of the daemon" }),
};

/** The projects whose events are read. */
export const feedFlags = {
  "project-id": Flags.integer({
    summary: "use the project with this local id instead of this directory's",
    helpValue: "<n>",
    exclusive: ["all-projects", "project"],
  }),
  "all-projects": Flags.boolean({
    aliases: ["all"],
    summary: "use every project; --all is the same",
  }),
};

export const limitFlag = (summary: string) => Flags.integer({ summary, helpValue: "<n>" });

type LabelFlags = InferredFlags<typeof labelFilters>;
type OwnerFlags = InferredFlags<typeof ownerFilters>;

export function labelQuery(flags: LabelFlags) {
  return { label: flags.label, exclude_label: flags["no-label"] };
}

/** A false flag is not sent, since the daemon treats absent and false alike. */
export function ownerQuery({ owner, unowned }: OwnerFlags) {
  return { owner, unowned: unowned || undefined };
}

export function readyQuery(
  flags: LabelFlags &
    OwnerFlags & { readonly limit?: number | undefined; readonly containers: boolean },
) {
  const { limit, containers } = flags;
  return { limit, containers: containers || undefined, ...ownerQuery(flags), ...labelQuery(flags) };
}

/** `--all` means every project, so naming one with it is a contradiction (facts cli-and-config 1.1 rule 3). */
export function refuseAllWithPlace(all: boolean, { project, workspace }: Globals): void {
  if (!all || (project === undefined && workspace === undefined)) return;
  const flag = project === undefined ? "--workspace" : "--project";
  throw usage(`--all cannot be used with ${flag}`, `leave one of them out`);
}

export function requireAtLeast(least: number, flag: string, value: number | undefined): void {
  if (value !== undefined && value < least)
    throw invalid(`${flag} must be ${least} or more, not ${value}`);
}
