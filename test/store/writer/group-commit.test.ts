import { describe, expect, onTestFinished, test } from "vitest";
import { SvcError } from "../../../src/contract/errors.ts";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import type { Backend } from "../../../src/store/backend.ts";
import { openStore } from "../../../src/store/open.ts";
import type { Store, Tx } from "../../../src/store/types/store.ts";
import { FakeClock } from "../../support/clock.ts";
import { countingIds } from "../../support/ids.ts";
import { overlay } from "../../support/overlay.ts";
import { describeStore, type OpenOptions, sqliteDatabase } from "../../support/store.ts";
import { created, log, projectCreated, uid } from "../drafts.ts";
import { expectFolded } from "../fold.ts";

const P = uid(1);

/** The clock stands still, because on a slow machine a batch would be ended early. */
async function withProject(
  open: (options: OpenOptions) => Promise<AdminStore>,
): Promise<AdminStore> {
  const store = await open({ clock: new FakeClock() });
  await log(store, projectCreated(P, "web"));
  return store;
}

async function titles(store: Store): Promise<readonly string[]> {
  const issues = await store.read(
    async (reader) => await reader.issues.list({ project_uid: P }, "created"),
  );
  return issues.map(({ title }) => title).sort();
}

describeStore("committing writes in groups", (open) => {
  test("the writer commits waiting writes once, in order, and notifies listeners once", async () => {
    const store = await withProject(open);
    const heard: number[] = [];
    store.onCommit((id) => heard.push(id));
    const events = await Promise.all(
      Array.from(
        { length: 40 },
        async (_, at) =>
          await store.write(async (tx) => await tx.append(created(P, uid(100 + at)))),
      ),
    );
    expect(events.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, at) => at + 2));
    expect(heard).toEqual([41]);
  });

  test.each([
    [64, 1],
    [65, 2],
  ])("the writer puts %i waiting writes into %i commits", async (writes, commits) => {
    const store = await withProject(open);
    const heard: number[] = [];
    store.onCommit((id) => heard.push(id));
    await Promise.all(
      Array.from(
        { length: writes },
        async (_, at) =>
          await store.write(async (tx) => await tx.append(created(P, uid(100 + at)))),
      ),
    );
    expect(heard).toHaveLength(commits);
    expect(heard.at(-1)).toBe(writes + 1);
  });

  test("the writer undoes a write that fails without failing the others", async () => {
    const store = await withProject(open);
    const attempt = async (number: number): Promise<number> =>
      await store.write(async (tx) => {
        const { id } = await tx.append(created(P, uid(number), { title: `t${number}` }));
        if (number % 2 === 0) throw new SvcError("conflict");
        return id;
      });
    const results = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((number) => attempt(100 + number)),
    );
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(
      results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
    ).toEqual([2, 3, 4]);
    expect(await titles(store)).toEqual(["t101", "t103", "t105"]);
    await expectFolded(store);
  });

  test("the writer fails only the one write whose statement fails", async () => {
    const store = await withProject(open);
    const projects = [uid(101), uid(102)].map((project) => projectCreated(project, "api"));
    const results = await Promise.allSettled(
      [...projects, created(P, uid(103))].map(
        async (draft) => await store.write(async (tx) => await tx.append(draft)),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await expectFolded(store);
  });

  test("the writer fails only the first of several writes when its statement fails", async () => {
    const store = await withProject(open);
    await log(store, projectCreated(uid(100), "api"));
    const results = await Promise.allSettled(
      [projectCreated(uid(101), "api"), created(P, uid(102)), created(P, uid(103))].map(
        async (draft) => await store.write(async (tx) => (await tx.append(draft)).id),
      ),
    );
    expect(results).toMatchObject([
      { status: "rejected" },
      { status: "fulfilled", value: 3 },
      { status: "fulfilled", value: 4 },
    ]);
    await expectFolded(store);
  });

  test("the writer shows a write the earlier writes of its batch, and never a failed write", async () => {
    const store = await withProject(open);
    const seen = async (tx: Tx): Promise<boolean[]> => {
      const found = await tx.issues.many([uid(101), uid(102)]);
      return [found.has(uid(101)), found.has(uid(102))];
    };
    const results = await Promise.allSettled([
      store.write(async (tx) => await tx.append(created(P, uid(101)))),
      store.write(async (tx) => {
        await tx.append(created(P, uid(102)));
        throw new Error("planned");
      }),
      store.write(seen),
    ]);
    expect(results[2]).toEqual({ status: "fulfilled", value: [true, false] });
  });

  test.each([
    ["a commit that is refused", "unavailable"],
    ["a commit whose outcome is unknown", "outcome_unknown"],
  ] as const)(
    "the writer refuses no write after %s because of what that commit would have stored",
    async (_title, code) => {
      const { target } = await open.database();
      let isFailing = false;
      const failing = (backend: Backend): Backend =>
        overlay(backend, {
          commit: async (connection, proof) => {
            if (isFailing) throw new SvcError(code);
            await backend.commit(connection, proof);
          },
        });
      const options = { clock: new FakeClock(), ids: countingIds(), timezone: "UTC" };
      const store = await openStore({ ...target, ...options, between: failing });
      onTestFinished(async () => await store.close());
      await log(store, projectCreated(P, "web"));
      isFailing = true;
      const refuseIf = async (tx: Tx, isThere: boolean): Promise<void> => {
        const found = (await tx.issues.find(uid(101))) !== undefined;
        if (found === isThere) throw new SvcError("already_claimed");
      };
      const writes = [
        store.write(async () => undefined),
        store.write(async (tx) => await refuseIf(tx, false)),
        store.write(async (tx) => await tx.append(created(P, uid(101)))),
        store.write(async (tx) => await refuseIf(tx, true)),
      ];
      const results = await Promise.allSettled(writes);
      expect(results).toMatchObject([
        { reason: { code } },
        { reason: { code: "already_claimed" } },
        { reason: { code } },
        { reason: { code } },
      ]);
    },
  );

  test("the writer lets a caller that has its answer read what it wrote", async () => {
    const store = await withProject(open);
    const missing: number[] = [];
    await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        await store.write(async (tx) => await tx.append(created(P, uid(100 + at))));
        const found = await store.read(async (reader) => await reader.issues.find(uid(100 + at)));
        if (found === undefined) missing.push(at);
      }),
    );
    expect(missing).toEqual([]);
  });

  test("the writer lets readers between the writes of a batch see all of a write or nothing", async () => {
    const store = await withProject(open);
    const pairs = Array.from(
      { length: 30 },
      (_, at) => [uid(1000 + 2 * at), uid(1001 + 2 * at)] as const,
    );
    const torn: string[] = [];
    const read = async (left: string, right: string): Promise<void> => {
      const [one, other] = await store.read(async (reader) => [
        await reader.issues.find(left),
        await reader.issues.find(right),
      ]);
      if ((one === undefined) !== (other === undefined)) torn.push(left);
    };
    await Promise.all(
      pairs.flatMap(([left, right]) => [
        store.write(async (tx) => {
          await tx.append(created(P, left));
          await tx.append(created(P, right));
        }),
        read(left, right),
        read(left, right),
      ]),
    );
    expect(torn).toEqual([]);
  });

  test("the writer writes whole and in order even if a write appends without awaiting", async () => {
    const store = await withProject(open);
    const ids = await store.write(async (tx) => {
      const events = await Promise.all([
        tx.append(created(P, uid(101))),
        tx.append(created(P, uid(102))),
      ]);
      return events.map(({ id }) => id);
    });
    expect(ids).toEqual([2, 3]);
    await expectFolded(store);
  });

  test("the writer refuses writes through a transaction that has ended", async () => {
    const store = await withProject(open);
    let kept: Tx | undefined;
    await store.write(async (tx) => {
      kept = tx;
    });
    await expect(kept?.append(created(P, uid(101)))).rejects.toThrow("awaits each of its appends");
    expect(await titles(store)).toEqual([]);
  });

  test("the writer finishes waiting writes when the store closes, and refuses later writes", async () => {
    const store = await withProject(open);
    const waiting = store.write(async (tx) => await tx.append(created(P, uid(101))));
    const closing = store.close();
    await expect(
      store.write(async (tx) => await tx.append(created(P, uid(102)))),
    ).rejects.toMatchObject({ code: "unavailable" });
    expect((await waiting).id).toBe(2);
    await closing;
  });
});

describe("a batch on SQLite", () => {
  test("a batch runs from its first write to its commit within one turn of the event loop", async () => {
    const store = await withProject(
      async (options) => await (await sqliteDatabase()).open(options),
    );
    const order: string[] = [];
    let waiting = true;
    const turn = (): void => {
      order.push("turn");
      if (waiting) setImmediate(turn);
    };
    setImmediate(turn);
    store.onCommit(() => order.push("commit"));
    await Promise.all(
      Array.from(
        { length: 20 },
        async (_, at) =>
          await store.write(async (tx) => {
            order.push("begin");
            await tx.append(created(P, uid(100 + at), { labels: ["a", "b"] }));
            await tx.issues.list({ project_uid: P }, "recent");
            order.push("end");
          }),
      ),
    );
    waiting = false;
    const batch = order.slice(order.indexOf("begin"), order.indexOf("commit") + 1);
    expect(batch).toEqual([...Array.from({ length: 20 }, () => ["begin", "end"]).flat(), "commit"]);
  });
});
