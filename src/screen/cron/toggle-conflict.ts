import type { CompareDialog, Side } from "../forms/dialog.ts";
import type { JobToggle } from "../writes/writes.ts";
import { wordOf } from "./definition.ts";
import type { CronJob } from "./state.ts";

/** A job that somebody else changed while the person turned it on or off. */
export interface ToggleConflict {
  readonly write: JobToggle;
  /** The job as it was when the person pressed the key. */
  readonly base: CronJob | undefined;
  readonly theirs: CronJob;
}

declare module "../forms/dialog.ts" {
  interface Compared {
    readonly cron: { readonly job: ToggleConflict };
  }
}

/** Whether the job is already as the person wants it. */
export function isTurned({ on }: JobToggle, { definition }: CronJob): boolean {
  return (definition["enabled"] === true) === on;
}

/** The dialog that compares the person's change of a job with the change that somebody else made. */
export function toggleComparison(conflict: ToggleConflict): CompareDialog {
  const { write, theirs } = conflict;
  const word = write.on ? "on" : "off";
  const isGone = theirs.deleted_at !== undefined;
  const isSo = !isGone && isTurned(write, theirs);
  const turn = { key: "o", label: `turn it ${word} as it is now` };
  return {
    dialog: "compare",
    title: `${write.at.name} was changed while you turned it ${word}`,
    lead: isGone
      ? "it was deleted meanwhile"
      : isSo
        ? `it is ${word} already, and this is what else was changed`
        : "what it was, what it is now, and what you wanted",
    sides: toggleSides(conflict),
    keys: [
      ...(isGone || isSo ? [] : [turn]),
      { key: "r", label: "leave it as it is now" },
      { key: "esc", label: "back" },
    ],
    about: { compared: "job", ...conflict },
  };
}

/**
 * The members of the job's definition that the dialog compares: each member that somebody else has changed, with its
 * former and its current value, and always `enabled`, with the value that the person wants.
 */
function toggleSides({ write, base, theirs }: ToggleConflict): readonly Side[] {
  const was: Readonly<Record<string, string>> = base === undefined ? {} : membersOf(base);
  const is: Readonly<Record<string, string>> = membersOf(theirs);
  const names = new Set(["enabled", ...Object.keys(was), ...Object.keys(is)]);
  return [...names].flatMap((label) => {
    const mine = label === "enabled" ? String(write.on) : undefined;
    const [before, now = "-"] = [was[label], is[label]];
    if (mine === undefined && (base === undefined || before === is[label])) return [];
    return [{ label, base: base === undefined ? undefined : (before ?? "-"), theirs: now, mine }];
  });
}

function membersOf({ name, definition }: CronJob): Readonly<Record<string, string>> {
  const members = Object.entries(definition).map(([member, value]) => [member, wordOf(value)]);
  return { name, ...(Object.fromEntries(members) as Readonly<Record<string, string>>) };
}
