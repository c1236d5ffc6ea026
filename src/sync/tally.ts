import type { RunItem, RunResult } from "../ops/issue-sync/far-side.ts";
import type { WrittenItems } from "../ops/issue-sync/write-issues.ts";
import type { ProviderProgress } from "./provider.ts";

/** An answer names at most this many issues, and at most this many errors. All issues are counted. */
const MOST_NAMED = 1000;

const WEIGHT = { created: 2, updated: 1, unchanged: 0 } as const;

/** Counts what a run did. An issue that was written in several parts counts once. */
export class Tally {
  readonly #statuses = new Map<string, RunItem["status"]>();
  readonly #items = new Map<string, RunItem>();
  readonly #errors = new Set<string>();
  #comments = 0;
  #links = 0;
  #progress: Pick<ProviderProgress, "requests" | "waited_ms"> = { requests: 0, waited_ms: 0 };

  readonly progress = ({ requests, waited_ms }: ProviderProgress): void => {
    this.#progress = { requests, waited_ms };
  };

  add({ outcomes, kept }: WrittenItems): void {
    for (const { external_id, short_id, status, reason, comments, links, errors } of outcomes) {
      if (status === "deleted") continue;
      this.#comments += comments;
      this.#links += links;
      for (const error of errors) if (this.#errors.size < MOST_NAMED) this.#errors.add(error);
      const known = this.#statuses.get(external_id) ?? "unchanged";
      const now = WEIGHT[known] > WEIGHT[status] ? known : status;
      this.#statuses.set(external_id, now);
      if (now === "unchanged" && reason === undefined) continue;
      if (this.#items.size >= MOST_NAMED && !this.#items.has(external_id)) continue;
      const item = { external_id, issue_short_id: short_id, status: now };
      this.#items.set(external_id, { ...item, ...(reason === undefined ? {} : { reason }) });
    }
    for (const { external_id } of kept)
      if (!this.#statuses.has(external_id)) this.#statuses.set(external_id, "unchanged");
  }

  result(source: string, sync_uid: string): RunResult {
    const counts = { created: 0, updated: 0, unchanged: 0 };
    for (const status of this.#statuses.values()) counts[status] += 1;
    const made = { comments: this.#comments, links: this.#links, ...this.#progress };
    const items = [...this.#items.values()];
    return { source, sync_uid, ...counts, ...made, items, errors: [...this.#errors] };
  }
}
