import type { Clock } from "../base/clock.ts";
import { forgetPurged } from "./forget.ts";
import type { ReadStore } from "./read-store.ts";
import type { OpenedIndex } from "./reconciler.ts";

/** The key of the last reset that was taken into account, among the small facts of the index. */
const SEEN = "seen_reset";
/** Erasing rewrites the file, so it is done this often at most. */
const ERASED_EVERY_MS = 60_000;

interface Needs {
  readonly clock: Clock;
  readonly store: ReadStore;
  opened(): Promise<OpenedIndex>;
  /** The scoring thread is to drop what it has of these issues. */
  forgotten(uids: readonly string[]): void;
  forgottenProject(project_uid: string): void;
}

/** Removes the vectors of purged issues, and their older copies in the file. */
export class Forgetter {
  readonly #deps: Needs;
  #seen: number | undefined;
  #erasedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: Needs) {
    this.#deps = deps;
  }

  /** Takes into account what was purged while no daemon had the index open. Called before anything else uses it. */
  async begin(opened: OpenedIndex): Promise<void> {
    const stored = await opened.vectors.meta(SEEN);
    const last = await this.#deps.store.read(async ({ events }) => await events.resetAfter());
    // A new file has no vectors yet, and on PostgreSQL they were deleted together with the issues.
    const isNew = stored === undefined || opened.vectors.dialect === "postgres";
    this.#seen = isNew ? last : Number(stored);
    await this.#forget(opened);
  }

  /** Returns the time until the next sweep. */
  async sweep(): Promise<number> {
    const { clock } = this.#deps;
    const opened = await this.#deps.opened();
    await this.#forget(opened);
    if (clock.nowMs() - this.#erasedAtMs >= ERASED_EVERY_MS) {
      this.#erasedAtMs = clock.nowMs();
      await opened.vectors.erase();
    }
    return this.#erasedAtMs + ERASED_EVERY_MS - clock.nowMs();
  }

  async #forget({ vectors, index }: OpenedIndex): Promise<void> {
    const { store, forgotten, forgottenProject } = this.#deps;
    const seen = this.#seen ?? 0;
    const last = await forgetPurged({ store, vectors, index, forgotten, forgottenProject }, seen);
    this.#seen = last;
    // The file may have been begun anew, so what it says is compared too.
    if (vectors.dialect === "sqlite" && (await vectors.meta(SEEN)) !== String(last))
      await vectors.setMeta(SEEN, String(last));
  }
}
