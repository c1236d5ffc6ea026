import { instantToMs, msToInstant } from "../../base/clock.ts";
import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { isUpperUlid } from "./names.ts";

/**
 * The progress of a native job, stored on its parent (docs/contract/cron-and-inbox.md#82-progress-and-origin). Instants
 * are whole seconds, `YYYY-MM-DDTHH:MM:SSZ`, and sort as text.
 */
export interface Progress {
  readonly version: 1;
  /** When the job was bound to its parent; never changes. */
  readonly anchor: string;
  /** All occurrences up to this instant are delivered or discarded; only grows. */
  readonly through: string;
  readonly last_occurrence: string | null;
  readonly last_child_uid: string | null;
  readonly scan: Scan | null;
}

/** An unfinished scan for the newest occurrence. */
export interface Scan {
  readonly definition_event_uid: string;
  readonly horizon: string;
  readonly cursor: string;
  readonly candidate: string | null;
}

export const PROGRESS_PREFIX = "cron.progress.";

export function progressKey(jobUid: string): string {
  return PROGRESS_PREFIX + jobUid;
}

export function firstProgress(nowMs: number): Progress {
  const anchor = toSecond(nowMs);
  return {
    version: 1,
    anchor,
    through: anchor,
    last_occurrence: null,
    last_child_uid: null,
    scan: null,
  };
}

export function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

export function toSecond(ms: number): string {
  return `${msToInstant(ms).slice(0, 19)}Z`;
}

export function progressJson(progress: Progress): JsonObject {
  const { scan, ...rest } = progress;
  return { ...rest, scan: scan === null ? null : { ...scan } };
}

/**
 * Returns `undefined` if the value is no valid progress of a job. The job then delivers nothing
 * (docs/contract/cron-and-inbox.md#82-progress-and-origin).
 */
export function readProgress(value: JsonValue | undefined): Progress | undefined {
  if (!hasExactly(value, PROGRESS_MEMBERS)) return undefined;
  const { version, anchor, through, last_occurrence, last_child_uid, scan } = value;
  if (version !== 1 || !isSecond(anchor) || !isSecond(through) || anchor > through)
    return undefined;
  const read = scan === null ? null : readScan(scan, through);
  if (read === undefined) return undefined;
  const known = { version, anchor, through, scan: read } as const;
  if (last_occurrence === null && last_child_uid === null)
    return { ...known, last_occurrence, last_child_uid };
  if (!isSecond(last_occurrence) || last_occurrence > through || !isUid(last_child_uid))
    return undefined;
  return { ...known, last_occurrence, last_child_uid };
}

const PROGRESS_MEMBERS = [
  "version",
  "anchor",
  "through",
  "last_occurrence",
  "last_child_uid",
  "scan",
];
const SCAN_MEMBERS = ["definition_event_uid", "horizon", "cursor", "candidate"];

function readScan(value: JsonValue | undefined, through: string): Scan | undefined {
  if (!hasExactly(value, SCAN_MEMBERS)) return undefined;
  const { definition_event_uid, horizon, cursor, candidate } = value;
  if (!isUid(definition_event_uid) || !isSecond(horizon) || !isSecond(cursor)) return undefined;
  if (through > cursor || cursor > horizon) return undefined;
  if (candidate !== null && !isSecond(candidate)) return undefined;
  return { definition_event_uid, horizon, cursor, candidate };
}

function hasExactly(value: JsonValue | undefined, members: readonly string[]): value is JsonObject {
  if (!isPlainObject(value)) return false;
  const names = Object.keys(value);
  return names.length === members.length && members.every((name) => Object.hasOwn(value, name));
}

function isUid(value: JsonValue | undefined): value is string {
  return typeof value === "string" && isUpperUlid(value);
}

function isSecond(value: JsonValue | undefined): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)) return false;
  const ms = instantToMs(value);
  return !Number.isNaN(ms) && toSecond(ms) === value;
}
