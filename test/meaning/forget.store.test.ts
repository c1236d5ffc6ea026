import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { purgeProject } from "../../src/contract/project-actions.ts";
import { moveIssue } from "../../src/contract/removal.ts";
import { created, uid } from "../store/drafts.ts";
import { asSpoke, baseline } from "../store/foreign-events.ts";
import { P } from "../store/random-events.ts";
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

describeStore("a copy that is cleared and read again", (open) => {
  test("does not get the vectors of the texts that it had before, although its issues have the same ids and revisions", async () => {
    const { w, state, start, indexed } = await meaningWorld(open);
    const issue = uid(11);
    const pull = await asSpoke(w.store);
    await pull(created(P, issue, { title: "before" }));
    const idOf = async () =>
      await w.store.read(async ({ contents }) => (await contents.marksOf([issue]))[0]);
    const old = await idOf();
    const { sweep, forget, fill, health } = start();
    state.hold();
    const sweeping = sweep();
    await state.hasBeenCalled(1);
    await w.store.write(async (tx) => await tx.clearReplica(P, { sentUpTo: 0 }));
    await pull(baseline(P), created(P, issue, { title: "after" }));
    await forget();
    expect(await idOf()).toEqual(old);
    state.release();
    await sweeping;
    await fill();
    expect(state.inputs()).toEqual(["before", "after"]);
    expect(await indexed()).toEqual(["after"]);
    expect(health()).toMatchObject({ embedded: 1, backlog: 0 });
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

  const isToBeErased = async ({ look }: Awaited<ReturnType<typeof meaningWorld>>) =>
    (await look(async (vectors) => await vectors.meta("erase"))) !== undefined;

  test("is not written anew when issues are deleted, moved or archived with their project", async () => {
    const world = await meaningWorld(sqlite);
    const { w, start, remove, stamps } = world;
    const [project, other] = [await w.given.project("old"), await w.given.project("other")];
    const [one, two] = [
      await w.given.issue({ title: "one" }),
      await w.given.issue({ title: "two" }),
    ];
    await w.given.issue({ project, title: "three" });
    const { fill } = start();
    await fill();
    await remove(one);
    await w.call(moveIssue, {
      params: two.path,
      headers: { "if-match": `"rev-${two.revision}"` },
      body: { to_project_uid: other.uid },
    });
    await w.given.archived(project);
    await fill();
    expect((await stamps()).map(({ issue_uid }) => issue_uid)).toEqual([two.uid]);
    expect(await isToBeErased(world)).toBe(false);
  });

  test("is written anew after the purge of an issue that was deleted before", async () => {
    const world = await meaningWorld(sqlite);
    const { w, start, remove, purge } = world;
    const issue = await w.given.issue({ title: "secret" });
    const { fill, forget } = start();
    await fill();
    await remove(issue);
    await fill();
    await forget();
    await purge(issue);
    const waitMs = await forget();
    expect(await isToBeErased(world)).toBe(true);
    w.clock.advance(waitMs);
    await forget();
    expect(await isToBeErased(world)).toBe(false);
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
