import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import type { Clock } from "../base/clock.ts";

/** The last `limit` lines of a log and of its rotated parts, oldest first. */
export function lastLines(path: string, limit: number): readonly string[] {
  const lines: string[] = [];
  for (let part = 0; lines.length < limit; part++) {
    const text = textOf(part === 0 ? path : `${path}.${part}`);
    if (text === undefined) break;
    lines.unshift(...linesOf(text));
  }
  return lines.slice(-limit);
}

const POLL_MS = 200; // facts cli-and-config 2.8

/**
 * Lines that are written from now on, until `signal`. A log that is rotated or moved away is read to its end, then the
 * new one from its beginning.
 */
export async function* newLines(
  path: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let reader = openTail(path, "end");
  try {
    while (!signal.aborted) {
      yield* reader?.read() ?? [];
      if (reader === undefined || isReplaced(path, reader.inode)) {
        yield* reader?.read() ?? [];
        reader?.close();
        reader = openTail(path, "start");
        if (reader !== undefined) continue;
      }
      await clock.sleep(POLL_MS, signal);
    }
  } finally {
    reader?.close();
  }
}

interface Tail {
  readonly inode: number;
  /** Whole lines since the last call. */
  read(): readonly string[];
  close(): void;
}

function openTail(path: string, from: "start" | "end"): Tail | undefined {
  const fd = opened(path);
  if (fd === undefined) return undefined;
  const { ino, size } = fstatSync(fd);
  const buffer = Buffer.alloc(64 * 1024);
  let at = from === "end" ? size : 0;
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

function opened(path: string): number | undefined {
  return ifThere(() => openSync(path, "r"));
}

function textOf(path: string): string | undefined {
  return ifThere(() => readFileSync(path, "utf8"));
}

function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}
