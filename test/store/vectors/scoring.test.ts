import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { cosine, normalised } from "../../../src/domain/meaning/vectors.ts";
import { openScoring } from "../../../src/store/vectors/open-scoring.ts";
import type {
  NearestIssues,
  ScoringAsk,
  ScoringOutcome,
} from "../../../src/store/vectors/scoring-messages.ts";
import { ScoringService } from "../../../src/store/vectors/scoring-service.ts";
import { vectorsPath } from "../../../src/store/vectors/sqlite-path.ts";
import { FakeClock } from "../../support/clock.ts";
import { query } from "../../support/postgres.ts";
import { describeStore, type OpenTestStore, type TestDatabase } from "../../support/store.ts";
import { all, DIMS, embeddedOf, given, vector } from "./given.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

/** A unit vector at an angle, in degrees, to that of the query. */
function at(degrees: number, dims = DIMS): Float32Array {
  const radians = (degrees * Math.PI) / 180;
  const values = [Math.cos(radians), Math.sin(radians), ...new Array<number>(dims - 2).fill(0)];
  return normalised(values, dims) as Float32Array;
}

const QUERY = at(0);

async function scored(open: OpenTestStore) {
  const g = await given(open);
  const project = await g.w.given.project("scored");
  const clock = new FakeClock();
  const answers = new Map<number, (outcome: ScoringOutcome) => void>();
  let opened = 0;
  const reads = { begin: (_sql: string): void => undefined };
  const service = new ScoringService(
    {
      clock,
      open: async () => {
        opened += 1;
        const connection = await openScoring(g.vectors.scoring);
        const execute = connection.execute.bind(connection);
        return Object.assign(connection, {
          execute: async (...[sql, values]: Parameters<typeof execute>) => {
            reads.begin(sql);
            return await execute(sql, values);
          },
        });
      },
    },
    (outcome) => answers.get(outcome.id)?.(outcome),
  );
  onTestFinished(async () => await service.close());
  let asks = 0;
  const send = (more: Partial<ScoringAsk> = {}) => {
    const id = ++asks;
    const { promise, resolve } = Promise.withResolvers<ScoringOutcome>();
    answers.set(id, resolve);
    const basic = { generation: g.generation, dims: DIMS, project_uid: project.uid, vector: QUERY };
    service.take({ id, ask: { ...basic, limit: 10, ...more } });
    return { id, outcome: promise };
  };
  const ask = async (more: Partial<ScoringAsk> = {}): Promise<NearestIssues> => {
    const outcome = await send(more).outcome;
    if ("fault" in outcome) throw new Error(outcome.detail);
    const { hits, exhausted } = outcome;
    return { hits, exhausted };
  };
  const put = async (uid: string, vectors: readonly Float32Array[]): Promise<void> => {
    const issues = [await embeddedOf(g.w, uid, vectors)];
    await g.vectors.put(g.generation, issues, all(issues));
  };
  const issue = async (...vectors: readonly Float32Array[]): Promise<string> => {
    const { uid } = await g.w.given.issue({ project });
    await put(uid, vectors);
    return uid;
  };
  return { ...g, clock, service, reads, send, ask, put, issue, project, opened: () => opened };
}

const uidsOf = ({ hits }: NearestIssues) => hits.map(({ issue_uid }) => issue_uid);

describeStore("the issues whose vectors are nearest to that of a query", (open) => {
  test("come with the cosine of their best chunk, best first, and not under 0.3", async () => {
    const { ask, issue } = await scored(open);
    const far = await issue(at(72));
    const near = await issue(at(80), at(10), at(50));
    await issue(at(73));
    await issue();
    const found = await ask();
    expect(found).toEqual({
      hits: [
        { issue_uid: near, cosine: expect.closeTo(Math.cos(Math.PI / 18), 5) },
        { issue_uid: far, cosine: expect.closeTo(0.309, 3) },
      ],
      exhausted: true,
    });
  });

  test("are at most as many as asked for, and the answer says whether there are more", async () => {
    const { ask, issue } = await scored(open);
    const [first, second] = [await issue(at(1)), await issue(at(2))];
    const one = await ask({ limit: 1 });
    expect([uidsOf(one), one.exhausted]).toEqual([[first], false]);
    const two = await ask({ limit: 2 });
    expect([uidsOf(two), two.exhausted]).toEqual([[first, second], true]);
  });

  test("are only those that were named, if any were", async () => {
    const { ask, issue } = await scored(open);
    const [first, second, third] = [await issue(at(1)), await issue(at(2)), await issue(at(3))];
    expect(uidsOf(await ask({ among: [third, second, "unknown"] }))).toEqual([second, third]);
    expect(uidsOf(await ask({ among: [third, first], limit: 1 }))).toEqual([first]);
    expect(await ask({ among: [] })).toEqual({ hits: [], exhausted: true });
  });

  test("are of the project and the generation of the query", async () => {
    const { ask, issue, w, put, vectors, of } = await scored(open);
    const own = await issue(at(1));
    const other = await w.given.issue({ project: await w.given.project("other") });
    await put(other.uid, [at(0)]);
    const { id } = await vectors.begin(of, "building", w.clock.now());
    expect(uidsOf(await ask())).toEqual([own]);
    expect(uidsOf(await ask({ project_uid: "unknown" }))).toEqual([]);
    expect(uidsOf(await ask({ generation: id }))).toEqual([]);
    expect(uidsOf(await ask())).toEqual([own]);
  });

  test("follow each change of the index", async () => {
    const { ask, issue, put, vectors } = await scored(open);
    const first = await issue(at(30));
    expect(uidsOf(await ask())).toEqual([first]);
    const second = await issue(at(20), at(89));
    expect(uidsOf(await ask())).toEqual([second, first]);
    await put(first, [at(10), at(90)]);
    expect(uidsOf(await ask())).toEqual([first, second]);
    await put(first, [at(90)]);
    expect(uidsOf(await ask())).toEqual([second]);
    await put(first, [at(0)]);
    await vectors.remove([second]);
    const { hits } = await ask();
    expect(hits[0]).toEqual({ issue_uid: first, cosine: 1 });
  });

  test("follow an issue into another project", async () => {
    const { ask, issue, w, vectors, generation, project } = await scored(open);
    const uid = await issue(at(10));
    expect(uidsOf(await ask())).toEqual([uid]);
    const other = await w.given.project("other");
    const { vectors: _, state: __, reason: ___, ...stamp } = await embeddedOf(w, uid);
    await vectors.restamp(generation, [{ ...stamp, project_uid: other.uid }]);
    expect(uidsOf(await ask())).toEqual([]);
    expect(uidsOf(await ask({ project_uid: other.uid }))).toEqual([uid]);
    await vectors.restamp(generation, [stamp]);
    expect(uidsOf(await ask({ project_uid: project.uid }))).toEqual([uid]);
  });

  test("do not have an issue that is to be forgotten", async () => {
    const { ask, issue, service, vectors, project } = await scored(open);
    const [first, second] = [await issue(at(1)), await issue(at(2))];
    expect(uidsOf(await ask())).toEqual([first, second]);
    service.take({ forget: [first] });
    expect(uidsOf(await ask())).toEqual([second]);
    await vectors.remove([first, second]);
    service.take({ forgetProject: project.uid });
    expect(uidsOf(await ask())).toEqual([]);
  });

  test("are the same as by an exact comparison with each vector", async () => {
    const { ask, w, vectors, generation, project } = await scored(open);
    const uids: string[] = [];
    for (let number = 0; number < 60; number++) uids.push((await w.given.issue({ project })).uid);
    const issues = await Promise.all(
      uids.map(async (uid, number) =>
        embeddedOf(
          w,
          uid,
          number % 3 === 0 ? [vector(number), vector(1000 + number)] : [vector(number)],
        ),
      ),
    );
    await vectors.put(generation, issues, all(issues));
    const asked = vector(7777);
    const expected = issues
      .map(({ issue_uid, vectors: own }) => ({
        issue_uid,
        cosine: Math.max(...own.map((one) => cosine(asked, one))),
      }))
      .filter((hit) => hit.cosine >= 0.3)
      .sort((a, b) => b.cosine - a.cosine);
    expect(expected.length).toBeGreaterThan(10);
    for (const limit of [5, 100])
      expect((await ask({ vector: asked, limit })).hits).toEqual(expected.slice(0, limit));
  });

  test("are not looked for if nobody waits for the answer any more", async () => {
    const { send, service, issue, ask } = await scored(open);
    await issue(at(1));
    const first = send();
    const left = send();
    service.take({ left: left.id });
    await first.outcome;
    await ask();
    let answered = false;
    void left.outcome.then(() => (answered = true));
    await ask();
    expect(answered).toBe(false);
  });

  test("are read anew after ten minutes without a query", async () => {
    const { ask, issue, clock, vectors } = await scored(open);
    const uid = await issue(at(1));
    await ask();
    await vectors.remove([uid]);
    clock.advance(10 * MINUTE_MS - 1);
    expect(uidsOf(await ask())).toEqual([uid]);
    clock.advance(10 * MINUTE_MS);
    expect(uidsOf(await ask())).toEqual([]);
  });

  test("are found without holding all vectors of a project that is too large for memory", async () => {
    const { ask, w, vectors, of, project, reads } = await scored(open);
    const dims = 16_384;
    const { id } = await vectors.begin({ ...of, dims }, "building", w.clock.now());
    const { uid } = await w.given.issue({ project });
    const issues = [await embeddedOf(w, uid, new Array<Float32Array>(1100).fill(at(10, dims)))];
    await vectors.put(id, issues, all(issues));
    const bytes: number[] = [];
    reads.begin = (sql) => {
      if (!sql.includes("vector_chunk")) return;
      // The bytes of a collection are freed on another thread, for which the next collection waits.
      collect();
      collect();
      bytes.push(process.memoryUsage().arrayBuffers);
    };
    const found = await ask({ generation: id, dims, vector: at(0, dims) });
    expect(uidsOf(found)).toEqual([uid]);
    const [before = 0, ...later] = bytes;
    expect(later).toHaveLength(2);
    // The rows of one statement take 31 MiB, and all vectors take 69 MiB.
    expect((Math.max(...later) - before) / MIB).toBeLessThan(48);
  });

  test("are not found in damaged vectors, and the answer says so", async () => {
    const { send, ask, issue, database, opened } = await scored(open);
    await issue(at(1));
    await ask();
    const later = await issue(at(2));
    await damage(database, later);
    expect(await send().outcome).toMatchObject({ fault: "damaged" });
    expect(await send().outcome).toMatchObject({ fault: "damaged" });
    expect(opened()).toBe(2);
  });
});

/** Overwrites the vector of an issue, from outside of svc. */
async function damage(database: TestDatabase, uid: string): Promise<void> {
  const { dsn, schema } = database.target;
  const statement = `update vector_chunk set vector = ? where issue_uid = '${uid}'`;
  if (schema !== undefined) {
    const bytes = `'\\x00'::bytea`;
    await query(dsn, `set search_path to ${schema}`, statement.replace("?", bytes));
    return;
  }
  const file = new Database(vectorsPath(dsn));
  file.prepare(statement).run(Buffer.of(0));
  file.close();
}
