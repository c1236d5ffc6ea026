import { existsSync, linkSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { openSnapshot, openStore } from "../../src/store/open.ts";
import { removeSecondNames } from "../../src/store/sqlite/first-start.ts";
import { log, projectCreated, uid } from "./drafts.ts";

const options = { clock: systemClock, ids: systemIds(), timezone: "UTC" };

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a database is not opened for writing through a second hard link", async () => {
  const folder = scratch();
  const [first, second] = [join(folder, "first.db"), join(folder, "second.db")];
  const store = await openStore({ ...options, dsn: first });
  onTestFinished(async () => await store.close());
  await log(store, projectCreated(uid(1), "web"));
  linkSync(first, second);
  await expect(openStore({ ...options, dsn: second })).rejects.toMatchObject({
    code: "unavailable",
    data: { reason: "database_linked" },
    hint: expect.stringContaining(`-samefile ${second}`),
  });
  expect(existsSync(`${second}-wal`)).toBe(false);
  await log(store, projectCreated(uid(2), "next"));
  expect(await store.read(async ({ events }) => await events.lastId())).toBe(2);
  rmSync(second);
  await store.close();
  await (await openStore({ ...options, dsn: first })).close();
});

test("the second name left by a killed import is removed; a copy and an unrelated name stay", async () => {
  const folder = scratch();
  const path = join(folder, "svc.db");
  const store = await openStore({ ...options, dsn: path });
  await log(store, projectCreated(uid(1), "web"));
  await store.close();
  const left = `${path}.before-import-20260504T091500.000Z`;
  const copy = `${path}.before-import-20250504T091500.000Z`;
  linkSync(path, left);
  await (await openStore({ ...options, dsn: copy })).close();
  removeSecondNames(path);
  expect([existsSync(left), existsSync(copy)]).toEqual([false, true]);
  const snapshot = await openSnapshot({ dsn: path });
  expect(await snapshot.count()).toBe(2);
  await snapshot.close();
  const foreign = join(folder, "mine.db");
  linkSync(path, foreign);
  removeSecondNames(path);
  expect(existsSync(foreign)).toBe(true);
});
