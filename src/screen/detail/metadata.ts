import { slotsIn } from "../issues/slots.ts";

/** Metadata keys whose values the screen shows as facts of the issue instead of as metadata. */
const FACTS: ReadonlySet<string> = new Set(["scheduled_on", "deadline_on", "someday"]);

/** The prefix of the keys under which the daemon stores the progress of a cron job. */
const PROGRESS = "cron.progress.";

export interface Entry {
  readonly key: string;
  readonly text: string;
}

/** The metadata of an issue, sorted by key, without facts, attention requests and progress of cron jobs. */
export function otherMetadata(metadata: Readonly<Record<string, unknown>>): readonly Entry[] {
  return Object.entries(metadata)
    .filter(([key, value]) => {
      const isRequest = slotsIn({ [key]: value }).length > 0;
      const isOwn = FACTS.has(key) || isRequest || key.startsWith(PROGRESS);
      return !isOwn && value !== null && value !== undefined;
    })
    .map(([key, value]) => ({
      key,
      text: typeof value === "string" ? value : JSON.stringify(value),
    }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
