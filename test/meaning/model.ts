import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { EmbeddingsConfig } from "../../src/config/embeddings.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { chunksOf, textOf } from "../../src/domain/meaning/recipe.ts";
import { bytesOf, normalised } from "../../src/domain/meaning/vectors.ts";
import { differencesOf } from "../../src/meaning/compare.ts";
import { planOf } from "../../src/meaning/generations.ts";
import { hashOf } from "../../src/meaning/identity.ts";
import { storedVectors } from "../store/vectors/given.ts";
import { RandomRun } from "../support/random-run.ts";
import { step } from "../support/random-steps.ts";
import { startMortal } from "./mortal.ts";
import type { ScriptedAnswer } from "./provider/state.ts";
import { vectorOfText } from "./provider/vectors.ts";
import { settingsOf } from "./support.ts";
import type { MeaningWorld } from "./world.ts";

const DIMS = 16;
const END = Number.MAX_SAFE_INTEGER;
/** The provider refuses texts with this word. */
export const POISON = "poison";

const FAULTS: readonly (readonly ScriptedAnswer[])[] = [
  [{ status: 500 }],
  [{ status: 503 }, { status: 502 }],
  [{ status: 429 }],
  [{ status: 429, headers: { "retry-after": "30" } }],
  [{ status: 401 }],
  [{ status: 404 }],
  [{ status: 200, body: "<html>" }],
  [{ status: 200, body: '{"data":[]}' }],
];

/** What happens next: several writes at once, or something of the daemon or of its provider. */
export const act = fc.record({
  kind: fc.constantFrom(
    ...(["write", "write", "write", "text", "text", "sweep", "sweep", "sweep"] as const),
    ...(["forget", "look", "fault", "kill", "restart", "model", "salt", "wait"] as const),
  ),
  steps: fc.array(step, { minLength: 8, maxLength: 8 }),
  number: fc.nat(1000),
});

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

export class Model {
  /** What was not as the tables say. */
  readonly differences: object[] = [];
  readonly #world: MeaningWorld;
  readonly #run: RandomRun;
  #settings: EmbeddingsConfig;
  #meaning: Awaited<ReturnType<typeof startMortal>>;

  static async begin(world: MeaningWorld): Promise<Model> {
    const settings = settingsOf(world.baseUrl, { dims: DIMS, batchSize: 4 });
    const run = await RandomRun.begin(world.w);
    return new Model(world, run, settings, await startMortal(world.w, world.database, settings));
  }

  private constructor(
    world: MeaningWorld,
    run: RandomRun,
    settings: EmbeddingsConfig,
    meaning: Awaited<ReturnType<typeof startMortal>>,
  ) {
    this.#world = world;
    this.#run = run;
    this.#settings = settings;
    this.#meaning = meaning;
  }

  async write({ steps }: Pick<Act, "steps">): Promise<void> {
    await this.#run.steps(steps);
  }

  /** Gives an issue a text: long, blank, one of few, or one that the provider refuses. */
  async text({ number }: Pick<Act, "number">): Promise<void> {
    const { w } = this.#world;
    const marks = await this.#marks();
    const mark = marks[number % Math.max(1, marks.length)];
    if (mark === undefined) return;
    const issue = await w.store.read(async ({ issues }) => await issues.find(mark.uid));
    const params = { project_id: issue?.project_id ?? 0, ref: mark.uid };
    const body = [
      { body: `page ${number} `.repeat(700) },
      { body: "" },
      { title: `issue ${number % 3}` },
      { body: `${POISON} ${number % 2}` },
    ][number % 4];
    await w.send(editIssue, { params, body: body ?? {} });
  }

  async sweep(): Promise<void> {
    await this.#meaning.sweep();
  }

  async forget(): Promise<void> {
    await this.#meaning.forget();
  }

  async fault({ number }: Pick<Act, "number">): Promise<void> {
    this.#world.state.next(...(FAULTS[number % FAULTS.length] ?? []));
    await this.sweep();
  }

  /** Dies in the middle of what comes next. */
  async kill({ number }: Pick<Act, "number">): Promise<void> {
    this.#meaning.life.endAfter(number % 40);
    await this.#meaning.forget();
    await this.sweep();
    await this.restart();
  }

  async restart(): Promise<void> {
    await this.#meaning.end();
    const { w, database } = this.#world;
    this.#meaning = await startMortal(w, database, this.#settings);
  }

  async model({ number }: Pick<Act, "number">): Promise<void> {
    this.#settings = { ...this.#settings, model: `model ${number % 3}` };
    await this.restart();
  }

  async salt({ number }: Pick<Act, "number">): Promise<void> {
    this.#settings = { ...this.#settings, salt: `salt ${number % 2}` };
    await this.restart();
  }

  async wait({ number }: Pick<Act, "number">): Promise<void> {
    this.#world.w.clock.advance(number * 1000);
    return await Promise.resolve();
  }

  /** Health says how many issues have vectors of their text now, and no purged issue has any. */
  async look(): Promise<void> {
    await this.#meaning.forget();
    const health = await this.#meaning.look();
    const marks = await this.#marks();
    const { stamps, others } = await this.#stamps();
    const { current } = differencesOf(marks, stamps);
    const skipped = current.filter(({ state }) => state === "skipped").length;
    const { embedded, skipped: refused, backlog } = health ?? {};
    this.#compare(
      "health",
      [embedded, refused, backlog],
      [current.length - skipped, skipped, marks.length - current.length],
    );
    const uids = [...stamps, ...others].map(({ issue_uid }) => issue_uid);
    const { store } = this.#world.w;
    const rows = await store.read(async ({ issues }) => await issues.many([...new Set(uids)]));
    this.#compare(
      "stamps of purged issues",
      uids.filter((uid) => !rows.has(uid)),
      [],
    );
  }

  /** Without further faults and writes the index becomes equal to the tables, and nothing is sent again. */
  async end(): Promise<void> {
    const { w, state, database } = this.#world;
    for (let times = 0; times < 60; times++) {
      w.clock.advance(600_000);
      await this.#meaning.forget();
      await this.#meaning.sweep();
    }
    await this.look();
    const expected = await this.#expected();
    const { stamps, others } = await this.#stamps();
    this.#compare("stamps of other generations", others, []);
    const states = (await this.#world.generations()).map(({ state: is }) => is);
    this.#compare("generations", states, ["active"]);
    this.#compare(
      "stamps",
      stamps.map(({ issue_uid, text_hash, state: is }) => `${issue_uid} ${text_hash} ${is}`).sort(),
      expected.map(({ uid, text, is }) => `${uid} ${hashOf(text)} ${is}`).sort(),
    );
    const stored = await storedVectors(database);
    this.#compare(
      "vectors",
      stored.map(({ issue_uid, number, vector }) => `${issue_uid} ${number} ${hex(vector)}`).sort(),
      expected.flatMap(vectorsOf).sort(),
    );
    state.forgetCalls();
    w.clock.advance(600_000);
    await this.#meaning.sweep();
    this.#compare("texts that are sent again", state.inputs(), []);
  }

  #compare(what: string, found: unknown, expected: unknown): void {
    if (!isDeepStrictEqual(found, expected)) this.differences.push({ what, found, expected });
  }

  async #marks() {
    const { store } = this.#world.w;
    return await store.read(async ({ contents }) => await contents.marks(0, END));
  }

  /** The stamps of the generation that is filled, and those of all others. */
  async #stamps() {
    const { fingerprint } = this.#meaning;
    return await this.#world.look(async (vectors) => {
      const generations = await vectors.generations();
      const working = planOf(generations, fingerprint).working?.id;
      const all = await Promise.all(
        generations.map(async ({ id }) => ({ id, rows: await vectors.range(id, 0, END) })),
      );
      const rowsOf = (isWorking: boolean) =>
        all.filter(({ id }) => (id === working) === isWorking).flatMap(({ rows }) => rows);
      return { stamps: rowsOf(true), others: rowsOf(false) };
    });
  }

  async #expected() {
    const ids = (await this.#marks()).map(({ id }) => id);
    const texts = await this.#world.w.store.read(async ({ contents }) => await contents.texts(ids));
    return texts.map((issue) => {
      const text = textOf(issue);
      return { uid: issue.uid, text, is: text.includes(POISON) ? "skipped" : "done" };
    });
  }
}

function vectorsOf({ uid, text, is }: { uid: string; text: string; is: string }) {
  if (is === "skipped") return [];
  return chunksOf(text).map((chunk, number) => {
    const vector = normalised(vectorOfText(chunk.text, "meaning", DIMS), DIMS) as Float32Array;
    return `${uid} ${number} ${hex(bytesOf(vector))}`;
  });
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
