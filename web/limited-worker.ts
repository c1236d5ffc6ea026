import type { Clock } from "../src/base/clock.ts";

/** A question, under a number that the answer repeats. */
interface Asked<Question> {
  readonly id: number;
  readonly question: Question;
}

interface Answered<Answer> {
  readonly id: number;
  readonly answer?: Answer;
}

/** The part of a `Worker` that is used. */
export interface WorkerLike<Question, Answer> {
  addEventListener(
    type: "message",
    listener: (event: { readonly data: Answered<Answer> }) => void,
  ): void;
  addEventListener(type: "error", listener: () => void): void;
  postMessage(asked: Asked<Question>): void;
  terminate(): void;
}

/** The answer, `late` if it took longer than its limit, or `failed` if the worker did not load or threw. */
export type Limited<Answer> = { readonly answer: Answer } | "late" | "failed";

/** The number of the message by which a worker says that it has loaded: only from then on its time counts. */
const READY = 0;

/**
 * Asks a worker one question after another. A worker that takes longer than the limit of a question is stopped, and
 * another one answers the rest, so that no question can hold the page.
 */
export class LimitedWorker<Question, Answer> {
  readonly #start: () => WorkerLike<Question, Answer>;
  readonly #clock: Pick<Clock, "sleep">;
  #worker: WorkerLike<Question, Answer> | undefined;
  #ready: Promise<void> = Promise.resolve();
  #lastId = READY;
  #settle: ((id: number, result: Limited<Answer>) => void) | undefined;
  #work: Promise<unknown> = Promise.resolve();

  constructor(start: () => WorkerLike<Question, Answer>, clock: Pick<Clock, "sleep">) {
    this.#start = start;
    this.#clock = clock;
  }

  /** A question that nobody waits for any more when its turn comes is not asked. */
  async ask(
    question: Question,
    limitMs: number,
    isWanted: () => boolean = () => true,
  ): Promise<Limited<Answer>> {
    const work = this.#work.then(async () =>
      isWanted() ? await this.#answered(question, limitMs) : "late",
    );
    this.#work = work.catch(() => undefined);
    return await work;
  }

  async #answered(question: Question, limitMs: number): Promise<Limited<Answer>> {
    const id = (this.#lastId += 1);
    const { promise, resolve } = Promise.withResolvers<Limited<Answer>>();
    this.#settle = (of, result) => {
      if (of === id) resolve(result);
    };
    const worker = (this.#worker ??= this.#started());
    const ended = new AbortController();
    void this.#ready.then(async () => {
      if (ended.signal.aborted) return;
      worker.postMessage({ id, question });
      await this.#clock.sleep(limitMs, ended.signal);
      if (ended.signal.aborted) return;
      this.#stop();
      resolve("late");
    });
    const result = await promise;
    ended.abort();
    return result;
  }

  #started(): WorkerLike<Question, Answer> {
    const worker = this.#start();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ready = promise;
    worker.addEventListener("message", ({ data: { id, answer } }) => {
      if (id === READY) resolve();
      else if (answer !== undefined) this.#settle?.(id, { answer });
    });
    worker.addEventListener("error", () => {
      if (this.#worker === worker) this.#stop();
      this.#settle?.(this.#lastId, "failed");
    });
    return worker;
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
