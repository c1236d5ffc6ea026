import type {
  ComparedCopy,
  ComparedFile,
  LogComparison,
  LogPlace,
} from "../domain/compared-logs.ts";
import { withFileLines } from "../sources/files/input.ts";
import { MIGRATIONS } from "../store/migrations/index.ts";
import { openSnapshot, withUpgraded } from "../store/open.ts";
import { withScratch } from "../store/scratch.ts";
import { latest } from "../store/upgrade/migrate.ts";
import { DatabaseLog, hashOf, type Point, pointsOfFile } from "./log-points.ts";
import { readExport } from "./read-export.ts";
import type { Target } from "./target.ts";
import { TICKS } from "./verify.ts";

/**
 * Compares the log of a database with the log in an export of everything or a backup. Reads the database in one
 * snapshot, so a daemon may go on writing. Reads the file once, event by event. Writes nothing.
 */
export async function compareFile(
  source: Target,
  path: string,
  progress: (done: number, all: number) => void = () => undefined,
): Promise<ComparedFile> {
  return await withUpgraded(source, async (readable) => {
    const snapshot = await openSnapshot({ ...source, ...readable });
    try {
      const all = await snapshot.count(["event"]);
      let done = 0;
      const log = new DatabaseLog(snapshot, () => {
        done += 1;
        if (done % TICKS === 0) progress(done, all);
      });
      const compared = await withScratch(
        async (scratch) =>
          await withFileLines(path, async (lines) => {
            const { rows } = await readExport(lines, latest(MIGRATIONS), scratch);
            return await compareLogs(log.points(), pointsOfFile(path, rows));
          }),
      );
      return { path, ...compared, ...(log.fault === undefined ? {} : { broken: log.fault }) };
    } finally {
      await snapshot.close();
    }
  });
}

/** Compares two logs point by point. Reads both to their end, so that a fault in the rest of the file is found too. */
export async function compareLogs(
  hereLog: AsyncIterable<Point>,
  fileLog: AsyncIterable<Point>,
): Promise<LogComparison> {
  const [here, file] = [new LogReading(hereLog), new LogReading(fileLog)];
  await here.next();
  await file.next();
  let sameTo = 0;
  let hasSkipped = false;
  while (here.at !== undefined && file.at !== undefined) {
    const met = meet(here.at, file.at);
    if (met === "different") break;
    if (met === "same") sameTo = here.at.id;
    hasSkipped = met !== "same";
    here.countPurged(file.at);
    file.countPurged(here.at);
    if (met !== "hidden in file") await file.next();
    if (met !== "hidden here") await here.next();
  }
  const [hereAt, fileAt] = [here.at, file.at];
  const from = Math.min(
    hereAt?.id ?? Number.POSITIVE_INFINITY,
    fileAt?.id ?? Number.POSITIVE_INFINITY,
  );
  const isExact = !hasSkipped && ![hereAt, fileAt].some(isPurged);
  return {
    result: resultOf(hereAt, fileAt),
    same_to: sameTo,
    ...(Number.isFinite(from) ? { from, is_exact: isExact } : {}),
    here: await here.rest(hereAt),
    file: await file.rest(fileAt),
  };
}

type PointComparison = "same" | "hidden here" | "hidden in file" | "different";

/**
 * Compares one point of each log. If the event of one point is purged in the other copy, the two points cannot be
 * compared. The chain of the last event of the purged run then shows whether the logs are the same.
 */
function meet(here: Point, file: Point): PointComparison {
  if (here.id === file.id) return isSame(here, file) ? "same" : "different";
  if (here.id < file.id) return here.id > file.after ? "hidden in file" : "different";
  return file.id > here.after ? "hidden here" : "different";
}

function isSame(here: Point, file: Point): boolean {
  if (here.chain !== file.chain) return false;
  const { event: one } = here;
  const { event: other } = file;
  return one === undefined || other === undefined || hashOf(one) === hashOf(other);
}

function isPurged(point: Point | undefined): boolean {
  return point !== undefined && point.event === undefined;
}

function resultOf(here: Point | undefined, file: Point | undefined): LogComparison["result"] {
  if (here !== undefined && file !== undefined) return "different";
  if (here !== undefined) return "file_is_beginning";
  return file === undefined ? "same" : "here_is_beginning";
}

/** Reads the points of one log. `at` is the point to compare next; `undefined` after the last point. */
class LogReading {
  readonly #points: AsyncIterator<Point>;
  #events = 0;
  #lastId = 0;
  #purged = 0;
  at: Point | undefined;

  constructor(points: AsyncIterable<Point>) {
    this.#points = points[Symbol.asyncIterator]();
  }

  async next(): Promise<void> {
    const read = await this.#points.next();
    this.at = read.done === true ? undefined : read.value;
    if (this.at === undefined) return;
    this.#lastId = this.at.id;
    if (this.at.event !== undefined) this.#events += 1;
  }

  /** Counts an event of the other copy that is purged in this copy. */
  countPurged({ event }: Point): void {
    if (isPurged(this.at) && event !== undefined) this.#purged += 1;
  }

  /** Reads the rest of the log, and returns the totals. `at` is the point at which the comparison ended. */
  async rest(at: Point | undefined): Promise<ComparedCopy> {
    while (this.at !== undefined) await this.next();
    const found = { events: this.#events, last_id: this.#lastId, purged: this.#purged };
    return at === undefined ? found : { ...found, at: placeOf(at) };
  }
}

function placeOf({ id, event }: Point): LogPlace {
  if (event === undefined) return { id, purged: true };
  const { uid, type, created_at } = event;
  return { id, uid, type, created_at };
}
