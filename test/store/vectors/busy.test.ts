import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { vectorsPath } from "../../../src/store/vectors/sqlite-path.ts";
import { describeStore } from "../../support/store.ts";
import { all, countsOf, embedded, given, storedVectors, vector } from "./given.ts";

describeStore("vectors that cannot be written now", (open) => {
  test("leave no part of a put behind, and can be read and written afterwards", async () => {
    const at = await given(open);
    const [one, two] = [await embedded(at), await embedded(at)];
    await at.vectors.put(at.generation, [one], all([one]));
    const before = await storedVectors(at.database);
    const broken = { ...two, state: null as unknown as "done" };
    const current = { ...one, vectors: [vector(9)] };
    const issues = [current, broken];
    await expect(at.vectors.put(at.generation, issues, all(issues))).rejects.toThrow(/null/i);
    expect(await storedVectors(at.database)).toEqual(before);
    await at.vectors.put(at.generation, [two], all([two]));
    expect(await countsOf(at.vectors, at.generation)).toEqual({ done: 2, skipped: 0, chunks: 2 });
  });

  test("do not keep later calls from being carried out when asking for what is current fails", async () => {
    const at = await given(open);
    const issue = await embedded(at);
    const fault = new Error("the database does not answer");
    const failing = at.vectors.put(at.generation, [issue], async () => await Promise.reject(fault));
    await expect(failing).rejects.toThrow(fault);
    expect([...(await at.vectors.put(at.generation, [issue], all([issue])))]).toHaveLength(1);
  });

  if (open.dialect === "postgres") return;

  test("are answered as busy while another program writes to the file, and reads go on", async () => {
    const at = await given(open);
    const [one, two] = [await embedded(at), await embedded(at)];
    await at.vectors.put(at.generation, [one], all([one]));
    const other = new Database(vectorsPath(at.database.target.dsn));
    other.exec("begin immediate");
    const putting = at.vectors.put(at.generation, [two], all([two]));
    await expect(putting).rejects.toMatchObject({ code: "busy" });
    expect(await countsOf(at.vectors, at.generation)).toMatchObject({ done: 1 });
    other.exec("rollback");
    other.close();
    await at.vectors.put(at.generation, [two], all([two]));
    expect(await countsOf(at.vectors, at.generation)).toMatchObject({ done: 2 });
  });
});
