import { expect, test } from "vitest";
import { describeStore } from "../support/store.ts";
import { meaningWorld } from "./world.ts";

describeStore("the generations of the index", (open) => {
  test("stay when only the address of the provider changes", async () => {
    const { w, state, start, baseUrl, generations } = await meaningWorld(open);
    await w.given.issue({ title: "one" });
    const first = start();
    await first.fill();
    await first.stop();
    const before = await generations();
    state.forgetCalls();
    const second = start({ baseUrl: baseUrl.replace("127.0.0.1", "localhost") });
    await second.fill();
    expect(state.calls()).toEqual([]);
    expect(await generations()).toEqual(before);
  });

  test.each<[string, { model?: string; salt?: string; dims?: number }]>([
    ["model", { model: "other" }],
    ["salt", { salt: "other" }],
    ["width", { dims: 8 }],
  ])(
    "change with the %s: the old one serves until the new one is full, then it is removed",
    async (_what, changed) => {
      const { w, state, start, generations, stamps } = await meaningWorld(open);
      for (const title of ["one", "two"]) await w.given.issue({ title });
      const first = start();
      await first.fill();
      await first.stop();
      const [old] = await generations();
      state.behave({ dims: changed.dims ?? 16 });
      const second = start({ ...changed, batchSize: 1 });
      state.hold();
      const sweeping = second.sweep();
      await state.hasBeenCalled(2);
      expect(await generations()).toMatchObject([{ state: "active" }, { state: "building" }]);
      expect((await second.farSide.show()).generation).toBe("building");
      state.release();
      await sweeping;
      await second.fill();
      const [only, ...others] = await generations();
      expect(others).toEqual([]);
      expect(only).toMatchObject({ state: "active" });
      expect(only?.id).not.toBe(old?.id);
      expect((await second.farSide.show()).generation).toBe("active");
      expect(await stamps()).toHaveLength(2);
    },
  );

  test("that answer searches lose what is deleted while a new one is built", async () => {
    const { w, state, start, remove, stamps } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "one" });
    await w.given.issue({ title: "two" });
    const first = start();
    await first.fill();
    await first.stop();
    state.always({ status: 503 });
    const second = start({ model: "other" });
    await second.fill();
    await remove(issue);
    await second.fill();
    expect(await stamps()).toHaveLength(1);
  });

  test("of a model that was tried for a moment are removed, and the one before is used again", async () => {
    const { w, state, start, generations } = await meaningWorld(open);
    for (const title of ["one", "two"]) await w.given.issue({ title });
    const first = start();
    await first.fill();
    await first.stop();
    const [old] = await generations();
    for (const model of ["second", "third"]) {
      state.always({ status: 503 });
      const tried = start({ model });
      await tried.fill();
      await tried.stop();
    }
    expect((await generations()).map(({ state: is, model }) => `${model} ${is}`)).toEqual([
      "test-model active",
      "third building",
    ]);
    state.always();
    state.forgetCalls();
    const back = start();
    await back.fill();
    expect(state.calls()).toEqual([]);
    expect(await generations()).toEqual([old]);
  });

  test("begin anew when that is asked for, and the old one serves meanwhile", async () => {
    const { w, state, start, generations, stamps } = await meaningWorld(open);
    for (const title of ["one", "two"]) await w.given.issue({ title });
    const { fill, farSide, sweep } = start();
    await fill();
    const [old] = await generations();
    state.forgetCalls();
    await farSide.reindex();
    state.hold();
    const sweeping = sweep();
    await state.hasBeenCalled(1);
    expect(await generations()).toMatchObject([{ state: "active" }, { state: "building" }]);
    expect((await farSide.show()).generation).toBe("active");
    state.release();
    await sweeping;
    await fill();
    expect(state.inputs()).toEqual(["two", "one"]);
    const [only, ...others] = await generations();
    expect(others).toEqual([]);
    expect(only?.id).not.toBe(old?.id);
    expect(await stamps()).toHaveLength(2);
    state.forgetCalls();
    await fill();
    expect(state.calls()).toEqual([]);
  });

  test("begin with an empty one that is active, so that the first issues are found at once", async () => {
    const { w, state, start, generations } = await meaningWorld(open);
    await w.given.issue({ title: "one" });
    state.always({ status: 503 });
    await start().fill();
    expect(await generations()).toMatchObject([{ state: "active", model: "test-model", dims: 16 }]);
  });
});
