import { expect, test } from "vitest";
import { createComment } from "../../../src/contract/comments.ts";
import { reconcile } from "../../../src/ops/bridges/reconcile.ts";
import { claimBridge, TO_THE_END } from "../../../src/ops/bridges/run.ts";
import { describeStore, sqliteDatabase } from "../../support/store.ts";
import { type Bridged, bridgedWorld, codeOf } from "./bridged.ts";
import { Meter, meteredStore } from "./metered.ts";

const PORTION = 100;

/** Lets the record have this many more comments. */
function addComments({ provider }: Bridged, count: number): void {
  const from = provider.record("r").comments.length;
  for (let at = from; at < from + count; at++)
    provider.comment("r", `c${String(at).padStart(6, "0")}`, `comment ${at}`);
}

/** Reconciles with a store that counts. */
async function meteredRun(b: Bridged, beforeWrite?: () => void) {
  const meter = new Meter();
  const deps = { ...b.runDeps, store: meteredStore(b.runDeps.store, meter, beforeWrite) };
  const claim = await claimBridge(b.runDeps, (await b.bridge()).uid, true);
  if (claim === undefined) throw new Error("a run has the bridge");
  const counts = await meter.during(reconcile(deps, claim, TO_THE_END));
  return { ...counts, most: meter.most };
}

test("10,000 comments come in by at most 100 in one turn of the event loop, and so do looks at them", async () => {
  const many = 10_000;
  const { open } = await sqliteDatabase();
  const b = await bridgedWorld(open);
  addComments(b, many);
  await b.bind({ publish: true });
  expect(await b.comments()).toEqual([]);
  addComments(b, many);
  expect(await meteredRun(b)).toMatchObject({ comments_created: many, most: PORTION });
  const bodies = (await b.comments()).map((text) => text.slice("connector:files: ".length));
  expect(new Set(bodies).size).toBe(many);
  const before = (await b.events()).length;
  expect(await meteredRun(b)).toMatchObject({ comments_created: 0, most: PORTION });
  expect((await b.events()).length).toBe(before);
});

describeStore("many comments of a root", (open) => {
  test("are judged before the first of them is written", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    addComments(b, 2 * PORTION);
    b.provider.comment("r", "d", "\u200b");
    expect(await codeOf(b.run())).toBe("connector_error");
    expect(await b.comments()).toEqual([]);
    expect((await b.bridge()).last_error).toContain("comment_blank");
  });

  test("come in once if the run is killed between two portions", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    const count = 2 * PORTION + 50;
    addComments(b, count);
    const killed = new Error("killed");
    let portions: number | undefined;
    b.provider.during("list_comments", () => {
      portions = 0;
    });
    // After the list was read: the words of the root, and two portions. From then on the run writes nothing.
    const beforeWrite = (): void => {
      if (portions !== undefined && portions++ >= 3) throw killed;
    };
    await expect(meteredRun(b, beforeWrite)).rejects.toBe(killed);
    expect(await b.comments()).toHaveLength(2 * PORTION);
    b.clock.advance(5 * 60_000);
    expect(await b.run()).toMatchObject({ comments_created: 50 });
    const found = await b.comments();
    expect(new Set(found).size).toBe(count);
    await b.folded();
  });
});

describeStore("many comments of an issue", (open) => {
  test("are published oldest first, a hundred in a run", async () => {
    const b = await bridgedWorld(open);
    await b.bind({ publish: true });
    const said = Array.from({ length: PORTION + 50 }, (_, at) => `mine ${at}`);
    for (const body of said) await b.call(createComment, { params: b.issue.path, body: { body } });
    const there = () => b.provider.record("r").comments.map(({ body }) => body);
    expect((await meteredRun(b)).most).toBeLessThanOrEqual(PORTION);
    expect(there()).toEqual(said.slice(0, PORTION));
    await b.run();
    expect(there()).toEqual(said);
    await b.folded();
  });
});
