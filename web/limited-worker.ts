import type { Clock } from "../src/base/clock.ts";

interface WorkerQuestion<Question> {
  readonly id: number;
  readonly question: Question;
}

interface WorkerAnswer<Answer> {
  readonly id: number;
  readonly answer?: Answer;
}

export interface WorkerLike<Question, Answer> {
  addEventListener(
    type: "message",
    listener: (event: { readonly data: WorkerAnswer<Answer> }) => void,
  ): void;
  addEventListener(type: "error", listener: () => void): void;
  postMessage(asked: WorkerQuestion<Question>): void;
  terminate(): void;
}

/**
 * The result of a question:
 * - the answer
 * - `late` if the answer took longer than its limit, or was no longer wanted
 * - `failed` if the worker did not load or threw
 */
export type LimitedAnswer<Answer> = { readonly answer: Answer } | "late" | "failed";

/**
 * The id of the message by which a worker says that it has loaded. The first question is sent after this message, so
 * the time limit of the question does not include the loading.
 */
const READY = 0;

export const LOAD_LIMIT_MS = 10_000;

/**
 * Asks a worker one question after another. A worker that takes longer than the limit of a question is stopped, and a
 * new worker answers the remaining questions. A worker that does not load in time is replaced too, because the browser
 * reports no error while a request is without an answer.
 */
export class LimitedWorker<Question, Answer> {
  readonly #start: () => WorkerLike<Question, Answer>;
  readonly #clock: Pick<Clock, "sleep">;
  #worker: WorkerLike<Question, Answer> | undefined;
  #ready: Promise<void> = Promise.resolve();
  #lastId = READY;
  #settle: ((id: number, result: LimitedAnswer<Answer>) => void) | undefined;
  #work: Promise<unknown> = Promise.resolve();

  constructor(start: () => WorkerLike<Question, Answer>, clock: Pick<Clock, "sleep">) {
    this.#start = start;
    this.#clock = clock;
  }

  /** Asks a question when its turn comes. If `isWanted` then returns false, the question is not asked. */
  async ask(
    question: Question,
    limitMs: number,
    isWanted: () => boolean = () => true,
  ): Promise<LimitedAnswer<Answer>> {
    const work = this.#work.then(async () =>
      isWanted() ? await this.#ask(question, limitMs) : "late",
    );
    this.#work = work.catch(() => undefined);
    return await work;
  }

  async #ask(question: Question, limitMs: number): Promise<LimitedAnswer<Answer>> {
    const id = (this.#lastId += 1);
    const { promise, resolve } = Promise.withResolvers<LimitedAnswer<Answer>>();
    this.#settle = (of, result) => {
      if (of === id) resolve(result);
    };
    const worker = (this.#worker ??= this.#startWorker());
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

  #startWorker(): WorkerLike<Question, Answer> {
    const worker = this.#start();
    const loading = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ready = promise;
    const fail = (): void => {
      loading.abort();
      if (this.#worker !== worker) return;
      this.#stop();
      this.#settle?.(this.#lastId, "failed");
    };
    worker.addEventListener("message", ({ data: { id, answer } }) => {
      if (id === READY) {
        loading.abort();
        resolve();
      } else if (answer !== undefined) this.#settle?.(id, { answer });
    });
    worker.addEventListener("error", fail);
    void this.#clock.sleep(LOAD_LIMIT_MS, loading.signal).then(() => {
      if (!loading.signal.aborted) fail();
    });
    return worker;
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
