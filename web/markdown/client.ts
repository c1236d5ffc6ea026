import type { Clock } from "../../src/base/clock.ts";
import { LimitedWorker, type WorkerLike } from "../limited-worker.ts";

/** How long the worker may take for a text. */
const LIMIT_MS = 100;
/** How long a person who asks for the formatted text is willing to wait. */
export const ASKED_LIMIT_MS = 5000;
/** A longer text is shown plain, until the person asks for more. */
export const LONG_BYTES = 64 * 1024;
const MAX_KEPT = 200;

/** `plain`: the text took too long or the worker failed, and the text is shown as it was written. */
export type Rendered = { readonly html: string } | "plain";

/** Makes HTML of Markdown in a worker, and keeps what it made. */
export class Markdown {
  readonly #worker: LimitedWorker<string, string>;
  readonly #known = new Map<string, Rendered>();

  constructor(start: () => WorkerLike<string, string>, clock: Pick<Clock, "sleep">) {
    this.#worker = new LimitedWorker(start, clock);
  }

  /** The HTML if it was made before. */
  known(text: string): Rendered | undefined {
    return this.#known.get(text);
  }

  async render(text: string, limitMs = LIMIT_MS): Promise<Rendered> {
    // A text that was too slow may have more time when the person asks for it.
    const isOpen = (): boolean => {
      const known = this.#known.get(text);
      return known === undefined || (known === "plain" && limitMs !== LIMIT_MS);
    };
    const asked = await this.#worker.ask(text, limitMs, isOpen);
    if (!isOpen()) return this.#known.get(text) ?? "plain";
    // A worker that failed is tried again when the text is shown again.
    if (asked === "failed") return "plain";
    return this.#keep(text, asked === "late" ? "plain" : { html: asked.answer });
  }

  #keep(text: string, rendered: Rendered): Rendered {
    this.#known.set(text, rendered);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KEPT) break;
      this.#known.delete(oldest);
    }
    return rendered;
  }
}
