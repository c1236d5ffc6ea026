import type { Clock } from "../../src/base/clock.ts";

/** How long the worker may take for a text. */
const LIMIT_MS = 100;
/** How long a person who asks for the formatted text is willing to wait. */
export const ASKED_LIMIT_MS = 5000;
/** A longer text is shown plain, until the person asks for more. */
export const LONG_BYTES = 64 * 1024;
const MAX_KEPT = 200;

/** `plain`: the text took too long, and is shown as it was written. */
export type Rendered = { readonly html: string } | "plain";

interface Answer {
  readonly id: number;
  readonly html: string;
}

export interface MarkdownWorker {
  addEventListener(type: "message", listener: (event: MessageEvent<Answer>) => void): void;
  postMessage(asked: { readonly id: number; readonly text: string }): void;
  terminate(): void;
}

/**
 * Makes HTML of Markdown in a worker. A text that holds the worker longer than the limit is shown plain, and another
 * worker does the rest, so that no text can hold the page.
 */
export class Markdown {
  readonly #start: () => MarkdownWorker;
  readonly #clock: Pick<Clock, "sleep">;
  #worker: MarkdownWorker | undefined;
  #isReady = false;
  #ready = Promise.withResolvers<void>();
  #lastId = 0;
  #answer: { readonly id: number; readonly come: (html: string) => void } | undefined;
  #work: Promise<unknown> = Promise.resolve();
  readonly #known = new Map<string, Rendered>();

  constructor(start: () => MarkdownWorker, clock: Pick<Clock, "sleep">) {
    this.#start = start;
    this.#clock = clock;
  }

  /** The HTML if it was made before. */
  known(text: string): Rendered | undefined {
    return this.#known.get(text);
  }

  /** Texts are rendered one after another, so that each has the worker for itself. */
  async render(text: string, limitMs = LIMIT_MS): Promise<Rendered> {
    const work = this.#work.then(async () => await this.#rendered(text, limitMs));
    this.#work = work.catch(() => undefined);
    return await work;
  }

  async #rendered(text: string, limitMs: number): Promise<Rendered> {
    const known = this.#known.get(text);
    // A text that was too slow may have more time when the person asks for it.
    if (known !== undefined && (known !== "plain" || limitMs === LIMIT_MS)) return known;
    const worker = (this.#worker ??= this.#started());
    if (!this.#isReady) await this.#ready.promise;
    const id = (this.#lastId += 1);
    const { promise, resolve } = Promise.withResolvers<Rendered>();
    this.#answer = { id, come: (html) => resolve({ html }) };
    worker.postMessage({ id, text });
    const ended = new AbortController();
    void this.#clock.sleep(limitMs, ended.signal).then(() => {
      if (ended.signal.aborted) return;
      worker.terminate();
      this.#worker = undefined;
      resolve("plain");
    });
    const rendered = await promise;
    ended.abort();
    this.#keep(text, rendered);
    return rendered;
  }

  #started(): MarkdownWorker {
    const worker = this.#start();
    this.#isReady = false;
    this.#ready = Promise.withResolvers();
    worker.addEventListener("message", ({ data: { id, html } }) => {
      if (id === 0) {
        this.#isReady = true;
        this.#ready.resolve();
      } else if (this.#answer?.id === id) this.#answer.come(html);
    });
    return worker;
  }

  #keep(text: string, rendered: Rendered): void {
    this.#known.set(text, rendered);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KEPT) break;
      this.#known.delete(oldest);
    }
  }
}
