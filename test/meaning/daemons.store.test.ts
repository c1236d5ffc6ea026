import { expect, test } from "vitest";
import { beginMeaning } from "../../src/ops/search/meaning.ts";
import { describePostgres } from "../support/store.ts";
import { meaningWorld } from "./world.ts";

describePostgres("several daemons on a database", (open) => {
  test("only the elected one sends texts, and the others say what it says", async () => {
    const { w, database, state, start } = await meaningWorld(open);
    await w.given.issue({ title: "one" });
    const first = start();
    await first.fill();
    const store = await database.open({ clock: w.clock });
    const second = start({}, store);
    await w.given.issue({ title: "two" });
    expect(await second.sweep()).toBeNaN();
    expect(state.inputs()).toEqual(["one"]);
    await first.fill();
    expect(state.inputs()).toEqual(["one", "two"]);
    w.clock.advance(5000);
    await second.look();
    expect(second.health()).toEqual(first.health());
    expect(second.health()).toMatchObject({ embedded: 2, backlog: 0 });
  });

  test("a new index that another daemon asks for is built by the elected one", async () => {
    const { w, database, state, start } = await meaningWorld(open);
    await w.given.issue({ title: "one" });
    const first = start();
    await first.fill();
    const store = await database.open({ clock: w.clock });
    const second = start({}, store);
    await second.sweep();
    state.forgetCalls();
    await second.farSide.reindex();
    await first.fill();
    expect(state.inputs()).toEqual(["one"]);
  });

  test("a search on each of them gives as many issues as there are after one was deleted", async () => {
    const { w, database, start, remove } = await meaningWorld(open);
    const project = await w.given.project();
    const issues = [];
    for (let number = 0; number < 3; number++)
      issues.push(await w.given.issue({ project, title: "latency of the website" }));
    const first = start();
    await first.fill();
    const store = await database.open({ clock: w.clock });
    const second = start({}, store);
    await second.sweep();
    const found = async () => {
      const input = {
        params: project.path,
        query: { q: "latency of the website", mode: "semantic", limit: 2 } as const,
      };
      const at = { configured: true, readonly: false };
      const begun = await beginMeaning({ store, semantic: second.search, at }, input);
      const meant = await begun?.meant;
      if (meant === undefined || !("hits" in meant)) throw new Error("nothing was searched");
      return meant.hits.map(({ issue_uid }) => issue_uid);
    };
    const before = await found();
    expect(before).toHaveLength(2);
    const deleted = issues.find(({ uid }) => uid === before[0]);
    if (deleted === undefined) throw new Error("a hit is one of the issues");
    await remove(deleted);
    await first.fill();
    const left = issues.filter((issue) => issue !== deleted).map(({ uid }) => uid);
    expect(new Set(await found())).toEqual(new Set(left));
  });

  test("the next one goes on when the elected one is gone", async () => {
    const { w, database, state, start } = await meaningWorld(open);
    for (const title of ["one", "two"]) await w.given.issue({ title });
    const first = start();
    await first.fill();
    const store = await database.open({ clock: w.clock });
    const second = start({}, store);
    await second.sweep();
    await first.stop();
    await w.store.resign("embeddings");
    await w.given.issue({ title: "three" });
    state.forgetCalls();
    expect(await second.fill()).toBe(300_000);
    expect(state.inputs()).toEqual(["three"]);
    expect(second.health()).toMatchObject({ embedded: 3, backlog: 0 });
  });
});
