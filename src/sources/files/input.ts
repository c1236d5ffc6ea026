import { open } from "node:fs/promises";
import { errorCode } from "../../base/error-code.ts";
import { SvcError } from "../../contract/errors.ts";
import { type Line, readLines } from "./lines.ts";

/**
 * Calls `work` with the lines of a file and closes the file even when `work` stops early. `seen` is called with each
 * chunk of bytes that is read.
 */
export async function withFileLines<T>(
  path: string,
  work: (lines: AsyncIterable<Line>) => Promise<T>,
  seen: (bytes: Uint8Array) => void = () => undefined,
): Promise<T> {
  const file = await open(path).catch((cause: unknown) => {
    throw unopened(path, cause);
  });
  try {
    if ((await file.stat()).isDirectory()) throw unreadable(path, "it is a folder");
    const stream = file.createReadStream({ autoClose: false });
    try {
      return await work(readLines(reportingChunks(stream, seen)));
    } finally {
      stream.destroy();
    }
  } finally {
    await file.close();
  }
}

async function* reportingChunks(
  chunks: AsyncIterable<Uint8Array>,
  seen: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    seen(chunk);
    yield chunk;
  }
}

export function unopened(path: string, cause: unknown): SvcError {
  const code = errorCode(cause) ?? "no reason given";
  const why = REASONS.get(code) ?? `it cannot be opened (${code})`;
  return unreadable(path, why, cause);
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "a part of its path is no folder"],
  ["EACCES", "permission is denied"],
]);

export function unreadable(path: string, why: string, cause?: unknown): SvcError {
  return new SvcError("validation", { path }, { message: `cannot read ${path}: ${why}`, cause });
}
