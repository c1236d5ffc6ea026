import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isPlainObject, type JsonObject, parseJson } from "../base/json.ts";
import { unopened, unreadable } from "./input.ts";

/** The kind of the last record: how many records of each kind came before it, and the SHA-256 of their lines. */
export const DIGEST = "digest";

/** Stands in the first record of a file that ends with a digest, so that a file without its end is known as cut. */
export const ENDS_WITH = "ends_with";

export interface Record {
  readonly kind: string;
  /** The line, without its line break. */
  readonly text: string;
}

/** The lines of an export with the digest behind them. */
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
  /** Of the whole file, lower-case hex. */
  readonly sha256: string;
  /** Whether the first line says that the file ends with a digest. */
  readonly announced: boolean;
  /** What the last line says of the lines before it, where it is a digest, and what those lines give. */
  readonly digest: { readonly told: string; readonly found: string } | undefined;
}

/** Reads a file as bytes: what its digest says about them, whatever stands in its lines. */
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
    const told = isPlainObject(data) ? data["sha256"] : undefined;
    const { before, ...found } = await hashed(path, lastAt);
    return {
      ...found,
      announced: head?.[ENDS_WITH] === DIGEST,
      digest: typeof told === "string" ? { told, found: before } : undefined,
    };
  } finally {
    await file.close();
  }
}

/** A digest and the head of a file are short; a longer line is neither. */
const SHORT_LINE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** The record of the line that begins there, when it is a short one and JSON. */
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

/** Where the last line that holds anything begins; 0 when no line break is near the end. */
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

async function hashed(path: string, lastAt: number) {
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
