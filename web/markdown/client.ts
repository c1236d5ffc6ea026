import type { Clock } from "../../src/base/clock.ts";
import { LimitedWorker, type WorkerLike } from "../limited-worker.ts";

/** How long the worker may take to format a text if the person has not asked for the formatted text. */
const LIMIT_MS = 100;
/** How long the worker may take if the person has asked for the formatted text. */
export const ASKED_LIMIT_MS = 5000;
/** A text longer than this is shown as it was written, until the person asks for the formatted text. */
export const LONG_CHARACTERS = 64 * 1024;
const MAX_KEPT = 200;

/** `plain`: the worker took too long or failed, so the text is shown as it was written. */
export type RenderedText = { readonly html: string } | "plain";

export class Markdown {
  readonly #worker: LimitedWorker<string, string>;
  readonly #known = new Map<string, RenderedText>();

  constructor(start: () => WorkerLike<string, string>, clock: Pick<Clock, "sleep">) {
    this.#worker = new LimitedWorker(start, clock);
  }

  known(text: string): RenderedText | undefined {
    return this.#known.get(text);
  }

  async render(text: string, limitMs = LIMIT_MS): Promise<RenderedText> {
    // A text that took too long is rendered again, with more time, when the person asks for it.
    const isOpen = (): boolean => {
      const known = this.#known.get(text);
      return known === undefined || (known === "plain" && limitMs !== LIMIT_MS);
    };
    const rendered = await this.#worker.ask(text, limitMs, isOpen);
    if (!isOpen()) return this.#known.get(text) ?? "plain";
    // A failure is not kept: the text is rendered again the next time it is shown.
    if (rendered === "failed") return "plain";
    return this.#keep(text, rendered === "late" ? "plain" : { html: rendered.answer });
  }

  #keep(text: string, rendered: RenderedText): RenderedText {
    this.#known.set(text, rendered);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KEPT) break;
      this.#known.delete(oldest);
    }
    return rendered;
  }
}
