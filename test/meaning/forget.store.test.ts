import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { purgeProject } from "../../src/contract/project-actions.ts";
import { describeStore, type OpenTestStore, sqliteDatabase } from "../support/store.ts";
import { meaningWorld } from "./world.ts";

describeStore("a purge", (open) => {
  test("removes the vectors of the issue without a sweep of the reconciler", async () => {
    const { w, start, purge, stamps } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "secret" });
    const other = await w.given.issue({ title: "other" });
    const { fill, forget, look, health } = start();
    await fill();
    await purge(issue);
    await forget();
    expect((await stamps()).map(({ issue_uid }) => issue_uid)).toEqual([other.uid]);
    await look();
    expect(health()).toMatchObject({ embedded: 1, backlog: 0 });
  });

  test("of a project removes the vectors of all its issues", async () => {
    const { w, start, stamps } = await meaningWorld(open);
    const project = await w.given.project("old");
    await w.given.issue({ project, title: "one" });
    await w.given.issue({ project, title: "two" });
    const { fill, forget } = start();
    await fill();
    await w.given.archived(project);
    await w.call(purgeProject, { params: project.path, headers: { "x-svc-confirm": "PURGE old" } });
    await forget();
    expect(await stamps()).toEqual([]);
  });

  test("that happened while search by meaning was off is made up for before anything else", async () => {
    const { w, start, purge, stamps } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "secret" });
    const first = start();
    await first.fill();
    await first.stop();
    await purge(issue);
    await start().forget();
    expect(await stamps()).toEqual([]);
  });
});

const sqlite = Object.assign(
  async (options?: Parameters<OpenTestStore>[0]) => await (await sqliteDatabase()).open(options),
  { database: sqliteDatabase, dialect: "sqlite" as const },
);

describe("the file of the vectors", () => {
  const fileOf = ({ database }: Awaited<ReturnType<typeof meaningWorld>>) =>
    database.target.dsn.replace(/\.db$/, ".vectors.db");

  test("is made by the first sweep, and not before", async () => {
    const world = await meaningWorld(sqlite);
    const { fill, look } = world.start();
    expect(existsSync(fileOf(world))).toBe(false);
    await fill();
    expect(existsSync(fileOf(world))).toBe(true);
    await look();
  });

  test.each([
    ["deleted", (path: string) => rmSync(path)],
    ["damaged", (path: string) => writeFileSync(path, "no database")],
  ])("is made again when it was %s", async (_what, harm) => {
    const world = await meaningWorld(sqlite);
    const { w, state, start, stamps } = world;
    await w.given.issue({ title: "one" });
    const first = start();
    await first.fill();
    await first.stop();
    state.forgetCalls();
    for (const end of ["-wal", "-shm"]) rmSync(`${fileOf(world)}${end}`, { force: true });
    harm(fileOf(world));
    const second = start();
    await second.fill();
    expect(state.inputs()).toEqual(["one"]);
    expect(await stamps()).toHaveLength(1);
    expect(second.health()).toMatchObject({ embedded: 1, backlog: 0 });
  });

  test("that vanishes while the daemon runs is filled again", async () => {
    const world = await meaningWorld(sqlite);
    const { w, state, start, stamps } = world;
    await w.given.issue({ title: "one" });
    const { fill, health } = start();
    await fill();
    state.forgetCalls();
    for (const end of ["", "-wal", "-shm"]) rmSync(`${fileOf(world)}${end}`, { force: true });
    await w.given.issue({ title: "two" });
    w.clock.advance(1);
    await fill();
    expect(new Set(state.inputs())).toEqual(new Set(["one", "two"]));
    expect(await stamps()).toHaveLength(2);
    expect(health()).toMatchObject({ embedded: 2, backlog: 0 });
  });

  test("has no text of an issue", async () => {
    const world = await meaningWorld(sqlite);
    const { w, start } = world;
    await w.given.issue({ title: "Sonnenblume", body: "Kirschbaum" });
    const { fill, stop } = start();
    await fill();
    await stop();
    const bytes = readFileSync(fileOf(world)).toString("latin1");
    expect(bytes).not.toContain("Sonnenblume");
    expect(bytes).not.toContain("Kirschbaum");
  });
});
