import { closest } from "../../domain/meaning/nearest.ts";
import { cosine, putBits, readBits, wordsOf } from "../../domain/meaning/vectors.ts";

const BYTES_PER_WORD = 4;
const BYTES_PER_COMPONENT = 4;

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
  /** The vectors one after another, with as much room as the arrays above. Empty if they are not kept. */
  #vectors = new Float32Array(0);
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
    return this.#vectors.byteLength;
  }

  /** How many bytes the vectors take if all are kept in memory. */
  get wholeBytes(): number {
    return this.#count * this.dims * BYTES_PER_COMPONENT;
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

  /** Makes room in memory for all vectors. */
  keepVectors(): void {
    if (this.#vectors.length > 0) return;
    this.#vectors = new Float32Array(this.#ids.length * this.dims);
    this.#isKept = new Uint8Array(this.#ids.length);
  }

  /** Drops the vectors from memory and keeps the bits. */
  dropVectors(): void {
    this.#vectors.fill(0);
    this.#vectors = new Float32Array(0);
    this.#isKept = new Uint8Array(0);
  }

  /** Puts a vector into memory, if there is room for all of them. */
  keepVector(place: number, vector: Float32Array): void {
    if (this.#vectors.length === 0) return;
    this.#vectors.set(vector, place * this.dims);
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
      const isKept = this.#isKept[place] === 1;
      cosines[at] = isKept ? cosine(vector, this.#vectors, place * this.dims) : Number.NaN;
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
    if (this.#vectors.length === 0) return;
    this.#vectors = grown(new Float32Array(room * this.dims), this.#vectors);
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
    this.#vectors.fill(0, to * this.dims, before * this.dims);
    this.#isKept.fill(0, to, before);
  }

  #move(at: number, to: number): void {
    this.#bits.copyWithin(to * this.#words, at * this.#words, (at + 1) * this.#words);
    this.#ids[to] = this.#ids[at] ?? 0;
    this.#issues[to] = this.#issues[at] ?? 0;
    if (this.#vectors.length === 0) return;
    this.#vectors.copyWithin(to * this.dims, at * this.dims, (at + 1) * this.dims);
    this.#isKept[to] = this.#isKept[at] ?? 0;
  }
}

/** A vector or the bits of an issue are not what was stored. */
export class DamagedVector extends Error {}

function grown<T extends { set(from: T): void }>(array: T, from: T): T {
  array.set(from);
  return array;
}
