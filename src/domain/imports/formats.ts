/** Trackers whose files `svc import --source-format` can read; the readers are in `src/sources/formats.ts`. */
export const SOURCE_FORMATS = [
  "beads",
  "neutral",
  "taskwarrior",
  "github",
  "backlog",
  "tbd",
  "markdown",
] as const;

export type SourceFormat = (typeof SOURCE_FORMATS)[number];
