import type { RunDeps } from "../../../../src/ops/bridges/run.ts";
import { Died } from "../../../meaning/life.ts";

/** What happens at an await of a run, by the number of the await. */
export type Happenings = ReadonlyMap<number, () => Promise<void>>;

/**
 * The way of one run: at each of its awaits, before and after a transaction or a call of the connector, something may
 * happen, and at one of them the process may die. A process that died does nothing more.
 */
export class Course {
  #passed = 0;
  #isOver = false;
  readonly #happenings: Happenings;
  readonly #death: number | undefined;
  readonly #look: () => Promise<void>;

  constructor(happenings: Happenings, death: number | undefined, look: () => Promise<void>) {
    this.#happenings = happenings;
    this.#death = death;
    this.#look = look;
  }

  /** Whether the process died. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** How many awaits the run had. */
  get passed(): number {
    return this.#passed;
  }

  /** What the run uses, with awaits that this course knows. */
  over(deps: RunDeps): RunDeps {
    const { store, roots } = deps;
    const round = async <T>(work: () => Promise<T>): Promise<T> => {
      await this.#pass();
      const found = await work();
      await this.#pass();
      return found;
    };
    return {
      ...deps,
      store: {
        read: async (work) => await round(async () => await store.read(work)),
        write: async (work) => await round(async () => await store.write(work)),
      },
      roots: roots && {
        instances: () => roots.instances(),
        health: async (instances, signal) => await roots.health(instances, signal),
        client: (instance, signal) => {
          const client = roots.client(instance, signal);
          return client && each(client, round);
        },
      },
    };
  }

  async #pass(): Promise<void> {
    if (this.#isOver) throw new Died();
    const at = this.#passed++;
    if (at === this.#death) {
      this.#isOver = true;
      throw new Died();
    }
    await this.#happenings.get(at)?.();
    await this.#look();
  }
}

/** The object, each of whose calls is made by `round`. */
function each<T extends object>(object: T, round: <R>(work: () => Promise<R>) => Promise<R>): T {
  return new Proxy(object, {
    get: (target, name) => {
      const call = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]) => await round(async () => await call(...given));
    },
  });
}
