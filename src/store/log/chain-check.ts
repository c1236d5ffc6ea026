import type { Rows } from "../../domain/tables/tables.ts";
import { chainOf, NO_CHAIN } from "./chain.ts";

type Gap = Rows["log_gap"];

interface ChainedEvent {
  readonly id: number;
  readonly uid: string;
  readonly content_hash: string;
  readonly chain: string;
}

/**
 * Checks the chain of a log, event by event. At a gap that svc has recorded, continues from the chain of the last
 * deleted event. Every method returns a description of a fault, or `undefined`.
 */
export class ChainCheck {
  readonly #gaps: Map<number, Gap>;
  #last: Pick<ChainedEvent, "id" | "chain"> = { id: 0, chain: NO_CHAIN };

  constructor(gaps: Iterable<Gap> = []) {
    this.#gaps = new Map();
    for (const gap of gaps) this.add(gap);
  }

  /**
   * Adds a gap. All gaps must be added before the first event is checked. Returns false if the gap was added before.
   */
  add(gap: Gap): boolean {
    if (this.#gaps.has(gap.before_id)) return false;
    this.#gaps.set(gap.before_id, gap);
    return true;
  }

  next({ id, uid, content_hash, chain }: ChainedEvent): string | undefined {
    const before = this.#last;
    const expected = chainOf(this.#chainBehind(), content_hash);
    this.#last = { id, chain };
    if (expected === chain) return undefined;
    const place = before.id === 0 ? "is not the first event" : `does not follow event ${before.id}`;
    return `event ${id} (${uid}) ${place}: events between them were removed, added or changed`;
  }

  /** Continues after the event `last`, because an earlier run has verified the log up to it. */
  passTo(last: Pick<ChainedEvent, "id" | "chain">): void {
    for (const before of this.#gaps.keys()) if (before < last.id) this.#gaps.delete(before);
    this.#last = last;
  }

  /** Checks that the log ends with the chain `end`, which the database has stored. */
  end(end: string): string | undefined {
    const { id } = this.#last;
    const chain = this.#chainBehind();
    const [missing] = this.#gaps.keys();
    if (missing !== undefined)
      return `event ${missing}, after which events were purged, is missing`;
    return chain === end
      ? undefined
      : `the log does not end with event ${id}: events at its end were removed, added or changed`;
  }

  /** The chain from which the chain of the next event after `#last` must be computed. */
  #chainBehind(): string {
    const { id, chain } = this.#last;
    const gap = this.#gaps.get(id);
    if (gap === undefined || gap.before_chain !== chain) return chain;
    this.#gaps.delete(id);
    return gap.last_chain;
  }
}
