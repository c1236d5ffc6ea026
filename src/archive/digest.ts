import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isPlainObject, type JsonObject, parseJson } from "../base/json.ts";
import { unopened, unreadable } from "../sources/files/input.ts";

/**
 * The kind of the last record of an export. This record contains the number of records of each kind before it and the
 * SHA-256 of their lines.
 */
export const DIGEST = "digest";

/** A field of the first record. It says that the file ends with a digest, so that a truncated file is recognized. */
export const ENDS_WITH = "ends_with";

export interface Record {
  readonly kind: string;
  readonly text: string;
}

export async function* withDigest(records: AsyncIterable<Record>): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const counts = new Map<string, number>();
  let all = 0;
  for await (const { kind, text } of records) {
    hash.update(`${text}\n`);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    all += 1;
    yield text;
  }
  const data = { records: all, counts: Object.fromEntries(counts), sha256: hash.digest("hex") };
  yield JSON.stringify({ kind: DIGEST, data });
}

export interface FileBytes {
  readonly bytes: number;
  readonly lines: number;
  /** SHA-256 of the whole file, lower-case hex. */
  readonly sha256: string;
  /** Whether the first line announces a digest at the end. */
  readonly announced: boolean;
  /**
   * Present if the last line is a digest. `written` is the hash in that line, `computed` the hash of all lines before
   * it.
   */
  readonly digest: { readonly written: string; readonly computed: string } | undefined;
}

/** Reads a file as bytes and hashes it, without checking that its lines are records. */
export async function readBytes(path: string): Promise<FileBytes> {
  const file = await open(path).catch((cause: unknown) => {
    throw unopened(path, cause);
  });
  try {
    const stat = await file.stat();
    if (stat.isDirectory()) throw unreadable(path, "it is a folder");
    const head = await recordAt(file, 0, stat.size);
    const lastAt = await lastLineAt(file, stat.size);
    const last = await recordAt(file, lastAt, stat.size);
    const data = last?.["kind"] === DIGEST ? last["data"] : undefined;
    const written = isPlainObject(data) ? data["sha256"] : undefined;
    const { before, ...found } = await hashFile(path, lastAt);
    return {
      ...found,
      announced: head?.[ENDS_WITH] === DIGEST,
      digest: typeof written === "string" ? { written, computed: before } : undefined,
    };
  } finally {
    await file.close();
  }
}

/**
 * The first line of an export and the digest are always shorter than this. A longer line is read as neither of the two.
 */
const SHORT_LINE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * The JSON object on the line that starts at byte `from`; undefined if the line is longer than `SHORT_LINE_BYTES` or is
 * not a JSON object.
 */
async function recordAt(
  file: FileHandle,
  from: number,
  size: number,
): Promise<JsonObject | undefined> {
  const bytes = await slice(file, from, Math.min(SHORT_LINE_BYTES, size - from));
  const end = bytes.indexOf(NEWLINE);
  try {
    const record = parseJson(bytes.toString("utf8", 0, end === -1 ? bytes.length : end));
    return isPlainObject(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The byte at which the last line that is not blank starts. Only the last `SHORT_LINE_BYTES` of the file are searched.
 */
async function lastLineAt(file: FileHandle, size: number): Promise<number> {
  const from = Math.max(0, size - SHORT_LINE_BYTES);
  const tail = await slice(file, from, size - from);
  const text = tail.toString("latin1").trimEnd();
  return from + text.lastIndexOf("\n") + 1;
}

async function slice(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, from);
  return buffer.subarray(0, bytesRead);
}

async function hashFile(path: string, lastAt: number) {
  const [all, before] = [createHash("sha256"), createHash("sha256")];
  let [bytes, lines] = [0, 0];
  try {
    for await (const chunk of createReadStream(path)) {
      const read = chunk as Buffer;
      all.update(read);
      if (bytes < lastAt) before.update(read.subarray(0, lastAt - bytes));
      bytes += read.length;
      lines += linesIn(read);
    }
  } catch (cause) {
    throw unreadable(path, "reading it failed", cause);
  }
  return { bytes, lines, sha256: all.digest("hex"), before: before.digest("hex") };
}

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
