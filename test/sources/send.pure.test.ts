import { expect, test } from "vitest";
import { yieldToLoop } from "../../src/base/yield-to-loop.ts";
import { sendItems } from "../../src/sources/send.ts";

type ItemsToSend = Parameters<typeof sendItems>[0];
type Items = Parameters<Parameters<typeof sendItems>[1]>[0];
type Answer = Awaited<ReturnType<Parameters<typeof sendItems>[1]>>;

const THEN = "2026-01-01T00:00:00Z";

/** Makes issues of which each is linked to the one before it. */
function items(count: number): ItemsToSend {
  const made: Items = Array.from({ length: count }, (_, at) => ({
    external_id: `x${at}`,
    title: `issue ${at}`,
    author: "ann",
    status: "open",
    created_at: THEN,
    updated_at: THEN,
    ...(at === 0 ? {} : { links: [{ type: "blocks", target_external_id: `x${at - 1}` }] }),
  }));
  const ids = made.map(({ external_id }) => external_id);
  return { count, linked: count - 1, items: made.values(), ids, removed: [] };
}

/** A daemon that answers only when the test lets it. */
function daemon() {
  const asked: {
    readonly items: Items;
    answer(more?: Partial<Answer>): void;
    refuse(error: Error): void;
  }[] = [];
  return {
    asked,
    post: async (batch: Items): Promise<Answer> =>
      await new Promise<Answer>((resolve, reject) => {
        const answer = (more: Partial<Answer> = {}): void => {
          resolve({
            source: "beads",
            batch_uid: "B",
            dry_run: false,
            created: batch.length,
            updated: 0,
            unchanged: 0,
            deleted: 0,
            comments: 0,
            links: 0,
            items: batch.map(({ external_id }) => ({
              external_id,
              issue_short_id: external_id,
              status: "created" as const,
            })),
            conflicts: [],
            errors: [],
            missing: [],
            ...more,
          });
        };
        asked.push({ items: batch, answer, refuse: reject });
      }),
  };
}

/** Lets the sender go on: it yields to the event loop after each portion, and has three portions under way. */
async function nextTurn(): Promise<void> {
  for (let turns = 0; turns < 4; turns += 1) await yieldToLoop();
}

test("two portions are sent ahead while the daemon works on one, and links wait for all issues", async () => {
  const { asked, post } = daemon();
  const shares: string[] = [];
  const sent = sendItems(items(7), post, (done, all) => shares.push(`${done}/${all}`), {
    items: 2,
  });
  await nextTurn();
  expect(asked.map(({ items }) => items.length)).toEqual([2, 2, 2]);
  asked[0]?.answer();
  await nextTurn();
  expect(asked).toHaveLength(4);
  asked[1]?.answer();
  asked[2]?.answer();
  await nextTurn();
  // The last issue was not answered yet, so no link is sent.
  expect(asked).toHaveLength(4);
  asked[3]?.answer();
  await nextTurn();
  expect(asked.slice(4).map(({ items }) => items[0]?.links?.length)).toEqual([1, 1, 1]);
  for (const { answer } of asked.slice(4)) answer();
  expect(await sent).toMatchObject({ created: 7 });
  expect(shares).toEqual(["0/13", "2/13", "4/13", "6/13", "7/13", "9/13", "11/13", "13/13"]);
});

test("a portion is sent before the next one is built", async () => {
  const { asked, post } = daemon();
  let built = 0;
  function* counted() {
    for (const item of items(6).items) {
      built += 1;
      yield item;
    }
  }
  const sent = sendItems({ ...items(6), items: counted() }, post, () => undefined, { items: 2 });
  // Two issues of the portion, and one that shows that it is full.
  expect([asked.length, built]).toEqual([1, 3]);
  while (asked.length < 6) {
    for (const { answer } of asked) answer();
    await nextTurn();
  }
  for (const { answer } of asked) answer();
  await sent;
});

test("existing issues are sent once, with their links, unless one was refused", async () => {
  const { asked, post } = daemon();
  const sent = sendItems(items(9), post, () => undefined, { items: 2 });
  for (let at = 0; at < 6; at += 1) {
    await nextTurn();
    asked[at]?.answer({ created: 0, errors: at === 3 ? ["x7 blocks x6: refused"] : [] });
  }
  await nextTurn();
  const links = asked.map(({ items }) =>
    items.flatMap(({ external_id, links = [] }) => (links.length > 0 ? [external_id] : [])),
  );
  expect(links.slice(0, 5)).toEqual([[], [], [], ["x7"], ["x8"]]);
  expect(links.slice(5).flat()).toEqual(["x1", "x2", "x3", "x4", "x5", "x6", "x7"]);
  for (const { answer } of asked.slice(6)) answer({ created: 0 });
  await nextTurn();
  for (const { answer } of asked.slice(6)) answer({ created: 0 });
  expect(await sent).toMatchObject({ errors: [] });
});

test("after a failed portion no more are sent, and those already sent are counted", async () => {
  const { asked, post } = daemon();
  const shares: number[] = [];
  const sent = sendItems(items(8), post, (done) => shares.push(done), { items: 2 });
  await nextTurn();
  asked[0]?.refuse(new Error("the disk is full"));
  await nextTurn();
  asked[1]?.answer();
  asked[2]?.answer();
  await expect(sent).rejects.toThrow("the disk is full");
  expect(asked).toHaveLength(3);
  expect(shares).toEqual([0, 2, 4]);
});

test("a portion that fails before the previous one is answered is reported after that one", async () => {
  const { asked, post } = daemon();
  const sent = sendItems(items(6), post, () => undefined, { items: 2 });
  await nextTurn();
  asked[1]?.refuse(new Error("the disk is full"));
  await nextTurn();
  asked[0]?.answer();
  await nextTurn();
  asked[2]?.answer();
  await expect(sent).rejects.toThrow("the disk is full");
});
