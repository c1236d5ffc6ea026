import type { RemoteIssue } from "../domain/issue-sync/remote-issue.ts";

/** How long a transaction of a run should take. It must never take 500 ms, since other writes wait for it. */
const WANTED_MS = 200;

const FIRST = 50;
const MOST = 5000; // docs/contract/issue-sync.md#4-runs
const LEAST = 5;

/**
 * Divides what is read into parts, each of which is written in one transaction. The time that the last part took
 * decides how large the next one is.
 */
export class ChunkSizes {
  #size = FIRST;
  #sent = 0;

  /** How many issues and comments the next part may have. */
  get size(): number {
    return this.#size;
  }

  took(ms: number): void {
    // The time of a small part says little about a large one, so the size does not grow after a small part.
    const isTelling = ms > WANTED_MS || this.#sent * 2 >= this.#size;
    if (!isTelling) return;
    const fitting = Math.round((this.#sent * WANTED_MS) / Math.max(ms, 1));
    this.#size = Math.min(Math.max(fitting, LEAST), this.#size * 2, MOST);
  }

  /** An issue with more comments than a part may have is in several parts, each time with its next comments. */
  *parts(issues: readonly RemoteIssue[]): Generator<readonly RemoteIssue[]> {
    let part: RemoteIssue[] = [];
    let weight = 0;
    for (const issue of issues) {
      if (weight > 0 && weight + 1 + issue.comments.length > this.#size) {
        this.#sent = weight;
        yield part;
        [part, weight] = [[], 0];
      }
      if (1 + issue.comments.length <= this.#size) {
        part.push(issue);
        weight += 1 + issue.comments.length;
        continue;
      }
      for (let from = 0; from < issue.comments.length; ) {
        const comments = issue.comments.slice(from, from + this.#size);
        from += comments.length;
        this.#sent = 1 + comments.length;
        yield [{ ...issue, comments }];
      }
    }
    if (part.length === 0) return;
    this.#sent = weight;
    yield part;
  }

  *slices<T>(all: readonly T[]): Generator<readonly T[]> {
    for (let from = 0; from < all.length; ) {
      const slice = all.slice(from, from + this.#size);
      from += slice.length;
      this.#sent = slice.length;
      yield slice;
    }
  }
}
