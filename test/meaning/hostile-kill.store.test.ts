import { expect, test } from "vitest";
import { chunksOf, textOf } from "../../src/domain/meaning/recipe.ts";
import { differencesOf } from "../../src/meaning/compare.ts";
import { planOf } from "../../src/meaning/generations.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { startMortal } from "./mortal.ts";
import { settingsOf } from "./support.ts";
import { differencesFromTables, faultsWithin, wholeIndex } from "./whole-index.ts";
import { type MeaningWorld, meaningWorld } from "./world.ts";

/** Every how many steps of a pass it is killed. A pass of one of the three kinds has about 40 to 120 steps. */
const EVERY =
  process.env["SVC_TEST_POINTS"] === "all"
    ? { sqlite: 1, postgres: 1 }
    : { sqlite: 17, postgres: 29 };

const KINDS = ["writes", "a new generation", "another model"] as const;
type Kind = (typeof KINDS)[number];

const POISON = "poison";
const END = Number.MAX_SAFE_INTEGER;

type Daemon = Awaited<ReturnType<typeof startMortal>>;
type Issue = Awaited<ReturnType<MeaningWorld["w"]["given"]["issue"]>>;

/**
 * Creates, edits, deletes and purges issues, so that there are as many as before. Returns the uids of those that were
 * purged.
 */
async function change(
  { w, edit, remove, purge, issues }: Omit<MeaningWorld, "start"> & { readonly issues: Issue[] },
  round: number,
): Promise<readonly string[]> {
  const texts = [
    { title: `new ${round}` },
    { title: `long ${round}`, body: `word ${round} `.repeat(600) },
    { title: `${POISON} ${round}` },
    { title: `with body ${round}`, body: `body ${round}` },
  ];
  const from = round % 2 === 0 ? 0 : 2;
  for (const text of texts.slice(from, from + 2)) issues.push(await w.given.issue(text));
  const [purged, removed, edited] = issues.splice(0, 3);
  if (purged === undefined || removed === undefined || edited === undefined) return [];
  await edit(edited, { title: `changed ${round}` });
  issues.push(edited);
  await remove(removed);
  await purge(purged);
  return [purged.uid];
}

/** Sweeps until nothing is left to do, or until the daemon has died. */
async function pass({ life, forget, sweep }: Daemon, w: MeaningWorld["w"]): Promise<void> {
  for (let times = 0; times < 40; times++) {
    await forget();
    const wait = await sweep();
    if (life.isOver) return;
    if (wait === 300_000) return;
    w.clock.advance(wait ?? 0);
  }
  throw new Error("the pass does not end");
}

async function workingOf(
  { generations }: Pick<MeaningWorld, "generations">,
  { fingerprint }: Daemon,
): Promise<number> {
  return planOf(await generations(), fingerprint).working?.id ?? 0;
}

/** What health must say: the stamps of the generation that is filled, compared with the tables. */
async function counted({ w, look }: Pick<MeaningWorld, "w" | "look">, working: number) {
  const marks = await w.store.read(async ({ contents }) => await contents.marks(0, END));
  const stamps = await look(async (vectors) => await vectors.range(working, 0, END));
  const { current, missing } = differencesOf(marks, stamps);
  const skipped = current.filter(({ state }) => state === "skipped").length;
  const finished = new Set(current.map(({ issue_id }) => issue_id));
  const texts = await w.store.read(async ({ contents }) => await contents.texts([...finished]));
  return {
    health: { embedded: current.length - skipped, skipped, backlog: missing.length },
    finished: new Set(texts.flatMap((issue) => chunksOf(textOf(issue)).map(({ text }) => text))),
  };
}

/** A world whose index is filled. */
async function filled(open: OpenTestStore) {
  const world = await meaningWorld(open);
  world.state.poison(POISON);
  const issues: Issue[] = [];
  for (let number = 0; number < 6; number++)
    issues.push(await world.w.given.issue({ title: `issue ${number}` }));
  let settings = settingsOf(world.baseUrl, { dims: 16, batchSize: 3 });
  const start = async (): Promise<Daemon> => await startMortal(world.w, world.database, settings);
  const begin = async (kind: Kind, round: number): Promise<void> => {
    if (kind === "another model") settings = { ...settings, model: `model ${round}` };
    if (kind === "a new generation")
      await world.look(async (vectors) => await vectors.setMeta("reindex", world.w.clock.now()));
  };
  const first = await start();
  await pass(first, world.w);
  await first.end();
  return { ...world, issues, daemon: start, begin };
}

/** Kills a pass at a point, and lets another daemon end it. Returns whether the pass got as far as this point. */
async function killed(
  world: Awaited<ReturnType<typeof filled>>,
  { kind, point, round }: { readonly kind: Kind; readonly point: number; readonly round: number },
): Promise<boolean> {
  const { w, database, state, daemon, begin } = world;
  const where = `point ${point} of a pass with ${kind}, round ${round}`;
  const purged = await change(world, round);
  await begin(kind, round);
  w.clock.advance(1000);
  const dying = await daemon();
  dying.life.endAfter(point);
  await pass(dying, w);
  await dying.end();
  expect(await faultsWithin(database), where).toEqual([]);

  const next = await daemon();
  await next.index();
  const { issues, chunks } = await wholeIndex(database);
  const left = [...issues, ...chunks].filter(({ issue_uid }) => purged.includes(issue_uid));
  expect(left, where).toEqual([]);
  const health = await next.look();
  const now = await counted(world, await workingOf(world, next));
  expect(health, where).toMatchObject(now.health);
  state.forgetCalls();
  await pass(next, w);
  const again = state.inputs().filter((text) => now.finished.has(text));
  expect(again, where).toEqual([]);
  const differences = await differencesFromTables(world, (text) => text.includes(POISON));
  expect(differences, where).toEqual([]);
  state.forgetCalls();
  w.clock.advance(300_000);
  await pass(next, w);
  expect(state.calls(), where).toEqual([]);
  await next.end();
  return dying.life.isOver;
}

describeStore("a daemon that is killed while it fills the index of meanings", (open) => {
  test.each(KINDS)(
    `leaves an index that the next one finishes, at one of each ${EVERY[open.dialect]} points of a pass with %s`,
    { timeout: EVERY.sqlite === 1 ? 7_200_000 : 300_000 },
    async (kind) => {
      const world = await filled(open);
      let points = 0;
      for (let point = 0; await killed(world, { kind, point, round: points }); points++)
        point += EVERY[open.dialect];
      expect(points).toBeGreaterThan(30 / EVERY[open.dialect]);
    },
  );
});
