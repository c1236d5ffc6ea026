import { expect, test } from "vitest";
import type { Store, WriteGuard } from "../../src/store/types/store.ts";
import { describeStore } from "../support/store.ts";
import { created, log, projectCreated, uid } from "./drafts.ts";

const P = uid(1);
const [ONE, TWO] = [uid(101), uid(102)];

/** A guard that records what it is asked, and refuses what the test says. */
function noting(refused?: string): { readonly asked: string[]; readonly guard: WriteGuard } {
  const asked: string[] = [];
  const ask = (what: string): void => {
    asked.push(what);
    if (what === refused) throw new Error(`${what} is refused`);
  };
  const guard: WriteGuard = {
    begin: async (tx) => ask(`begin after ${await tx.events.lastId()}`),
    append: async (_, draft) => ask(`append ${draft.issue_uid}`),
    purgeIssue: async (_, issue, by) => ask(`purge ${issue.uid} by ${by.actor}`),
    unchanged: async () => ask("unchanged"),
  };
  return { asked, guard };
}

async function lastId(store: Store): Promise<number> {
  return await store.read(async ({ events }) => await events.lastId());
}

describeStore("the guard of a write", (open) => {
  test("a guard is called before the work and before each of its events", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"));
    const { asked, guard } = noting();
    await store.write(async (tx) => {
      asked.push("work");
      await tx.append(created(P, ONE));
      await tx.append(created(P, TWO));
    }, guard);
    expect(asked).toEqual(["begin after 1", "work", `append ${ONE}`, `append ${TWO}`]);
  });

  test.each([
    ["the work", "begin after 1"],
    ["its last event", `append ${TWO}`],
  ])(
    "a guard that refuses %s undoes the write and leaves other writes alone",
    async (_, refused) => {
      const store = await open();
      await log(store, projectCreated(P, "web"));
      const { guard } = noting(refused);
      const write = store.write(async (tx) => {
        await tx.append(created(P, ONE));
        await tx.append(created(P, TWO));
      }, guard);
      const other = store.write(async (tx) => await tx.append(created(P, uid(103))));
      await expect(write).rejects.toThrow(`${refused} is refused`);
      expect((await other).id).toBe(2);
      expect(await lastId(store)).toBe(2);
    },
  );

  test("a guard is called before an issue is purged", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"), created(P, ONE));
    const { asked, guard } = noting(`purge ${ONE} by ann`);
    const purge = store.write(async (tx) => {
      const issue = await tx.issues.find(ONE);
      if (issue !== undefined) await tx.purgeIssue(issue, { actor: "ann", reason: null });
    }, guard);
    await expect(purge).rejects.toThrow("refused");
    expect(asked).toEqual(["begin after 2", `purge ${ONE} by ann`]);
    expect(await store.read(async ({ issues }) => await issues.find(ONE))).toBeDefined();
  });

  test("a guard is told that a write changes nothing, unless the write repeats an earlier write", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, ONE, { idempotency_key: "again", idempotency_fingerprint: "f" }),
    );
    const { asked, guard } = noting("unchanged");
    const find = async (key: string) =>
      await store.write(async (tx) => await tx.marks.findIdempotency(P, "create", key), guard);
    await expect(find("new")).rejects.toThrow("unchanged is refused");
    expect(await find("again")).toMatchObject({ key: "again" });
    expect(asked).toEqual(["begin after 2", "unchanged", "begin after 2"]);
  });
});
