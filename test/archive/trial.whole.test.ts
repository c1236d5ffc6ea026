import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { backupDatabase } from "../../src/archive/backup.ts";
import { clearAfterKill, lastTrialOf, tryNewest } from "../../src/archive/trial.ts";
import { tryLock } from "../../src/store/lock.ts";
import type { Content } from "./content.ts";
import { fill } from "./content.ts";
import { type Dialect, deps, freshTarget, ids, scratch, withStore } from "./targets.ts";

const CONTENT: Content = {
  projects: [{ name: "p", metadata: "{}", archived: false }],
  issues: [0, 1, 2].map((n) => ({
    project: 0,
    title: `issue ${n}`,
    body: "",
    author: "a",
    owner: "o",
    priority: n,
    labels: ["bug"],
    metadata: '{"n":1.50}',
    comments: [{ author: "b", body: "hm", key: "k" }],
    end: "open",
    createdAt: 1_700_000_000_000 + n,
    externalId: `x${n}`,
  })),
  links: [{ from: 0, to: 1, type: "blocks" }],
};

/** A database with as many backups, oldest first. */
async function backedUp(dialect: Dialect, backups: number) {
  const root = await scratch();
  const source = await freshTarget(dialect, root);
  await withStore(source, async (store) => await fill(store, CONTENT, () => ids.ulid()));
  const [folder, tries] = [join(root, "backups"), join(root, "tries")];
  const paths: string[] = [];
  while (paths.length < backups) {
    const { path } = await backupDatabase(source, { ...deps, folder });
    paths.push(path);
  }
  return { source, paths, folder, scratch: tries };
}

const left = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name !== "lock" && !name.endsWith(".json"));

describe.each<Dialect>(["sqlite", "postgres"])("a trial restore of a backup of %s", (dialect) => {
  test("restores the newest backup into a SQLite file, then removes it and records the result", async () => {
    const { source, paths, ...where } = await backedUp(dialect, 2);
    expect(await lastTrialOf(source, where.scratch)).toBe(undefined);
    const found = await tryNewest(deps, source, where);
    expect(found).toMatchObject({ path: paths[1], digest: true });
    expect(found.events).toBeGreaterThan(3);
    expect(left(where.scratch)).toEqual([]);
    const last = await lastTrialOf(source, where.scratch);
    expect(last).toMatchObject({ path: paths[1], ok: true });
    expect(last?.at).toMatch(/Z$/);
  });

  test("fails and records the reason if the newest backup is damaged, even if an older backup is sound", async () => {
    const { source, paths, ...where } = await backedUp(dialect, 2);
    const [, newest = ""] = paths;
    writeFileSync(newest, readFileSync(newest, "utf8").replace("issue 1", "issue 9"));
    await expect(tryNewest(deps, source, where)).rejects.toThrow(/is damaged: its bytes are not/);
    const last = await lastTrialOf(source, where.scratch);
    expect(last).toMatchObject({ path: newest, ok: false });
    expect(last?.message).toContain("is damaged");
    expect(left(where.scratch)).toEqual([]);
  });
});

test("a trial whose backup is removed meanwhile takes the newest backup that is left", async () => {
  const { source, paths, ...where } = await backedUp("sqlite", 2);
  const [older = "", newest = ""] = paths;
  let calls = 0;
  const progress = (): void => {
    calls += 1;
    if (calls === 1) rmSync(newest);
  };
  // The removal is noticed because the file is opened again after each pass.
  expect((await tryNewest(deps, source, { ...where, progress })).path).toBe(older);
  expect(await lastTrialOf(source, where.scratch)).toMatchObject({ path: older, ok: true });
});

test("a trial reports that there is no backup, also if the last backup is removed meanwhile", async () => {
  const { source, paths, ...where } = await backedUp("sqlite", 1);
  const progress = (): void => rmSync(paths[0] ?? "", { force: true });
  for (let times = 0; times < 2; times += 1) {
    const tried = tryNewest(deps, source, { ...where, progress });
    await expect(tried).rejects.toThrow(`there is no backup of this database in ${where.folder}`);
    expect(await lastTrialOf(source, where.scratch)).toBe(undefined);
  }
});

test("the files of a killed trial are removed by the next one", async () => {
  const { source, paths, ...where } = await backedUp("sqlite", 1);
  mkdirSync(where.scratch);
  const files = ["scratch.db", "scratch.db-wal", "scratch.db-shm", "scratch.db.new-7"];
  const leave = (): void => {
    for (const name of files) writeFileSync(join(where.scratch, name), "half");
  };
  leave();
  expect((await tryNewest(deps, source, where)).path).toBe(paths[0]);
  expect(left(where.scratch)).toEqual([]);
  leave();
  const lock = tryLock(join(where.scratch, "lock"));
  clearAfterKill(where.scratch);
  expect(left(where.scratch)).toEqual(files.sort());
  await expect(tryNewest(deps, source, where)).rejects.toThrow("another process restores");
  lock?.release();
  clearAfterKill(where.scratch);
  expect(left(where.scratch)).toEqual([]);
});

test("an unreadable record of a trial is ignored", async () => {
  const { source, paths: _, ...where } = await backedUp("sqlite", 1);
  await tryNewest(deps, source, where);
  const [record = ""] = readdirSync(where.scratch).filter((name) => name.endsWith(".json"));
  for (const text of ["", "{", "[]", '{"path":1}', '{"path":"x","at":"y","ok":"true"}']) {
    writeFileSync(join(where.scratch, record), text);
    expect(await lastTrialOf(source, where.scratch)).toBe(undefined);
  }
});

/** Mounts a small file system; only root may. */
function smallDisk(path: string, mebibytes: number): boolean {
  mkdirSync(path, { recursive: true });
  const options = ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "none", path];
  if (spawnSync("mount", options).status !== 0) return false;
  onTestFinished(() => void spawnSync("umount", ["-l", path]));
  return true;
}

test.for([
  ["has too little space", 60, undefined, /has \d+ MiB free, and restoring .* needs \d+ MiB/],
  ["is filled by others meanwhile", 80, 80, /full|space|ENOSPC/i],
] as const)(
  "a trial on a disk that %s fails and leaves nothing behind",
  async ([, size, filler, message], { skip }) => {
    const { source, paths, ...where } = await backedUp("sqlite", 1);
    if (!smallDisk(where.scratch, size)) skip("only root may mount a small file system");
    const progress = (): void => {
      if (filler === undefined) return;
      try {
        writeFileSync(join(where.scratch, "filler"), Buffer.alloc(filler * 1024 * 1024));
      } catch {
        // The disk is full now.
      }
    };
    await expect(tryNewest(deps, source, { ...where, progress })).rejects.toThrow(message);
    expect(left(where.scratch).filter((name) => name !== "filler")).toEqual([]);
    rmSync(join(where.scratch, "filler"), { force: true });
    expect(paths).toHaveLength(1);
    if (filler !== undefined) expect((await tryNewest(deps, source, where)).path).toBe(paths[0]);
  },
);
