import { NeedsWorker } from "../base/budget.ts";
import type { JsonValue } from "../base/json.ts";
import type { Deps, OpStore } from "../ops/deps.ts";
import type { Term } from "../store/types/elections.ts";

/** What a write of an engine can use. `smallWorkOnly` is set if the write runs on the daemon's own thread. */
export type BulkDeps = Pick<Deps, "store" | "clock" | "ids" | "settings" | "smallWorkOnly">;

/**
 * A write of an engine that may be large. If it runs on the daemon's own thread and finds that it has much to write, it
 * throws `NeedsWorker` before it writes anything. The write worker then carries it out. The worker finds the write by
 * its name (`bulk-writes.ts`). Input and output are JSON, because they are sent between threads.
 */
export interface BulkWrite<I extends JsonValue = never, O = unknown> {
  readonly name: string;
  run(deps: BulkDeps, input: I): Promise<O>;
}

/** Carries out a write, here or in the write worker. */
export type Bulk = <I extends JsonValue, O>(write: BulkWrite<I, O>, input: I) => Promise<O>;

/** A write for the write worker. Each of its transactions is refused after the engine's `term` has ended. */
export interface BulkRequest {
  readonly write: string;
  readonly input: JsonValue;
  /** The term for which this daemon is elected to run the engine; `undefined` for an engine without elections. */
  readonly term: Term | undefined;
}

/** Carries out a write in the write worker, and returns the result of the write. */
export type BulkWorker = (request: BulkRequest) => Promise<unknown>;

interface EngineDeps extends Pick<BulkDeps, "clock" | "ids" | "settings"> {
  /** Without a worker, large writes are carried out on this thread too. */
  readonly worker?: BulkWorker | undefined;
}

/**
 * Returns the function that carries out the large writes of one sweep. Writes that are made on this thread use `store`,
 * which checks the term.
 */
export function bulkFor(
  { worker, clock, ids, settings }: EngineDeps,
  store: OpStore,
  term: Term | undefined,
): Bulk {
  const deps = { store, clock, ids, settings };
  return async <I extends JsonValue, O>(write: BulkWrite<I, O>, input: I) => {
    if (worker === undefined) return await write.run(deps, input);
    try {
      return await write.run({ ...deps, smallWorkOnly: true }, input);
    } catch (error) {
      if (!(error instanceof NeedsWorker)) throw error;
      return (await worker({ write: write.name, input, term })) as O;
    }
  };
}
