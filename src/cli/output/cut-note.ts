/** The parts of an answer that say whether something was left out, and where the rest begins. */
export interface CutAnswer {
  /** True if something was left out: by the limit of bytes or of rows. */
  readonly truncated?: unknown;
  /** The number of rows in the answer. Daemons before API 0.15.0 do not send it. */
  readonly count?: unknown;
  readonly next_after?: unknown;
  readonly next_after_id?: unknown;
  readonly next_before?: unknown;
  readonly next_before_uid?: unknown;
  /** The instant up to which a digest has counted the events of its span; absent if it counted all of them. */
  readonly counted_until?: unknown;
}

/** The limits of what is printed. They decide what the note suggests. */
export interface Limits {
  /** How many rows are printed, if the answer itself does not say it. */
  readonly shown?: number | undefined;
  /** The most rows that the command asked for; absent or 0 means no limit. */
  readonly rows?: number | undefined;
  /** The most rows that the daemon puts into one answer. */
  readonly mostRows?: number | undefined;
  /** Whether `--max-bytes` may have left something out. */
  readonly hasBytes?: boolean | undefined;
}

/** The members of an answer that say where the rest begins, each with the flag that continues there. */
const PLACE_FLAGS = [
  ["next_after", "--after"],
  ["next_after_id", "--after"],
  ["next_before", "--before"],
  ["next_before_uid", "--before-uid"],
] as const;

/**
 * Returns the line that says on stderr that something was left out and how to get the rest, or `undefined` if the
 * answer is whole (docs/agents.md). The line is the same in every output mode.
 */
export function cutNote(answer: CutAnswer, limits: Limits = {}): string | undefined {
  if (!isCut(answer, limits)) return undefined;
  const { count, counted_until } = answer;
  const shown = limits.shown ?? (typeof count === "number" ? count : undefined);
  const what = shown === undefined ? "not all of it is shown" : `showing ${shown}`;
  const cures = curesOf(answer, limits, shown);
  if (typeof counted_until === "string") cures.push(`--since ${counted_until} counts the rest`);
  return `... ${what}${cures.length === 0 ? "" : ` (${cures.join(", ")})`}`;
}

/** Whether something was left out. `limits.shown` is the number of rows of an answer. */
export function isCut(answer: CutAnswer, limits: Limits): boolean {
  const { truncated, count, next_before, next_before_uid, counted_until } = answer;
  if (truncated === true) return true;
  if ((next_before ?? next_before_uid ?? counted_until) !== undefined) return true;
  // A daemon before API 0.15.0 does not say whether there are more rows. After a full page there may be more.
  return truncated === undefined && count === undefined && isFull(limits, limits.shown);
}

/** Whether the printed rows reach the limit, so that there may be more. */
function isFull({ rows = 0, mostRows = Infinity }: Limits, shown: number | undefined): boolean {
  return rows > 0 && shown !== undefined && shown >= Math.min(rows, mostRows);
}

function curesOf(answer: CutAnswer, limits: Limits, shown: number | undefined): string[] {
  const { mostRows = Infinity, hasBytes = false } = limits;
  const places = PLACE_FLAGS.flatMap(([member, flag]) => {
    const place = answer[member];
    return typeof place === "string" || typeof place === "number"
      ? [`${flag} ${place} goes on`]
      : [];
  });
  if (!isFull(limits, shown)) return hasBytes ? ["--max-bytes 0 shows more", ...places] : places;
  if (shown === undefined || shown < mostRows) return ["raise --limit to see more", ...places];
  return places.length > 0 ? places : [`one answer has at most ${mostRows}`];
}
