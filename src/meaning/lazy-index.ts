import type { Clock } from "../base/clock.ts";
import type { VectorStore } from "../store/types/vectors.ts";
import { IssueIndex } from "./issue-index.ts";
import type { ReadStore } from "./read-store.ts";
import type { OpenedIndex } from "./reconciler.ts";

interface Needs {
  readonly clock: Pick<Clock, "nowMs">;
  readonly store: ReadStore;
  openVectors(): Promise<VectorStore>;
  forgotten(uids: readonly string[]): void;
  /** Called after the index was opened, before anything else uses it. */
  begin(opened: OpenedIndex): Promise<void>;
}

/** Opens the index when it is first needed. If that fails, the next call tries again. */
export class LazyIndex {
  readonly #deps: Needs;
  #opening: Promise<OpenedIndex> | undefined;
  #isClosed = false;

  constructor(deps: Needs) {
    this.#deps = deps;
  }

  async opened(): Promise<OpenedIndex> {
    this.#opening ??= this.#open();
    const opening = this.#opening;
    try {
      return await opening;
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.vectors.close();
  }

  async #open(): Promise<OpenedIndex> {
    if (this.#isClosed) throw new Error("the index of meanings is closed");
    const { clock, store, forgotten, begin, openVectors } = this.#deps;
    const vectors = await openVectors();
    try {
      const opened = { vectors, index: new IssueIndex({ clock, store, vectors, forgotten }) };
      await begin(opened);
      return opened;
    } catch (error) {
      await vectors.close();
      throw error;
    }
  }
}
