import { closest } from "../../domain/meaning/nearest.ts";
import { putBits, readBits, wordsOf } from "../../domain/meaning/vectors.ts";

const BYTES_PER_WORD = 4;
const BYTES_PER_COMPONENT = 4;

/** The chunks of an issue: their number, the id of the first one, and their sign bits. */
export interface IssueChunks {
  readonly issue_uid: string;
  readonly first_chunk: number;
  readonly chunk_count: number;
  readonly bits: Uint8Array;
}

/** A chunk as the scoring needs it. `at` is its place among the chunks of the project, until these change. */
export interface Candidate {
  readonly at: number;
  readonly id: number;
  readonly issue: number;
  /** Undefined if the vector is not kept in memory. */
  readonly vector: Float32Array | undefined;
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
  #vectors: (Float32Array | undefined)[] = [];
  /** The number of chunks. The arrays above have room for more. */
  #count = 0;
  /** Uids by the number of the issue. Numbers of removed issues are not used again. */
  readonly #uids: (string | undefined)[] = [];
  readonly #numbers = new Map<string, number>();
  /** How many vectors are in memory. */
  #kept = 0;
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

  /** How many bytes the vectors in memory take. */
  get keptBytes(): number {
    return this.#kept * this.dims * BYTES_PER_COMPONENT;
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
    if (removed.size > 0) this.#keep((at) => !removed.has(this.#issues[at] ?? 0));
  }

  clear(): void {
    this.remove([...this.#numbers.keys()]);
  }

  /** Drops the vectors from memory and keeps the bits. */
  dropVectors(): void {
    for (const vector of this.#vectors) vector?.fill(0);
    this.#vectors = [];
    this.#kept = 0;
  }

  keepVector(at: number, vector: Float32Array): void {
    // An array that is filled from its middle on would be slow.
    while (this.#vectors.length < this.#count) this.#vectors.push(undefined);
    if (this.#vectors[at] === undefined) this.#kept += 1;
    this.#vectors[at] = vector;
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

  /** Returns at most `most` chunks by the distance of their sign bits to those of the vector. */
  candidates(vector: Float32Array, most: number, marks?: Uint8Array): readonly Candidate[] {
    const query = new Uint32Array(this.#words);
    putBits(vector, query, 0);
    const bits = this.#bits.subarray(0, this.#count * this.#words);
    return Array.from(closest(bits, this.#words, query, most, marks), (at) => ({
      at,
      id: this.#ids[at] ?? 0,
      issue: this.#issues[at] ?? 0,
      vector: this.#vectors[at],
    }));
  }

  #makeRoom(more: number): void {
    const needed = this.#count + more;
    if (needed <= this.#ids.length) return;
    const room = Math.max(needed, Math.ceil(this.#count * 1.25));
    this.#bits = grown(new Uint32Array(room * this.#words), this.#bits);
    this.#ids = grown(new Float64Array(room), this.#ids);
    this.#issues = grown(new Uint32Array(room), this.#issues);
  }

  /** Moves the chunks that stay together and overwrites the rest. */
  #keep(stays: (at: number) => boolean): void {
    let to = 0;
    for (let at = 0; at < this.#count; at++) {
      if (!stays(at)) {
        if (this.#vectors[at] !== undefined) this.#kept -= 1;
        this.#vectors[at]?.fill(0);
        continue;
      }
      if (to < at) this.#move(at, to);
      to += 1;
    }
    this.#bits.fill(0, to * this.#words);
    this.#ids.fill(0, to);
    this.#issues.fill(0, to);
    if (this.#vectors.length > to) this.#vectors.length = to;
    this.#count = to;
  }

  #move(at: number, to: number): void {
    this.#bits.copyWithin(to * this.#words, at * this.#words, (at + 1) * this.#words);
    this.#ids[to] = this.#ids[at] ?? 0;
    this.#issues[to] = this.#issues[at] ?? 0;
    if (this.#vectors.length > 0) this.#vectors[to] = this.#vectors[at];
  }
}

/** A vector or the bits of an issue are not what was stored. */
export class DamagedVector extends Error {}

function grown<T extends { set(from: T): void }>(array: T, from: T): T {
  array.set(from);
  return array;
}
