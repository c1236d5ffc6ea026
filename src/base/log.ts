import { chmodSync, closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import type { Clock } from "./clock.ts";
import { errorCode } from "./error-code.ts";

export type Level = "debug" | "info" | "warn" | "error";
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Each call writes one JSON line: a name and fields, not a sentence, as in `log.info("sweep.delivered", { jobs: 3 })`.
 */
export interface Log {
  debug(event: string, fields?: Fields): void;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
  /** Returns a log that adds these fields to every line. */
  child(fields: Fields): Log;
}

export interface Sink {
  write(line: string): void;
  /** Opens the file again, after it was moved away (log rotation). */
  reopen(): void;
  close(): void;
}

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};

const RANK: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

export function createLog(
  sink: Sink,
  clock: Clock,
  level: Level = "info",
  context: Fields = {},
): Log {
  const at =
    (own: Level) =>
    (event: string, fields: Fields = {}): void => {
      if (RANK[own] < RANK[level]) return;
      sink.write(`${toLine({ time: clock.now(), level: own, event, ...context, ...fields })}\n`);
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => createLog(sink, clock, level, { ...context, ...fields }),
  };
}

/** Names of fields with secrets or bodies; their values are never written to the log. */
const SECRET =
  /^(?:.*_)?(?:token|password|secret|authorization|cookie|hash|headers?|body|api_key)$/i;

function toLine(fields: Fields): string {
  try {
    return JSON.stringify(fields, (key, value: unknown) => {
      if (key !== "" && SECRET.test(key)) return "[removed]";
      if (value instanceof Error) return errorFields(value);
      return typeof value === "bigint" ? String(value) : value;
    });
  } catch (error) {
    // If JSON cannot represent a field (such as a cycle), log the line without it. Otherwise logging an error could
    // throw another one.
    return JSON.stringify({
      time: fields["time"],
      level: fields["level"],
      event: fields["event"],
      unwritable: String(error),
    });
  }
}

function errorFields(error: Error): Fields {
  const code: unknown = "code" in error ? error.code : undefined;
  return { name: error.name, code, message: error.message, stack: error.stack, cause: error.cause };
}

/**
 * Appends to a file that only its owner can read. Before a line that would make the file larger than `maxBytes`, the
 * file is renamed to `<path>.1`, `<path>.1` to `<path>.2` and so on; at most `keep` renamed files stay. A line that
 * cannot be written (full disk) is dropped, so that the daemon goes on. With `late`, the file is opened at its first
 * line.
 */
export function fileSink(
  path: string,
  limits: { readonly maxBytes: number; readonly keep: number; readonly late?: true },
): Sink {
  // Forget the descriptor before closing it: its number may be reused at once, for example by the database.
  let file: OpenLog | undefined = limits.late ? undefined : openLog(path);
  const close = (): void => {
    if (file === undefined) return;
    const { fd } = file;
    file = undefined;
    closeSync(fd);
  };
  const makeRoom = (bytes: number): OpenLog => {
    if (file !== undefined && file.size > 0 && file.size + bytes > limits.maxBytes) {
      close();
      shiftFiles(path, limits.keep);
    }
    file ??= openLog(path);
    return file;
  };
  return {
    write(line) {
      try {
        const bytes = Buffer.byteLength(line);
        const target = makeRoom(bytes);
        writeSync(target.fd, line);
        target.size += bytes;
      } catch {
        // A failure to write the log cannot be logged.
      }
    },
    // The next line that is logged opens the file again.
    reopen: close,
    close,
  };
}

interface OpenLog {
  readonly fd: number;
  size: number;
}

function openLog(path: string): OpenLog {
  const fd = openSync(path, "a", 0o600);
  chmodSync(path, 0o600);
  return { fd, size: fstatSync(fd).size };
}

function shiftFiles(path: string, keep: number): void {
  rmSync(`${path}.${keep}`, { force: true });
  for (let number = keep - 1; number >= 1; number--)
    moveIfThere(`${path}.${number}`, `${path}.${number + 1}`);
  if (keep >= 1) moveIfThere(path, `${path}.1`);
  else rmSync(path, { force: true });
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
