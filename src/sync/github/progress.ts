import type { ProviderProgress } from "../provider.ts";

type Report = (progress: ProviderProgress) => void;
type Counts = Omit<ProviderProgress, "waiting">;

/** Counts what a run does, and reports each change. */
export class Progress {
  readonly #report: Report;
  #counts: Counts = { requests: 0, issues: 0, comments: 0, scanned: 0, waited_ms: 0 };

  constructor(report: Report) {
    this.#report = report;
  }

  add(more: Partial<Counts>): void {
    const counts: Record<keyof Counts, number> = { ...this.#counts };
    for (const [name, by] of Object.entries(more) as [keyof Counts, number][]) counts[name] += by;
    this.#counts = counts;
    this.#report(counts);
  }

  waiting(ms: number, why: string): void {
    this.#counts = { ...this.#counts, waited_ms: this.#counts.waited_ms + ms };
    this.#report({ ...this.#counts, waiting: { ms, why } });
  }
}
