import { expect, test, vi } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { describeStore } from "../../support/store.ts";
import { all, countsOf, embedded, given, rowsIn, storedVectors } from "./given.ts";

describeStore("generations of vectors", (open) => {
  test("begin as building, and the switch retires the active one in the same transaction", async () => {
    const at = await given(open);
    const now = at.w.clock.now();
    await at.vectors.switchTo(at.generation, now);
    const next = await at.vectors.begin({ ...at.of, fingerprint: "f2" }, "building", now);
    const states = async () => (await at.vectors.generations()).map(({ state }) => state);
    expect(await states()).toEqual(["active", "building"]);
    const seen = new Set<string>();
    const watch = async () => {
      const rows = await rowsIn<{ state: string }>(
        at.database,
        "select state from vector_generation order by id",
      );
      seen.add(rows.map(({ state }) => state).join(" "));
    };
    await Promise.all([
      watch(),
      at.vectors.switchTo(next.id, "2026-01-02T00:00:00.000Z"),
      watch(),
      watch(),
    ]);
    await watch();
    expect(await states()).toEqual(["retired", "active"]);
    expect([...seen].filter((one) => one !== "active building")).toEqual(["retired active"]);
    expect((await at.vectors.generations())[1]).toEqual({
      ...{ id: next.id, ...at.of, fingerprint: "f2", state: "active" },
      ...{ started_at: now, activated_at: "2026-01-02T00:00:00.000Z" },
    });
  });

  test("that begin as active retire the active one, and get a larger id than all before", async () => {
    const at = await given(open);
    await at.vectors.switchTo(at.generation, at.w.clock.now());
    const next = await at.vectors.begin(at.of, "active", at.w.clock.now());
    expect(next.id).toBeGreaterThan(at.generation);
    expect(await at.vectors.generations()).toMatchObject([
      { id: at.generation, state: "retired" },
      { id: next.id, state: "active", activated_at: at.w.clock.now() },
    ]);
  });

  test("that are retired are removed in portions, and the vectors of others stay", async () => {
    const at = await given(open);
    const issues = [await embedded(at), await embedded(at), await embedded(at)];
    await at.vectors.put(at.generation, issues, all(issues));
    const other = await at.vectors.begin(at.of, "active", at.w.clock.now());
    await at.vectors.put(other.id, issues.slice(0, 1), all(issues));
    expect(await at.vectors.dropRetired(at.generation, 2)).toBe(true);
    expect(await countsOf(at.vectors, at.generation)).toMatchObject({ done: 1 });
    expect(await at.vectors.dropRetired(at.generation, 2)).toBe(false);
    expect((await at.vectors.generations()).map(({ id }) => id)).toEqual([other.id]);
    expect(await storedVectors(at.database)).toHaveLength(1);
    expect(await countsOf(at.vectors, other.id)).toMatchObject({ done: 1 });
  });

  test("list their issues by ranges of ids, by uid and by project, and never those of another generation", async () => {
    const at = await given(open);
    const project = await at.w.given.project("other");
    const { uid } = await at.w.given.issue({ project });
    const issues = [await embedded(at), await embedded(at), await embedded(at)];
    await at.vectors.put(at.generation, issues, all(issues));
    const other = await at.vectors.begin(at.of, "building", at.w.clock.now());
    const uids = issues.map(({ issue_uid }) => issue_uid);
    const [first, second, third] = issues.map(({ issue_id }) => issue_id);
    const idsOf = (rows: readonly { readonly issue_id: number }[]) =>
      rows.map(({ issue_id }) => issue_id);
    const { range, find, ofProject } = {
      range: async (...ends: readonly [number, number]) =>
        idsOf(await at.vectors.range(at.generation, ...ends)),
      find: async (wanted: readonly string[]) =>
        idsOf(await at.vectors.find(at.generation, wanted)),
      ofProject: async (after: number, most: number) =>
        idsOf(await at.vectors.ofProject(at.generation, issues[0]?.project_uid ?? "", after, most)),
    };
    expect(await range(first ?? 0, third ?? 0)).toEqual([second, third]);
    expect(await find([uids[2] ?? "", uid, uids[0] ?? ""])).toEqual([first, third]);
    expect(await ofProject(0, 2)).toEqual([first, second]);
    expect(await ofProject(second ?? 0, 2)).toEqual([third]);
    expect(await at.vectors.range(other.id, 0, third ?? 0)).toEqual([]);
    expect(await at.vectors.ofProject(at.generation, project.uid, 0, 10)).toEqual([]);
  });

  test("and their vectors are still there when they are opened again, and facts of the callers too", async () => {
    const at = await given(open);
    const issue = await embedded(at);
    await at.vectors.put(at.generation, [issue], all([issue]));
    await at.vectors.setMeta("seen_reset", "7");
    await at.vectors.setMeta("seen_reset", "8");
    await at.vectors.close();
    const again = await at.reopened();
    expect(await again.meta("seen_reset")).toBe("8");
    expect(await again.meta("status")).toBeUndefined();
    expect(await countsOf(again, at.generation)).toMatchObject({ done: 1, chunks: 1 });
  });

  test("are gone after everything was thrown away", async () => {
    const at = await given(open);
    const issue = await embedded(at);
    await at.vectors.put(at.generation, [issue], all([issue]));
    await at.vectors.discard({ generation: at.generation });
    expect(await at.vectors.generations()).toEqual([]);
    expect(await storedVectors(at.database)).toEqual([]);
    const next = await at.vectors.begin(at.of, "active", "2026-03-01T00:00:00.000Z");
    expect(next.id).not.toBe(at.generation);
  });

  test("are thrown away once if several readers find the same damage", async () => {
    const warn = vi.fn<(event: string, fields?: object) => void>();
    const at = await given(open, { log: { ...silentLog, warn } });
    const { generation, vectors } = at;
    const other = await at.reopened();
    await Promise.all([vectors.discard({ generation }), vectors.discard({ generation })]);
    at.w.clock.advance(1000);
    const next = await vectors.begin(at.of, "active", at.w.clock.now());
    await Promise.all([vectors.discard({ generation }), other.discard({ generation })]);
    expect((await vectors.generations()).map(({ id }) => id)).toEqual([next.id]);
    expect(warn.mock.calls).toEqual(
      open.dialect === "sqlite" ? [["embeddings.file_replaced", { why: "damaged" }]] : [],
    );
  });
});
