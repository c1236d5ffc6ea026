import { readSync, writeSync } from "node:fs";
import { invariant } from "../base/invariant.ts";

/**
 * Overwrites with zeros what a SQLite file holds outside of its content (https://sqlite.org/fileformat2.html): the gap
 * and the free blocks of each b-tree page, free pages, and the end of each overflow chain. Only scraps of up to three
 * bytes between cells stay, which `secure_delete` has erased already. SQLite leaves copies in the rest:
 * `secure_delete` erases what is deleted, but not what it copied before while it divided a page.
 *
 * The caller sees to it that the file is whole and stays as it is meanwhile: nobody writes, and the write-ahead log is
 * empty. A stop in between does no harm, since nothing reads these bytes.
 */
export class UnusedBytes {
  readonly #file: number;
  readonly #pageSize: number;
  readonly #usable: number;
  readonly #pages: number;
  readonly #free: ReadonlyMap<number, number>;

  constructor(file: number, bytes: number) {
    this.#file = file;
    const header = this.#read(0, 100);
    const size = header.readUInt16BE(16);
    this.#pageSize = size === 1 ? 65_536 : size;
    this.#usable = this.#pageSize - (header[20] ?? 0);
    this.#pages = Math.floor(bytes / this.#pageSize);
    invariant(header.readUInt32BE(52) === 0, "the file has no pointer maps");
    // The first byte of an overflow page is the highest of a page number; in such a file it could look like a type.
    invariant(this.#pages < MAX_PAGES, "the file is not larger than 128 GiB");
    this.#free = this.#freePages(header.readUInt32BE(32));
  }

  /** Cleans `count` pages from `first` on, which counts from 1. */
  clean(first: number, count: number): { readonly changed: boolean; readonly next: number } {
    const last = Math.min(first + count - 1, this.#pages);
    if (last < first) return { changed: false, next: first };
    const at = (first - 1) * this.#pageSize;
    const bytes = this.#read(at, (last - first + 1) * this.#pageSize);
    let changed = false;
    for (let page = first; page <= last; page++) {
      const own = bytes.subarray((page - first) * this.#pageSize).subarray(0, this.#pageSize);
      if (!this.#cleanPage(page, own)) continue;
      this.#write((page - 1) * this.#pageSize, own);
      changed = true;
    }
    return { changed, next: last + 1 };
  }

  get pages(): number {
    return this.#pages;
  }

  #cleanPage(page: number, bytes: Buffer): boolean {
    // The first page holds the schema and no text of anybody; by its bytes a daemon knows its file (`file-content.ts`).
    if (page === 1 || page === Math.floor(LOCK_BYTE / this.#pageSize) + 1) return false;
    const free = this.#free.get(page);
    if (free !== undefined) return zero(bytes, free, this.#usable);
    const tree = readTree(bytes, this.#usable);
    if (tree === undefined) return false;
    let changed = false;
    for (const [from, to] of tree.unused) changed = zero(bytes, from, to) || changed;
    for (const { first, length } of overflows(bytes, tree, this.#usable))
      this.#cleanChainEnd(first, length);
    return changed;
  }

  /** The last page of a chain is seldom full. */
  #cleanChainEnd(first: number, length: number): void {
    const room = this.#usable - 4;
    let page = first;
    for (let left = length; left > room; left -= room) {
      if (!this.#isPage(page)) return;
      page = this.#read((page - 1) * this.#pageSize, 4).readUInt32BE(0);
    }
    if (!this.#isPage(page)) return;
    const at = (page - 1) * this.#pageSize;
    const used = 4 + (length % room === 0 ? room : length % room);
    const bytes = this.#read(at, this.#usable);
    if (zero(bytes, used, this.#usable)) this.#write(at, bytes);
  }

  /** Pages of the free list, and from which byte on each is unused: a trunk page lists others. */
  #freePages(firstTrunk: number): ReadonlyMap<number, number> {
    const free = new Map<number, number>();
    for (let trunk = firstTrunk; this.#isPage(trunk) && !free.has(trunk); ) {
      const bytes = this.#read((trunk - 1) * this.#pageSize, this.#usable);
      const count = Math.min(bytes.readUInt32BE(4), this.#usable / 4 - 2);
      free.set(trunk, 8 + 4 * count);
      for (let at = 0; at < count; at++) {
        const leaf = bytes.readUInt32BE(8 + 4 * at);
        if (this.#isPage(leaf)) free.set(leaf, 0);
      }
      trunk = bytes.readUInt32BE(0);
    }
    return free;
  }

  #isPage(page: number): boolean {
    return page > 1 && page <= this.#pages;
  }

  #read(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    invariant(readSync(this.#file, bytes, 0, length, at) === length, "a page is read whole");
    return bytes;
  }

  #write(at: number, bytes: Buffer): void {
    const written = writeSync(this.#file, bytes, 0, bytes.length, at);
    invariant(written === bytes.length, "a page is written whole");
  }
}

const MAX_PAGES = 0x0200_0000;
const LOCK_BYTE = 0x4000_0000;

type Span = readonly [from: number, to: number];

interface Tree {
  readonly kind: number;
  readonly cells: readonly number[];
  readonly unused: readonly Span[];
}

const INDEX_INTERIOR = 2;
const TABLE_INTERIOR = 5;
const INDEX_LEAF = 10;
const TABLE_LEAF = 13;

/** `undefined` for what is no b-tree page, or none that adds up: then its bytes are left alone. */
function readTree(bytes: Buffer, usable: number): Tree | undefined {
  const kind = bytes[0] ?? 0;
  const isInterior = kind === INDEX_INTERIOR || kind === TABLE_INTERIOR;
  if (!isInterior && kind !== INDEX_LEAF && kind !== TABLE_LEAF) return undefined;
  const count = bytes.readUInt16BE(3);
  const pointers = isInterior ? 12 : 8;
  const gapStart = pointers + 2 * count;
  const stored = bytes.readUInt16BE(5);
  const content = stored === 0 ? 65_536 : stored;
  if (gapStart > content || content > usable) return undefined;
  const unused: Span[] = [[gapStart, content]];
  for (let at = bytes.readUInt16BE(1); at !== 0; ) {
    if (at < content || at + 4 > usable) return undefined;
    const [next, size] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)];
    if (at + size > usable || (next !== 0 && next <= at)) return undefined;
    unused.push([at + 4, at + size]);
    at = next;
  }
  const cells = Array.from({ length: count }, (_, at) => bytes.readUInt16BE(pointers + 2 * at));
  if (cells.some((at) => at < content || at >= usable)) return undefined;
  return { kind, cells, unused };
}

/** The cells whose content goes on in other pages: where, and with how many bytes. */
function* overflows(
  bytes: Buffer,
  { kind, cells }: Tree,
  usable: number,
): Generator<{ readonly first: number; readonly length: number }> {
  if (kind === TABLE_INTERIOR) return;
  const isTable = kind === TABLE_LEAF;
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  for (const cell of cells) {
    let [payload, at] = readVarint(bytes, kind === INDEX_INTERIOR ? cell + 4 : cell);
    if (payload <= most) continue;
    if (isTable) [, at] = readVarint(bytes, at);
    const kept = least + ((payload - least) % (usable - 4));
    const local = kept <= most ? kept : least;
    if (at + local + 4 > usable) continue;
    yield { first: bytes.readUInt32BE(at + local), length: payload - local };
  }
}

/** SQLite's variable-length integer: seven bits a byte, the highest first, the ninth byte with all eight. */
function readVarint(bytes: Buffer, start: number): [value: number, end: number] {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const byte = bytes[at] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, at + 1];
  }
  return [value * 256 + (bytes[start + 8] ?? 0), start + 9];
}

const ZEROS = Buffer.alloc(65_536);

function zero(bytes: Buffer, from: number, to: number): boolean {
  const span = bytes.subarray(from, to);
  if (span.length === 0 || span.equals(ZEROS.subarray(0, span.length))) return false;
  span.fill(0);
  return true;
}
