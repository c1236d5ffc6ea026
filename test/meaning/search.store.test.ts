import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { ScoringWorker } from "../../src/daemon/meaning/scorer.ts";
import { meaningSearch, type Scorer } from "../../src/meaning/search.ts";
import { vectorsPath } from "../../src/store/vectors/sqlite-path.ts";
import { all, embedded, given, vector } from "../store/vectors/given.ts";
import { query } from "../support/postgres.ts";
import { describeStore, type TestDatabase } from "../support/store.ts";

describeStore("searches by meaning", (open) => {
  test("that find the same damaged vector at once throw the vectors away once", async () => {
    const warn = vi.fn<(event: string, fields?: object) => void>();
    const at = await given(open, { log: { ...silentLog, warn } });
    const { w, database, vectors, generation, of } = at;
    const issue = await embedded(at);
    await vectors.put(generation, [issue], all([issue]));
    await vectors.switchTo(generation, w.clock.now());
    await damageVectors(database);
    const scorer = new ScoringWorker({ place: vectors.scoring, clock: w.clock, log: silentLog });
    onTestFinished(async () => await scorer.stop());
    const search = meaningSearch({
      ...{ clock: w.clock, log: silentLog, scorer: answersOfTwo(scorer) },
      fingerprint: of.fingerprint,
      vectors: { of: async () => await Promise.reject(new Error("no text is embedded here")) },
      opened: async () => await Promise.resolve({ vectors }),
    });
    const until_ms = w.clock.nowMs() + 3000;
    const ask = { project_uid: issue.project_uid, vector: vector(1), limit: 10, until_ms };
    const unreadable = { unavailable: "index_unreadable" };
    const found = await Promise.all([search.nearest(ask), search.nearest(ask)]);
    expect(found).toEqual([unreadable, unreadable]);
    expect(await vectors.generations()).toEqual([]);
    const replaced = warn.mock.calls.filter(([event]) => event === "embeddings.file_replaced");
    expect(replaced).toHaveLength(open.dialect === "sqlite" ? 1 : 0);
    expect(await search.nearest(ask)).toEqual({ unavailable: "no_generation" });
  });
});

/** Gives no answer until two asks have one, as if they had been answered at the same time. */
function answersOfTwo(scorer: Scorer): Scorer {
  const both = Promise.withResolvers<void>();
  let answers = 0;
  return {
    nearest: async (ask) => {
      const answer = await scorer.nearest(ask);
      if (++answers === 2) both.resolve();
      await both.promise;
      return answer;
    },
  };
}

/** Overwrites all vectors from outside of svc. */
async function damageVectors({ target: { dsn, schema } }: TestDatabase): Promise<void> {
  if (schema !== undefined) {
    await query(dsn, `update ${schema}.vector_chunk set vector = '\\x00'::bytea`);
    return;
  }
  const file = new Database(vectorsPath(dsn));
  file.exec("update vector_chunk set vector = x'00'");
  file.close();
}
