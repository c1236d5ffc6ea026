import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import type { Clock } from "../base/clock.ts";
import { errorCode } from "../base/error-code.ts";

export interface LogFile {
  /**
   * The last `limit` lines of the log and its rotated parts, oldest first. Must be called only once, before `added`.
   */
  last(limit: number): readonly string[];
  /**
   * Yields the lines that are written to the log after the call of `last`, until `signal` is aborted. If the log is
   * rotated or moved, the old file is read to its end, then the new one from its beginning.
   */
  added(clock: Clock, signal: AbortSignal): AsyncGenerator<string>;
  close(): void;
}

const POLL_MS = 200; // docs/contract/command-line.md#28-the-daemon

/** Opens the daemon's log at `path` and keeps it open, so that it stays readable when it is renamed. */
export function openLog(path: string): LogFile {
  let reader = openTail(path);
  return {
    last: (limit) => {
      const lines = [...(reader?.read() ?? [])];
      for (let part = 1; lines.length < limit; part++) {
        const text = textOf(`${path}.${part}`);
        if (text === undefined) break;
        lines.unshift(...linesOf(text));
      }
      return lines.slice(-limit);
    },
    async *added(clock, signal) {
      while (!signal.aborted) {
        yield* reader?.read() ?? [];
        if (reader === undefined || isReplaced(path, reader.inode)) {
          yield* reader?.read() ?? [];
          reader?.close();
          reader = openTail(path);
          if (reader !== undefined) continue;
        }
        await clock.sleep(POLL_MS, signal);
      }
    },
    close: () => {
      reader?.close();
      reader = undefined;
    },
  };
}

interface Tail {
  readonly inode: number;
  /** Reads the complete lines that were written since the last call. */
  read(): readonly string[];
  close(): void;
}

function openTail(path: string): Tail | undefined {
  const fd = openIfThere(path);
  if (fd === undefined) return undefined;
  const { ino } = fstatSync(fd);
  const buffer = Buffer.alloc(64 * 1024);
  let at = 0;
  let rest: Buffer = Buffer.alloc(0);
  return {
    inode: ino,
    read: () => {
      const pieces = [rest];
      for (let count = -1; count !== 0; at += count) {
        count = readSync(fd, buffer, 0, buffer.length, at);
        pieces.push(Buffer.from(buffer.subarray(0, count)));
      }
      const bytes = Buffer.concat(pieces);
      const end = bytes.lastIndexOf(0x0a) + 1;
      rest = bytes.subarray(end);
      return linesOf(bytes.toString("utf8", 0, end));
    },
    close: () => closeSync(fd),
  };
}

function isReplaced(path: string, inode: number): boolean {
  return statSync(path, { throwIfNoEntry: false })?.ino !== inode;
}

function openIfThere(path: string): number | undefined {
  return ifThere(() => openSync(path, "r"));
}

function textOf(path: string): string | undefined {
  return ifThere(() => readFileSync(path, "utf8"));
}

function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}
