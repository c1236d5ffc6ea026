import { closest } from "../../domain/meaning/nearest.ts";
import { cosine, putBits, readBits, wordsOf } from "../../domain/meaning/vectors.ts";

const BYTES_PER_WORD = 4;
const BYTES_PER_COMPONENT = 4;
/** How many vectors are in one array. Memory is taken and freed in such parts, so that none is copied to make room. */
const BLOCK = 64;

/** The chunks of an issue: their number, the id of the first one, and their sign bits. */
export interface IssueChunks {
  readonly issue_uid: string;
  readonly first_chunk: number;
  readonly chunk_count: number;
  readonly bits: Uint8Array;
}

/**
 * What is kept in memory of the chunks of a project in one generation: their sign bits, and the vectors themselves if
 * there are few. For 100,000 chunks of 768 dimensions the bits take 9.2 MiB and the rest at most 11 MiB.
 */
export class ProjectVectors {
  readonly dims: number;
  readonly #words: number;
  #bits = new Uint32Array(0);
  #ids = new Float64Array(0);
  #issues = new Uint32Array(0);
  /** The vectors that are kept, `BLOCK` of them in each array. There is no array where none is kept. */
  #blocks: (Float32Array | undefined)[] = [];
  #blockCount = 0;
  /** Whether vectors are kept. */
  #keeps = false;
  /** 1 for each vector that is in memory. */
  #isKept = new Uint8Array(0);
  /** The number of chunks. The arrays above have room for more. */
  #count = 0;
  /** Uids by the number of the issue. Numbers of removed issues are not used again. */
  readonly #uids: (string | undefined)[] = [];
  readonly #numbers = new Map<string, number>();
  /** The last change of the index that is taken into account. */
  version = 0;
  usedAtMs = 0;

  constructor(dims: number) {
    this.dims = dims;
    this.#words = wordsOf(dims);
  }

  get count(): number {
    return this.#count;
  }

  /** How many bytes are taken for vectors in memory. */
  get keptBytes(): number {
    return this.#blockCount * this.#blockBytes;
  }

  /** How many bytes are taken if all vectors are kept in memory. */
  get wholeBytes(): number {
    return Math.ceil(this.#count / BLOCK) * this.#blockBytes;
  }

  get #blockBytes(): number {
    return BLOCK * this.dims * BYTES_PER_COMPONENT;
  }

  uidOf(issue: number): string | undefined {
    return this.#uids[issue];
  }

  /** Adds issues that are not there. Throws if the bits of one do not fit its number of chunks. */
  add(issues: readonly IssueChunks[]): void {
    this.#makeRoom(issues.reduce((sum, { chunk_count }) => sum + chunk_count, 0));
    for (const { issue_uid, first_chunk, chunk_count, bits } of issues) {
      if (bits.length !== chunk_count * this.#words * BYTES_PER_WORD)
        throw new DamagedVector("the sign bits of an issue do not fit its chunks");
      if (chunk_count === 0) continue;
      const issue = this.#uids.push(issue_uid) - 1;
      this.#numbers.set(issue_uid, issue);
      readBits(bits, this.#bits, this.#count * this.#words);
      for (let number = 0; number < chunk_count; number++, this.#count++) {
        this.#ids[this.#count] = first_chunk + number;
        this.#issues[this.#count] = issue;
      }
    }
  }

  /** Removes issues. Their bits and vectors are overwritten. */
  remove(uids: Iterable<string>): void {
    const removed = new Set<number>();
    for (const uid of uids) {
      const issue = this.#numbers.get(uid);
      if (issue === undefined) continue;
      removed.add(issue);
      this.#numbers.delete(uid);
      this.#uids[issue] = undefined;
    }
    if (removed.size > 0) this.#removeChunks(removed);
  }

  clear(): void {
    this.remove([...this.#numbers.keys()]);
  }

  /** Lets `keepVector` keep vectors from now on. */
  keepVectors(): void {
    this.#keeps = true;
  }

  /** Drops the vectors from memory and keeps the bits. */
  dropVectors(): void {
    this.#keeps = false;
    for (const block of this.#blocks) block?.fill(0);
    this.#blocks = [];
    this.#blockCount = 0;
    this.#isKept.fill(0);
  }

  /** Puts a vector into memory, if they are kept. */
  keepVector(place: number, vector: Float32Array): void {
    if (!this.#keeps) return;
    const at = Math.floor(place / BLOCK);
    let block = this.#blocks[at];
    if (block === undefined) {
      block = new Float32Array(BLOCK * this.dims);
      this.#blocks[at] = block;
      this.#blockCount += 1;
    }
    block.set(vector, (place % BLOCK) * this.dims);
    this.#isKept[place] = 1;
  }

  idAt(place: number): number {
    return this.#ids[place] ?? 0;
  }

  // The methods below have plain loops: `from` and `map` of typed arrays take several times as long.

  /** Returns the numbers of the issues at the places. */
  issuesAt(places: Uint32Array): Uint32Array {
    const issues = new Uint32Array(places.length);
    for (let at = 0; at < places.length; at++) issues[at] = this.#issues[places[at] ?? 0] ?? 0;
    return issues;
  }

  /** Returns the cosines of the vector with those at the places, or NaN for one that is not in memory. */
  cosinesAt(places: Uint32Array, vector: Float32Array): Float64Array {
    const cosines = new Float64Array(places.length);
    for (let at = 0; at < places.length; at++) {
      const place = places[at] ?? 0;
      const block = this.#isKept[place] === 1 ? this.#blocks[Math.floor(place / BLOCK)] : undefined;
      cosines[at] =
        block === undefined ? Number.NaN : cosine(vector, block, (place % BLOCK) * this.dims);
    }
    return cosines;
  }

  /** Marks the chunks of these issues with 1, all others with 0. Also returns how many are marked. */
  marked(uids: readonly string[]): { readonly marks: Uint8Array; readonly count: number } {
    const marks = new Uint8Array(this.#count);
    const wanted = new Set(uids.map((uid) => this.#numbers.get(uid)));
    let count = 0;
    for (let at = 0; at < this.#count; at++) {
      if (!wanted.has(this.#issues[at])) continue;
      marks[at] = 1;
      count += 1;
    }
    return { marks, count };
  }

  /**
   * Returns the places of at most `most` chunks by the distance of their sign bits to those of the vector, or of all
   * chunks in their order if these are not more. A place is valid until the chunks change.
   */
  candidates(vector: Float32Array, most: number, marks?: Uint8Array): Uint32Array {
    if (most >= this.#count) {
      const places = new Uint32Array(this.#count);
      for (let place = 0; place < places.length; place++) places[place] = place;
      return marks === undefined ? places : places.filter((place) => marks[place] === 1);
    }
    const query = new Uint32Array(this.#words);
    putBits(vector, query, 0);
    const bits = this.#bits.subarray(0, this.#count * this.#words);
    return closest(bits, this.#words, query, most, marks);
  }

  #makeRoom(more: number): void {
    const needed = this.#count + more;
    if (needed <= this.#ids.length) return;
    const room = Math.max(needed, Math.ceil(this.#count * 1.25));
    this.#bits = grown(new Uint32Array(room * this.#words), this.#bits);
    this.#ids = grown(new Float64Array(room), this.#ids);
    this.#issues = grown(new Uint32Array(room), this.#issues);
    this.#isKept = grown(new Uint8Array(room), this.#isKept);
  }

  /** Moves the last chunks to the places of those that are removed, and overwrites the rest. */
  #removeChunks(removed: ReadonlySet<number>): void {
    const before = this.#count;
    for (let at = before - 1; at >= 0; at--) {
      if (!removed.has(this.#issues[at] ?? 0)) continue;
      this.#count -= 1;
      if (at < this.#count) this.#move(this.#count, at);
    }
    const to = this.#count;
    this.#bits.fill(0, to * this.#words, before * this.#words);
    this.#ids.fill(0, to, before);
    this.#issues.fill(0, to, before);
    for (let place = to; place < before; place++) this.#forgetVector(place);
    for (let at = Math.ceil(to / BLOCK); at < this.#blocks.length; at++)
      if (this.#blocks[at] !== undefined) this.#blockCount -= 1;
    this.#blocks.length = Math.min(this.#blocks.length, Math.ceil(to / BLOCK));
  }

  #vectorAt(place: number): Float32Array | undefined {
    if (this.#isKept[place] !== 1) return undefined;
    const from = (place % BLOCK) * this.dims;
    return this.#blocks[Math.floor(place / BLOCK)]?.subarray(from, from + this.dims);
  }

  #forgetVector(place: number): void {
    this.#vectorAt(place)?.fill(0);
    this.#isKept[place] = 0;
  }

  #move(at: number, to: number): void {
    this.#bits.copyWithin(to * this.#words, at * this.#words, (at + 1) * this.#words);
    this.#ids[to] = this.#ids[at] ?? 0;
    this.#issues[to] = this.#issues[at] ?? 0;
    const vector = this.#vectorAt(at);
    if (vector === undefined) this.#forgetVector(to);
    else this.keepVector(to, vector);
  }
}

/** A vector or the bits of an issue are not what was stored. */
export class DamagedVector extends Error {}

function grown<T extends { set(from: T): void }>(array: T, from: T): T {
  array.set(from);
  return array;
}
