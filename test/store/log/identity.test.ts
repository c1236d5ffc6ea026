import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { openStore } from "../../../src/store/open.ts";
import { created, log, projectCreated, uid } from "../drafts.ts";

const deps = { clock: systemClock, ids: systemIds(), timezone: "UTC" };
const P = uid(1);

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "svc-identity-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Serves the database once as a daemon does, creates these issues, and returns the epoch. */
async function served(dsn: string, ...issues: readonly number[]): Promise<string> {
  const store = await openStore({ ...deps, dsn, keepsEnd: true });
  const known = await store.read(async ({ projects }) => await projects.find(P));
  if (known === undefined) await log(store, projectCreated(P, "web"));
  for (const issue of issues) await log(store, created(P, uid(issue)));
  const { epoch } = await store.read(async ({ events }) => await events.head());
  await store.close();
  return epoch;
}

test("the epoch survives restarts, and writes of another svc program in between", async () => {
  const dsn = join(folder(), "svc.db");
  const epoch = await served(dsn, 101);
  expect(await served(dsn)).toBe(epoch);
  const other = await openStore({ ...deps, dsn });
  await log(other, created(P, uid(102)));
  await other.close();
  expect(await served(dsn, 103)).toBe(epoch);
});

test("a restored copy of the file has another epoch, even after it has grown past the old end", async () => {
  const home = folder();
  const dsn = join(home, "svc.db");
  const epoch = await served(dsn, 101);
  copyFileSync(dsn, join(home, "copy.db"));
  await served(dsn, 102, 103);
  copyFileSync(join(home, "copy.db"), dsn);
  expect(await served(dsn, 104, 105, 106)).not.toBe(epoch);
});

test("a copy that is served at another place has another epoch", async () => {
  const home = folder();
  const dsn = join(home, "svc.db");
  const epoch = await served(dsn, 101);
  copyFileSync(dsn, join(home, "other.db"));
  expect(await served(join(home, "other.db"))).not.toBe(epoch);
});
