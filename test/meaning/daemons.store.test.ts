import { expect, test } from "vitest";
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
    await second.side.reindex();
    await first.fill();
    expect(state.inputs()).toEqual(["one"]);
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
