import type { Instant } from "../../base/clock.ts";
import { instantToMs } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import type { Connection } from "../connection.ts";
import type {
  EmbeddedIssue,
  Generation,
  IndexedIssue,
  Restamp,
  ScoringPlace,
  VectorStore,
} from "../types/vectors.ts";
import * as statements from "./statements.ts";
import type { VectorPlace } from "./vector-place.ts";
import { removeRows, restampIssues, writeIssues } from "./write-issues.ts";

/** A `put` asks again at most this often whether its issues are current. */
const MOST_ATTEMPTS = 10;

/** Thrown in the transaction of a `put` if the database was changed after its issues were compared with it. */
class Outdated extends Error {}

export class VectorTables implements VectorStore {
  readonly #place: VectorPlace;
  readonly #commits: () => number;
  /** Ends when all earlier calls have ended. */
  #last: Promise<unknown> = Promise.resolve();

  /** `commits` returns how many commits of the database this process knows of. */
  constructor(place: VectorPlace, commits: () => number) {
    this.#place = place;
    this.#commits = commits;
  }

  get dialect(): "sqlite" | "postgres" {
    return this.#place.dialect;
  }

  get scoring(): ScoringPlace {
    return this.#place.scoring;
  }

  async generations(): Promise<readonly Generation[]> {
    return await this.#read(
      async (connection) => await statements.allGenerations.all(connection, {}),
    );
  }

  async begin(
    of: Pick<Generation, "fingerprint" | "model" | "dims">,
    state: "building" | "active",
    now: Instant,
  ): Promise<Generation> {
    return await this.#writeElected(async (connection) => {
      const known = await statements.allGenerations.all(connection, {});
      // The time makes the id differ from those in an earlier file, which a reader may still have in memory.
      const id = Math.max(instantToMs(now), 1 + (known.at(-1)?.id ?? 0));
      const activated_at = state === "active" ? now : null;
      const { fingerprint, model, dims } = of;
      const made: Generation = {
        id,
        fingerprint,
        model,
        dims,
        state,
        started_at: now,
        activated_at,
      };
      if (state === "active") await statements.retireOthers.run(connection, { id });
      await statements.insertGeneration.run(connection, made);
      return made;
    });
  }

  async switchTo(id: number, now: Instant): Promise<void> {
    await this.#writeElected(async (connection) => {
      await statements.retireOthers.run(connection, { id });
      await statements.activate.run(connection, { id, now });
    });
  }

  async dropRetired(id: number, most: number): Promise<boolean> {
    return await this.#writeElected(async (connection) => {
      const rows = await statements.chunksOfGeneration.all(connection, { generation: id, most });
      await removeRows(connection, rows);
      if ((await statements.anyOfGeneration.one(connection, { generation: id })) !== undefined)
        return true;
      await statements.deleteGeneration.run(connection, { id });
      return false;
    });
  }

  async range(
    generation: number,
    after: number,
    up_to: number,
    most: number = Number.MAX_SAFE_INTEGER,
  ): Promise<readonly IndexedIssue[]> {
    const asked = { generation, after, up_to, most };
    return await this.#read(
      async (connection) => await statements.issuesInRange.all(connection, asked),
    );
  }

  async find(generation: number, uids: readonly string[]): Promise<readonly IndexedIssue[]> {
    return await this.#read(
      async (connection) => await statements.issuesByUid.all(connection, { generation, uids }),
    );
  }

  async ofProject(
    generation: number,
    project_uid: string,
    after: number,
    most: number,
  ): Promise<readonly IndexedIssue[]> {
    const asked = { generation, project_uid, after, most };
    return await this.#read(
      async (connection) => await statements.issuesOfProject.all(connection, asked),
    );
  }

  async skipped(generation: number, most: number): Promise<readonly IndexedIssue[]> {
    return await this.#read(
      async (connection) => await statements.skippedIssues.all(connection, { generation, most }),
    );
  }

  async put(
    generation: number,
    issues: readonly EmbeddedIssue[],
    current: () => Promise<ReadonlySet<string>>,
  ): Promise<ReadonlySet<string>> {
    return await this.#inTurn(async () => {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        const commits = this.#commits();
        const uids = await current();
        const wanted = issues.filter(({ issue_uid }) => uids.has(issue_uid));
        try {
          return await this.#writeCurrent(generation, wanted, commits);
        } catch (error) {
          if (!(error instanceof Outdated)) throw error;
        }
      }
      return new Set();
    });
  }

  async #writeCurrent(
    generation: number,
    issues: readonly EmbeddedIssue[],
    commits: number,
  ): Promise<ReadonlySet<string>> {
    return await this.#place.write(async (connection) => {
      await this.#place.requireTerm(connection);
      const found = await statements.lockGeneration.one(connection, { id: generation });
      if (found === undefined) return new Set<string>();
      const fits = (vector: Float32Array) => vector.length === found.dims;
      invariant(
        issues.every(({ vectors }) => vectors.every(fits)),
        "vectors have as many dimensions as their generation",
      );
      const current = await this.#place.lockCurrent(connection, issues);
      await writeIssues(connection, generation, current);
      if (this.#commits() !== commits) throw new Outdated();
      return new Set(current.map(({ issue_uid }) => issue_uid));
    });
  }

  async restamp(generation: number, issues: readonly Restamp[]): Promise<ReadonlySet<string>> {
    return await this.#writeElected(async (connection) => {
      const current = await this.#place.lockCurrent(connection, issues);
      return await restampIssues(connection, generation, current);
    });
  }

  async remove(uids: readonly string[], { erase = false } = {}): Promise<void> {
    await this.#inTurn(async () => {
      await this.#place.write(async (connection) => {
        await removeRows(connection, await statements.chunksOfIssues.all(connection, { uids }));
        if (erase) await this.#place.markForErasure(connection);
      });
      if (erase) await this.#place.removed();
    });
  }

  async meta(key: string): Promise<string | undefined> {
    return await this.#read(
      async (connection) => (await statements.findMeta.one(connection, { key }))?.value,
    );
  }

  async setMeta(key: string, value: string): Promise<void> {
    await this.#inTurn(
      async () =>
        await this.#place.write(
          async (connection) => await statements.putMeta.run(connection, { key, value }),
        ),
    );
  }

  async erase(): Promise<void> {
    await this.#inTurn(async () => await this.#place.erase());
  }

  async discard({ generation }: { readonly generation: number }): Promise<void> {
    await this.#inTurn(async () => await this.#place.discard(generation));
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => await this.#place.close());
  }

  async #read<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return await this.#inTurn(async () => await this.#place.run(work));
  }

  async #writeElected<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return await this.#inTurn(
      async () =>
        await this.#place.write(async (connection) => {
          await this.#place.requireTerm(connection);
          return await work(connection);
        }),
    );
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const running = (async () => {
      await before;
      return await work();
    })();
    this.#last = running.catch(() => undefined);
    return await running;
  }
}
