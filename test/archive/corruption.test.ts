import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { backupDatabase } from "../../src/archive/backup.ts";
import { restoreFile } from "../../src/archive/restore.ts";
import { storageChecks } from "../../src/archive/storage-checks.ts";
import type { Target } from "../../src/archive/target.ts";
import type { Finding } from "../../src/domain/finding.ts";
import type { Content } from "./content.ts";
import { fill } from "./content.ts";
import { deps, examine, ids, plain, scratch, withStore } from "./targets.ts";

/** Enough events for a table of many pages. */
const CONTENT: Content = {
  projects: [{ name: "p", metadata: "{}", archived: false }],
  issues: Array.from({ length: 150 }, (_, n) => ({
    project: 0,
    title: `issue ${n}`,
    body: "some words of a body ".repeat(10),
    author: "a",
    owner: undefined,
    priority: n % 5,
    labels: [],
    metadata: "{}",
    comments: [],
    end: "open" as const,
    createdAt: 1_700_000_000_000 + n,
    externalId: undefined,
  })),
  links: [],
};

async function filled() {
  const folder = await scratch();
  const target: Target = { dialect: "sqlite", dsn: join(folder, "svc.db") };
  await withStore(target, async (store) => await fill(store, CONTENT, () => ids.ulid()));
  const backups = join(folder, "backups");
  const { path: backup } = await backupDatabase(target, { ...deps, folder: backups });
  return { folder, target, backups, backup };
}

/** Returns the number of a page in the middle of a table or an index. */
function pageOf({ dsn }: Target, name: string): number {
  const db = new Database(dsn, { readonly: true });
  const rows = db
    .prepare("select pageno from dbstat where name = ? and pagetype = 'leaf' order by path")
    .all(name) as { pageno: number }[];
  db.close();
  return rows[Math.floor(rows.length / 2)]?.pageno ?? 0;
}

const PAGE_BYTES = 4096;

function overwrite({ dsn }: Target, page: number): void {
  const file = openSync(dsn, "r+");
  writeSync(file, Buffer.alloc(PAGE_BYTES, 0x5a), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
  closeSync(file);
}

async function checks(target: Target, backups: string) {
  const found = await storageChecks(
    target,
    async (id, work) => {
      const failed = (error: unknown) => ({ status: "failed", summary: String(error) }) as const;
      return [id, await Promise.resolve().then(work).catch(failed)] as const;
    },
    { backups },
  );
  return Object.fromEntries(found) as Readonly<Record<string, Finding>>;
}

test("an event whose payload is no JSON is named, with the backup to restore", async () => {
  const { target, backups, backup } = await filled();
  const db = new Database(target.dsn);
  db.prepare("update event set payload = '{\"title\":' where id = 7").run();
  const { uid } = db.prepare("select uid from event where id = 7").get() as { uid: string };
  db.close();
  const found = await checks(target, backups);
  expect(found["storage.log"]).toMatchObject({
    status: "failed",
    summary: expect.stringContaining(`event 7 (${uid})`),
    fix: expect.stringContaining(backup),
  });
  expect(found["storage.fold"]?.status).toBe("failed");
  await withStore(target, async (store) => {
    await expect(store.read(async ({ events }) => await events.after(0, 10))).rejects.toMatchObject(
      {
        code: "unavailable",
        message: `the database is damaged: the payload of event 7 (${uid}) is not JSON`,
        hint: expect.stringContaining("svc doctor"),
      },
    );
  });
});

test("an unreadable page of the log is named by its table and the row before it", async () => {
  const { folder, target, backups, backup } = await filled();
  overwrite(target, pageOf(target, "event"));
  const found = await checks(target, backups);
  expect(found["storage.integrity"]).toMatchObject({
    status: "failed",
    summary: expect.stringMatching(/^table event: /),
  });
  expect(found["storage.log"]).toMatchObject({
    status: "failed",
    summary: expect.stringMatching(
      /^the database is damaged: table event: the row after event \d+ \(\w{26}\) is on a page that cannot be read$/,
    ),
    fix: expect.stringContaining(backup),
  });
  await expect(
    backupDatabase(target, { ...deps, folder: join(folder, "other") }),
  ).rejects.toMatchObject({ message: expect.stringContaining("the row after event") });
  const result = await restoreFile(deps, { ...plain, file: backup, target, force: true });
  expect(result.kept_old).toContain(".before-import-");
  expect(await examine(target)).toMatchObject({
    integrity: [],
    changedEvents: [],
    brokenChain: [],
  });
});

test.each([
  ["event_feed", /^index event_feed: /],
  ["issue_text_idx", /issue_text/],
])("if only %s is damaged, a file rebuilt from the rows is sound", async (name, summary) => {
  const { folder, target, backups } = await filled();
  const page = pageOf(target, name);
  expect(page).toBeGreaterThan(0);
  overwrite(target, page);
  const found = await checks(target, backups);
  expect(found["storage.integrity"]).toMatchObject({
    status: "failed",
    summary: expect.stringMatching(summary),
    fix: expect.stringContaining("svc backup --output"),
  });
  expect(found["storage.log"]?.status).toBe("ok");
  const { path } = await backupDatabase(target, { ...deps, folder: join(folder, "other") });
  await restoreFile(deps, { ...plain, file: path, target, force: true });
  expect(await examine(target)).toMatchObject({
    integrity: [],
    changedEvents: [],
    brokenChain: [],
  });
});
