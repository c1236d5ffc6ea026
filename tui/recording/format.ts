import type { Instant } from "../../src/base/clock.ts";
import { parseExact } from "../../src/base/json.ts";
import type { Scope } from "../../src/screen/scope/state.ts";
import { count, instant, isObject, object, optional, spaced, text } from "./checks.ts";
import { KINDS, type Kind, type RecordedMessage, scope } from "./kinds.ts";

export const RECORDING_VERSION = 2;

export interface RecordingHeader {
  readonly at: Instant;
  readonly svc: string;
  readonly actor: string;
  readonly daemon: string;
  readonly inboxOf: string;
  /** The time zone of the screen, so that a replay elsewhere shows the same times. */
  readonly zone: string;
  readonly scope: Scope | undefined;
  readonly open: string | undefined;
}

/** A message and the time at which it is played, in milliseconds after the start. */
export interface Moment {
  readonly at: number;
  readonly message: RecordedMessage;
}

export interface Recording {
  readonly opening: RecordingHeader;
  readonly moments: readonly Moment[];
  /** The length of the recording in milliseconds. */
  readonly length: number;
}

/**
 * The serial number of all recorded lists of issues. It is the highest number, because the screen drops a list whose
 * number is lower than the number of the last request.
 */
const ANY_SERIAL = Number.MAX_SAFE_INTEGER;

export function openingLine(opening: RecordingHeader): string {
  return JSON.stringify({ svc_tui_recording: RECORDING_VERSION, ...opening });
}

export function momentLine(at: number, message: RecordedMessage): string {
  // The serial number of the question has no meaning in a replay.
  const fields: Fields =
    message.type === "issues" ? { ...message, serial: undefined } : { ...message };
  return JSON.stringify({ at, ...withChange(message.type, fields, withNulls) });
}

export function endLine(at: number): string {
  return JSON.stringify({ at, type: "end" });
}

export type Read =
  | { readonly recording: Recording }
  | { readonly line: number; readonly wrong: string };

/** Reads a recording, or says which line is invalid. An incomplete last line is ignored. */
export function readRecording(file: string): Read {
  const lines = file.split("\n");
  const cut = lines.pop();
  const opening = readOpening(lines[0] ?? cut ?? "");
  if (typeof opening === "string") return { line: 1, wrong: opening };
  const moments: Moment[] = [];
  let length = 0;
  for (const [at, line] of lines.entries()) {
    if (at === 0) continue;
    const moment = readMoment(line, length);
    if (typeof moment === "string") return { line: at + 1, wrong: moment };
    length = moment.at;
    if (moment.message !== undefined) moments.push({ at: length, message: moment.message });
  }
  return { recording: { opening, moments, length } };
}

const checkOpening = object({
  at: instant,
  svc: text,
  actor: text,
  daemon: text,
  inboxOf: text,
  zone: text,
  scope: optional(scope),
  open: optional(text),
});

function readOpening(line: string): RecordingHeader | string {
  const value = parsed(line);
  if (value === undefined || !("svc_tui_recording" in value))
    return "it is no recording of svc tui";
  const { svc_tui_recording: version, ...opening } = value;
  if (version !== RECORDING_VERSION)
    return `it is of version ${JSON.stringify(version)}, and this svc reads ${RECORDING_VERSION}`;
  const wrong = checkOpening(opening);
  return wrong === undefined
    ? (opening as unknown as RecordingHeader)
    : `the start${spaced(wrong)}`;
}

interface ReadMoment {
  readonly at: number;
  /** The recorded message; `undefined` on the last line, which contains only the time of the end. */
  readonly message: RecordedMessage | undefined;
}

function readMoment(line: string, after: number): ReadMoment | string {
  const value = parsed(line);
  if (value === undefined) return "it is no JSON object";
  const { at, ...message } = value;
  const late = count(at);
  if (late !== undefined) return `.at ${late}`;
  if (Number(at) < after) return ".at goes back in time";
  const { type } = message;
  if (type === "end") return { at: Number(at), message: undefined };
  if (!isKind(type)) return `there is no ${JSON.stringify(type)} in a recording`;
  const back = withChange(type, message, withoutNulls);
  const fields = type === "issues" ? { ...back, serial: ANY_SERIAL } : back;
  const wrong = KINDS[type].check(fields);
  return wrong === undefined
    ? { at: Number(at), message: fields as unknown as RecordedMessage }
    : `${type}${spaced(wrong)}`;
}

function isKind(type: unknown): type is RecordedMessage["type"] {
  return typeof type === "string" && Object.hasOwn(KINDS, type);
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseExact(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function withChange(
  type: RecordedMessage["type"],
  message: Fields,
  to: (change: Fields) => Fields,
): Fields {
  const { change }: Kind = KINDS[type];
  const part = change === undefined ? undefined : message[change];
  return change === undefined || !isObject(part) ? message : { ...message, [change]: to(part) };
}

/** JSON omits undefined values. In a change undefined means "removed", so it is written as null. */
function withNulls(change: Fields): Fields {
  return mapped(change, (value) => (value === undefined ? null : value));
}

function withoutNulls(change: Fields): Fields {
  return mapped(change, (value) => (value === null ? undefined : value));
}

function mapped(fields: Fields, to: (value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, to(value)]));
}
