import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Scorer } from "../../meaning/search.ts";
import type { ScoringPlace } from "../../store/types/vectors.ts";
import type {
  ScoringAsk,
  ScoringData,
  ScoringOutcome,
  ScoringRequest,
} from "../../store/vectors/scoring-messages.ts";
import { SharedThread, type StartWorker, WorkerThread } from "../threads/worker-thread.ts";

/** A search does not wait longer than this for the nearest vectors. */
const ANSWER_MS = 3000;
/** A thread without asks keeps the vectors of projects in memory for this long. */
const IDLE_MS = 600_000;

/** For new objects: the rows of one statement. */
const YOUNG_MIB = 4;

const FILE = import.meta.filename.endsWith(".ts")
  ? join(import.meta.dirname, "..", "..", "store", "vectors", "scoring-thread.ts")
  : join(import.meta.dirname, "scoring.cjs");

export interface ScorerOptions {
  readonly place: ScoringPlace;
  readonly clock: Clock;
  readonly log: Log;
  /** By default the worker is a thread. */
  readonly start?: StartWorker | undefined;
}

type Outcome = Awaited<ReturnType<Scorer["nearest"]>>;

/** Scores vectors in a thread of its own, which starts with the first search. */
export class ScoringWorker implements Scorer {
  readonly #clock: Clock;
  readonly #thread: SharedThread<Thread>;

  constructor({ place, clock, log, start }: ScorerOptions) {
    this.#clock = clock;
    const data: ScoringData = { place };
    const options = { name: "scoring-worker", file: FILE, data, youngMiB: YOUNG_MIB } as const;
    this.#thread = new SharedThread(
      { ...options, start, clock, log, idleMs: IDLE_MS },
      (begin) => new Thread(begin),
    );
  }

  /** Answers within 3 s. If the thread dies meanwhile, the answer is `unreadable`, and the next ask starts another. */
  async nearest(ask: ScoringAsk): Promise<Outcome> {
    if (this.#thread.stopped.aborted) return unreadable("the daemon is stopping");
    const { answer, leave } = this.#thread.get().ask(ask);
    const done = new AbortController();
    const late = this.#clock.sleep(ANSWER_MS, done.signal).then(() => {
      leave();
      return unreadable("the vectors were not compared in time");
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      done.abort();
    }
  }

  forget(uids: readonly string[]): void {
    this.#thread.current?.send({ forget: uids });
  }

  forgetProject(uid: string): void {
    this.#thread.current?.send({ forgetProject: uid });
  }

  /** The index was begun anew in another file. */
  reopen(): void {
    this.#thread.current?.send({ reopen: true });
  }

  async stop(): Promise<void> {
    await this.#thread.stop();
  }
}

class Thread extends WorkerThread<(outcome: Outcome) => void, ScoringRequest, ScoringOutcome> {
  ask(ask: ScoringAsk): { readonly answer: Promise<Outcome>; leave(): void } {
    const id = ++this.taskCount;
    const { promise: answer, resolve } = Promise.withResolvers<Outcome>();
    this.tasks.set(id, resolve);
    this.tell({ id, ask });
    const leave = (): void => {
      if (this.tasks.delete(id)) this.tell({ left: id });
    };
    return { answer, leave };
  }

  send(request: ScoringRequest): void {
    this.tell(request);
  }

  protected override take({ id, ...outcome }: ScoringOutcome): void {
    this.tasks.get(id)?.(outcome);
    this.tasks.delete(id);
  }

  protected override lose(answer: (outcome: Outcome) => void): void {
    answer(unreadable("the thread that compares vectors has ended"));
  }
}

function unreadable(detail: string): Outcome {
  return { fault: "unreadable", detail };
}
