import { existsSync } from "node:fs";
import { link, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import type { Target } from "../../src/archive/target.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { tryLock } from "../../src/store/lock.ts";
import { openSnapshot } from "../../src/store/open.ts";
import { created, linksChanged, log, projectCreated, uid } from "../store/drafts.ts";
import { FakeClock } from "../support/clock.ts";
import type { Content, ContentIssue } from "./content.ts";
import { fill } from "./content.ts";
import {
  deps,
  digestAnew,
  examine,
  exportTo,
  freshTarget,
  ids,
  plain,
  scratch,
  withStore,
} from "./targets.ts";

function issue(project: number, title: string, more: Partial<ContentIssue> = {}): ContentIssue {
  return {
    project,
    title,
    body: "",
    author: "a",
    owner: undefined,
    priority: undefined,
    labels: [],
    metadata: "{}",
    comments: [],
    end: "open",
    createdAt: 1_700_000_000_000,
    externalId: undefined,
    ...more,
  };
}

/** Two projects with a link between them, and one link inside each. */
const TWO: Content = {
  projects: [
    { name: "one-", metadata: "{}", archived: false },
    { name: "two-", metadata: "{}", archived: false },
  ],
  issues: [
    issue(0, "first", { labels: ["bug"], comments: [{ author: "b", body: "hm", key: "k" }] }),
    issue(0, "second", {
      end: "deleted",
      comments: [{ author: "b", body: "gone", key: undefined }],
    }),
    issue(1, "third", { externalId: "x" }),
    issue(0, "fourth", { end: "closed" }),
  ],
  links: [
    { from: 0, to: 2, type: "blocks" },
    { from: 3, to: 0, type: "related" },
    { from: 1, to: 0, type: "blocks" },
  ],
};

/** Makes a filled SQLite database and its export. */
async function filled(
  folder: string,
): Promise<{ readonly target: Target; readonly file: string; readonly text: string }> {
  const target: Target = { dialect: "sqlite", dsn: join(folder, "source.db") };
  await withStore(target, async (store) => await fill(store, TWO, () => ids.ulid()));
  const file = join(folder, "export.jsonl");
  return { target, file, text: await exportTo(target, file) };
}

async function instanceOf(target: Target): Promise<string> {
  const snapshot = await openSnapshot(target);
  await snapshot.close();
  return snapshot.instanceUid;
}

function kinds(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const { kind }: { kind: string } = JSON.parse(line);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

describe("an export file", () => {
  test("an export file is complete and readable by the owner alone, and nothing else is left beside it", async () => {
    const folder = await scratch();
    const { file, text } = await filled(folder);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(text.endsWith("\n")).toBe(true);
    expect(text.split("\n")[0]).toMatch(
      /^\{"kind":"meta","data":\{"key":"export_version","value":"\d+"\},"ends_with":"digest"\}$/,
    );
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("an export of one project contains the project's rows and its links to other projects", async () => {
    const folder = await scratch();
    const { target } = await filled(folder);
    const text = await exportTo(target, join(folder, "one.jsonl"), { project: { name: "one-0" } });
    expect(kinds(text)).toMatchObject({
      project: 1,
      project_alias: 1,
      issue: 3,
      comment: 2,
      issue_label: 1,
      link: 3,
    });
    expect(kinds(text)).not.toHaveProperty("import_mapping");
    const byId = await exportTo(target, join(folder, "id.jsonl"), { project: { id: 1 } });
    expect(byId).toBe(text);
  });

  test("an export of a missing project is refused", async () => {
    const folder = await scratch();
    const { target } = await filled(folder);
    await expect(
      exportTo(target, join(folder, "x.jsonl"), { project: { name: "three" } }),
    ).rejects.toMatchObject({ code: "project_not_found" });
    expect(existsSync(join(folder, "x.jsonl"))).toBe(false);
  });

  test("an export without deleted issues contains nothing of them, and restores to tables that match their log", async () => {
    const folder = await scratch();
    const { target } = await filled(folder);
    const file = join(folder, "live.jsonl");
    const text = await exportTo(target, file, { includeDeleted: false });
    expect(text).not.toContain("gone");
    expect(kinds(text)).toMatchObject({ issue: 3, comment: 1 });
    const copy: Target = { dialect: "sqlite", dsn: join(folder, "copy.db") };
    expect(await restoreFile(deps, { ...plain, file, target: copy })).toMatchObject({
      issues: 3,
      links: 2,
      skipped_links: 1,
    });
    expect(await examine(copy)).not.toHaveProperty("fold");
  });
});

describe("the target of a restore", () => {
  test("a restore target is created if missing, takes over the identity of the source and is readable by the owner alone", async () => {
    const folder = await scratch();
    const { target: source, file, text } = await filled(folder);
    const target: Target = { dialect: "sqlite", dsn: join(folder, "new/home/svc.db") };
    await restoreFile(deps, { ...plain, file, target });
    expect((await stat(target.dsn)).mode & 0o777).toBe(0o600);
    expect(await instanceOf(target)).toBe(await instanceOf(source));
    expect(await exportTo(target, join(folder, "again.jsonl"))).toBe(text);
  });

  test.each(["sqlite", "postgres"] as const)(
    "a restore target on %s keeps its own identity on request",
    async (dialect) => {
      const folder = await scratch();
      const { target: source, file } = await filled(folder);
      const target = await freshTarget(dialect, folder);
      await restoreFile(deps, { ...plain, file, target, newInstance: true });
      expect(await instanceOf(target)).not.toBe(await instanceOf(source));
      expect(await examine(target)).not.toHaveProperty("fold");
    },
  );

  test.each(["sqlite", "postgres"] as const)(
    "a restore target on %s with data is refused and left unchanged",
    async (dialect) => {
      const folder = await scratch();
      const { file } = await filled(folder);
      const target = await freshTarget(dialect, folder);
      await withStore(
        target,
        async (store) => await fill(store, { ...TWO, links: [] }, () => ids.ulid()),
      );
      const before = await exportTo(target, join(folder, "before.jsonl"));
      await expect(restoreFile(deps, { ...plain, file, target })).rejects.toMatchObject({
        code: "conflict",
      });
      expect(await exportTo(target, join(folder, "after.jsonl"))).toBe(before);
    },
  );

  test("a restore target with data is replaced by force, and each time the old data is kept beside it", async () => {
    const folder = await scratch();
    const { file, text } = await filled(folder);
    const target: Target = { dialect: "sqlite", dsn: join(folder, "old.db") };
    await withStore(
      target,
      async (store) => await fill(store, { ...TWO, links: [] }, () => ids.ulid()),
    );
    const before = await exportTo(target, join(folder, "before.jsonl"));
    const clock = new FakeClock();
    const one = await restoreFile({ ...deps, clock }, { ...plain, file, target, force: true });
    const two = await restoreFile({ ...deps, clock }, { ...plain, file, target, force: true });
    const stamp = clock.now().replaceAll(/[-:]/g, "");
    const kept = [`${target.dsn}.before-import-${stamp}`, `${target.dsn}.before-import-${stamp}-2`];
    expect([one.kept_old, two.kept_old]).toEqual(kept);
    const exports: string[] = [];
    for (const dsn of [target.dsn, ...kept])
      exports.push(await exportTo({ ...target, dsn }, join(folder, "after.jsonl")));
    expect(exports).toEqual([text, before, text]);
    expect((await readdir(folder)).filter((name) => name.includes(".import-"))).toEqual([]);
  });

  test("a restore target with data is left unchanged, even by force, if the export file is broken", async () => {
    const folder = await scratch();
    const { file, text } = await filled(folder);
    const target: Target = { dialect: "sqlite", dsn: join(folder, "old.db") };
    await withStore(
      target,
      async (store) => await fill(store, { ...TWO, links: [] }, () => ids.ulid()),
    );
    const before = await readFile(target.dsn);
    await writeFile(file, `${text}oops\n`);
    const lines = text.split("\n").length;
    await expect(restoreFile(deps, { ...plain, file, target, force: true })).rejects.toMatchObject({
      data: { line: lines },
    });
    expect((await readFile(target.dsn)).equals(before)).toBe(true);
    expect((await readdir(folder)).filter((name) => name.includes("import"))).toEqual([]);
  });

  test("a restore target that is no database of svc is refused, or by force put aside but not deleted", async () => {
    const folder = await scratch();
    const { file, text } = await filled(folder);
    const target: Target = { dialect: "sqlite", dsn: join(folder, "notes.txt") };
    await writeFile(target.dsn, "my notes");
    await expect(restoreFile(deps, { ...plain, file, target })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("notes.txt"),
    });
    expect(await readFile(target.dsn, "utf8")).toBe("my notes");
    const result = await restoreFile(deps, { ...plain, file, target, force: true });
    expect(await readFile(result.kept_old ?? "", "utf8")).toBe("my notes");
    expect(await exportTo(target, join(folder, "after.jsonl"))).toBe(text);
  });

  test("a restore target that a daemon has open is refused", async () => {
    const folder = await scratch();
    const { file } = await filled(folder);
    const target: Target = { dialect: "sqlite", dsn: join(folder, "held.db") };
    const lock = tryLock(`${target.dsn}.daemon.lock`);
    await expect(restoreFile(deps, { ...plain, file, target })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("daemon"),
    });
    lock?.release();
    expect(existsSync(target.dsn)).toBe(false);
    await restoreFile(deps, { ...plain, file, target });
  });
});

describe("a broken export file", () => {
  test.each(["sqlite", "postgres"] as const)(
    "leaves an empty %s database empty",
    async (dialect) => {
      const folder = await scratch();
      const { file, text } = await filled(folder);
      await writeFile(
        file,
        await digestAnew(
          text
            .replace('"title":"third"', '"title":"THIRD"')
            .replace('"actor":"a","payload":{"alias', '"actor":"z","payload":{"alias'),
        ),
      );
      const target = await freshTarget(dialect, folder);
      await expect(restoreFile(deps, { ...plain, file, target })).rejects.toMatchObject({
        code: "validation",
        message: expect.stringContaining("content hash"),
      });
      await withStore(target, async (store) => {
        expect(await store.read(async (reader) => await reader.projects.list(false))).toEqual([]);
        expect(await store.read(async (reader) => await reader.events.lastId())).toBe(0);
      });
    },
  );
});

describe("a file without a digest, from an older svc", () => {
  const older = (text: string): string =>
    text.replace(',"ends_with":"digest"', "").replace(/\{"kind":"digest".*\n/, "");

  test("is accepted with a warning", async () => {
    const folder = await scratch();
    const { file, text } = await filled(folder);
    await writeFile(file, older(text));
    const target = await freshTarget("sqlite", folder);
    const { warnings } = await restoreFile(deps, { ...plain, file, target });
    expect(warnings).toEqual([expect.stringContaining("no digest")]);
    expect(await exportTo(target, join(folder, "again.jsonl"))).toBe(text);
  });

  test.each(["sqlite", "postgres"] as const)(
    "is verified completely before the %s database is touched",
    async (dialect) => {
      const folder = await scratch();
      const { file, text } = await filled(folder);
      await writeFile(file, older(text).replace('"title":"third"', '"title":"THIRD"'));
      const target = await freshTarget(dialect, folder);
      await expect(restoreFile(deps, { ...plain, file, target })).rejects.toMatchObject({
        code: "validation",
        message: expect.stringMatching(
          /issue \w+, title: should be "third", is "THIRD"; nothing was written$/,
        ),
      });
      await expect(openSnapshot(target)).rejects.toMatchObject({
        data: { reason: "database_missing" },
      });
    },
  );
});

test("a file with a wrong checksum beside it is refused", async () => {
  const folder = await scratch();
  const { file, text } = await filled(folder);
  await writeFile(`${file}.sha256`, `${"0".repeat(64)}  export.jsonl\n`);
  const target = await freshTarget("sqlite", folder);
  await expect(restoreFile(deps, { ...plain, file, target })).rejects.toMatchObject({
    message: expect.stringContaining("the checksum beside it is another"),
  });
  expect(existsSync(target.dsn)).toBe(false);
  await writeFile(`${file}.sha256`, `${sha256Hex(text)}  export.jsonl\n`);
  await restoreFile(deps, { ...plain, file, target });
});

describe("restoring with merge", () => {
  test.each(["sqlite", "postgres"] as const)(
    "adds one project to a %s database that has others",
    async (dialect) => {
      const folder = await scratch();
      const { target: source } = await filled(folder);
      const file = join(folder, "one.jsonl");
      await exportTo(source, file, { project: { name: "one-0" } });
      const target = await freshTarget(dialect, folder);
      const other: Content = {
        projects: [{ name: "one-", metadata: "{}", archived: false }],
        issues: [issue(0, "mine")],
        links: [],
      };
      await withStore(target, async (store) => await fill(store, other, () => ids.ulid()));
      const own = await instanceOf(target);
      const result = await restoreFile(deps, { ...plain, file, target, merge: true });
      expect(result).toMatchObject({
        projects: 1,
        issues: 3,
        comments: 2,
        links: 2,
        skipped_links: 1,
      });
      expect(await instanceOf(target)).toBe(own);
      expect(await examine(target)).toEqual({
        events: expect.any(Number),
        rows: expect.any(Number),
        integrity: [],
        changedEvents: [],
        brokenChain: [],
      });
      await withStore(target, async (store) => {
        const projects = await store.read(async (reader) => await reader.projects.list(false));
        expect(projects.map(({ id, name }) => [id, name])).toEqual([
          [1, "one-0"],
          [2, "one-0-2"],
        ]);
        const last = await store.read(
          async (reader) => await reader.events.after((await reader.events.lastId()) - 1, 1),
        );
        expect(last).toMatchObject([
          {
            type: "project.renamed",
            actor: "a",
            payload: { from: "one-0", to: "one-0-2" },
            origin_instance_uid: own,
          },
        ]);
      });
    },
  );

  test.each(["sqlite", "postgres"] as const)(
    "shows links between two projects in a %s database once the second project is added",
    async (dialect) => {
      const folder = await scratch();
      const source = await freshTarget("sqlite", folder);
      const [web, api, first] = [uid(1), uid(2), uid(11)];
      const [second, child] = [uid(12), uid(13)];
      await withStore(source, async (store) => {
        await log(store, projectCreated(web, "web"), projectCreated(api, "api"));
        await log(store, created(web, second), created(api, first), created(web, child));
        await log(store, linksChanged(web, second, { blocked_by_added_uids: [first] }));
        await log(store, linksChanged(web, child, { parent_set_uid: first }));
      });
      const target = await freshTarget(dialect, folder);
      for (const [name, waiting, there] of [
        ["web", 2, 0],
        ["api", 0, 2],
      ] as const) {
        const file = join(folder, `${name}.jsonl`);
        await exportTo(source, file, { project: { name } });
        await restoreFile(deps, { ...plain, file, target, merge: true });
        const snapshot = await openSnapshot(target);
        expect(await snapshot.count(["waiting_link"])).toBe(waiting);
        expect(await snapshot.count(["link"])).toBe(there);
        await snapshot.close();
        expect(await examine(target)).not.toHaveProperty("fold");
      }
    },
  );

  test("works after a killed first start or import left a second hard link to the database", async () => {
    const folder = await scratch();
    const { target: source } = await filled(folder);
    const file = join(folder, "one.jsonl");
    await exportTo(source, file, { project: { name: "one-0" } });
    const target = await freshTarget("sqlite", folder);
    await withStore(target, async () => undefined);
    const names = [`${target.dsn}.new-99`, `${target.dsn}.before-import-20260504T091500.000Z`];
    for (const name of names) await link(target.dsn, name);
    const merged = await restoreFile(deps, { ...plain, file, target, merge: true });
    expect(merged).toMatchObject({ projects: 1 });
    expect(names.filter((name) => existsSync(name))).toEqual([]);
  });

  test("refuses the same project a second time and changes nothing", async () => {
    const folder = await scratch();
    const { target: source } = await filled(folder);
    const file = join(folder, "one.jsonl");
    await exportTo(source, file, { project: { name: "one-0" } });
    const before = await exportTo(source, join(folder, "before.jsonl"));
    await expect(
      restoreFile(deps, { ...plain, file, target: source, merge: true }),
    ).rejects.toMatchObject({ code: "conflict" });
    expect(await exportTo(source, join(folder, "after.jsonl"))).toBe(before);
  });

  test("refuses a file with two projects or with none", async () => {
    const folder = await scratch();
    const { file, text } = await filled(folder);
    const target: Target = { dialect: "sqlite", dsn: join(folder, "merged.db") };
    await expect(restoreFile(deps, { ...plain, file, target, merge: true })).rejects.toMatchObject({
      message: expect.stringContaining("more than one project"),
    });
    await writeFile(file, await digestAnew(text.split("\n").slice(0, 2).join("\n")));
    await expect(restoreFile(deps, { ...plain, file, target, merge: true })).rejects.toMatchObject({
      message: expect.stringContaining("no project"),
    });
  });
});
