import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { call, testDaemon } from "../support/daemon.ts";

test("a program that holds the database's write lock stops neither reads nor the daemon, and writes are refused as busy", async () => {
  const { endpoint, folder } = await testDaemon();
  const made = await call(endpoint, "POST", "/projects", { body: { name: "web", actor: "ann" } });
  const path = `/projects/${(made.body["project"] as { id: number }).id}/issues`;
  const create = async (title: string) =>
    await call(endpoint, "POST", path, { body: { title, actor: "ann", force_new: true } });
  await create("before");
  const shell = new Database(join(folder, "svc.db"));
  onTestFinished(() => void shell.close());
  shell.exec("begin immediate");

  let over = false;
  const writing = create("refused").finally(() => (over = true));
  let slowest = 0;
  let reads = 0;
  while (!over) {
    const begun = performance.now();
    expect((await call(endpoint, "GET", path)).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - begun);
    reads += 1;
  }
  // If SQLite itself waited for the lock, only one read would be answered, after five seconds.
  expect(reads).toBeGreaterThan(20);
  expect(slowest).toBeLessThan(1000);
  const refused = await writing;
  expect(refused).toMatchObject({ status: 503, body: { error: { code: "busy" } } });
  expect(refused.headers["retry-after"]).toBe("1");

  shell.exec("commit");
  expect((await create("after")).status).toBe(200);
  const { issues } = (await call(endpoint, "GET", path)).body as { issues: { title: string }[] };
  expect(issues.map(({ title }) => title).toSorted()).toEqual(["after", "before"]);
}, 20_000);
