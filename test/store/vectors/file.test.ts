import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { expect, test, vi } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { vectorsPath } from "../../../src/store/vectors/sqlite-path.ts";
import { describeStore } from "../../support/store.ts";
import { all, embedded, type Given, given, vector } from "./given.ts";

/** A file with the vectors of one issue, closed. */
async function closed(at: Given) {
  const issue = await embedded(at);
  await at.vectors.put(at.generation, [issue], all([issue]));
  await at.vectors.close();
  return { issue, path: vectorsPath(at.database.target.dsn) };
}

/** Opens the vectors again. Returns the number of generations, and why the file was replaced. */
async function found(at: Given, more: Parameters<Given["reopened"]>[0] = {}) {
  const warn = vi.fn<(event: string, fields?: object) => void>();
  const vectors = await at.reopened({ log: { ...silentLog, warn }, ...more });
  const generations = (await vectors.generations()).length;
  return { generations, warned: warn.mock.calls, vectors };
}

const replaced = (why: string) => ({
  generations: 0,
  warned: [["embeddings.file_replaced", { why }]],
});

describeStore("the file of the vectors", (open) => {
  if (open.dialect === "postgres") {
    test("does not exist, since the vectors are in the schema of svc", async () => {
      const at = await given(open);
      expect(at.vectors.scoring).toEqual({ ...at.database.target });
    });
    return;
  }

  test("is made beside the database at the first use, with rights for its owner only", async () => {
    const at = await given(open);
    const path = vectorsPath(at.database.target.dsn);
    expect(path).toBe(join(dirname(at.database.target.dsn), "svc.vectors.db"));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await at.vectors.close();
    rmSync(path);
    await at.reopened();
    expect(existsSync(path)).toBe(false);
  });

  test("is one for all names of a linked database", async () => {
    const at = await given(open);
    const link = join(dirname(at.database.target.dsn), "other.db");
    symlinkSync(at.database.target.dsn, link);
    expect(vectorsPath(link)).toBe(vectorsPath(at.database.target.dsn));
    expect(vectorsPath("/nowhere/data")).toBe("/nowhere/data.vectors.db");
  });

  test("is used again if it belongs to the database", async () => {
    const at = await given(open);
    await closed(at);
    expect(await found(at)).toMatchObject({ generations: 1, warned: [] });
  });

  test.each([0, 2])("is begun anew if its layout is %i", async (layout) => {
    const at = await given(open);
    const { path } = await closed(at);
    const file = new Database(path);
    file.pragma(`user_version = ${layout}`);
    file.close();
    expect(await found(at)).toMatchObject(replaced("layout"));
  });

  test("is begun anew if a table is missing", async () => {
    const at = await given(open);
    const { path } = await closed(at);
    const file = new Database(path);
    file.exec("drop table vector_chunk");
    file.close();
    expect(await found(at)).toMatchObject(replaced("layout"));
  });

  test("is begun anew if it is of another database, or of a log with another epoch", async () => {
    const at = await given(open);
    await closed(at);
    const other = await found(at, { instanceUid: "01J0000000000000000000OTHER" });
    expect(other).toMatchObject(replaced("other_database"));
    await other.vectors.close();
    expect(await found(at, { epoch: "01J0000000000000000000EPOCH" })).toMatchObject(
      replaced("other_database"),
    );
  });

  test("is begun anew if it is cut off, or no database at all", async () => {
    const at = await given(open);
    const { path } = await closed(at);
    truncateSync(path, 20_000);
    const cut = await found(at);
    expect(cut).toMatchObject(replaced("damaged"));
    await cut.vectors.close();
    writeFileSync(path, "no database".repeat(1000));
    expect(await found(at)).toMatchObject(replaced("damaged"));
  });

  test("is begun anew if it is empty, as after a first use that was killed", async () => {
    const at = await given(open);
    const { path } = await closed(at);
    truncateSync(path, 0);
    expect(await found(at)).toMatchObject(replaced("layout"));
  });

  test("is begun anew if pages turn out to be damaged while it is in use", async () => {
    const at = await given(open);
    const { path, issue } = await closed(at);
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 16_384), bytes.subarray(16_384).fill(7)]));
    const again = await found(at);
    expect(again).toMatchObject(replaced("damaged"));
    const next = await again.vectors.begin(at.of, "active", at.w.clock.now());
    expect([...(await again.vectors.put(next.id, [issue], all([issue])))]).toHaveLength(1);
  });

  test("is begun anew in place of a link, and what the link leads to stays as it is", async () => {
    const at = await given(open);
    const { path } = await closed(at);
    const target = join(dirname(path), "precious");
    for (const makeLink of [symlinkSync, linkSync]) {
      rmSync(path);
      writeFileSync(target, "precious");
      makeLink(target, path);
      const again = await found(at);
      expect(again).toMatchObject(replaced("link"));
      await again.vectors.close();
      expect(readFileSync(target, "utf8")).toBe("precious");
    }
  });

  test("does not replace the database of another program, which gets another name", async () => {
    const at = await given(open);
    const { path } = await closed(at);
    rmSync(path);
    const foreign = new Database(path);
    foreign.exec("create table precious (text); insert into precious values ('kept')");
    foreign.close();
    expect(await found(at)).toMatchObject(replaced("foreign"));
    const kept = new Database(`${path}.foreign`, { readonly: true });
    expect(kept.prepare("select text from precious").pluck().get()).toBe("kept");
    kept.close();
  });

  test("is not made where a folder is, and the folder stays", async () => {
    const at = await given(open);
    const { path } = await closed(at);
    rmSync(path);
    mkdirSync(path);
    const vectors = await at.reopened();
    await expect(vectors.generations()).rejects.toMatchObject({ code: "unavailable" });
    expect(readdirSync(path)).toEqual([]);
  });

  test("is begun anew if another file takes its place while it is in use, and readers are told", async () => {
    const at = await given(open);
    const { path } = await closed(at);
    copyFileSync(path, `${path}.copy`);
    const onReplaced = vi.fn<() => void>();
    const { vectors } = await found(at, { onReplaced });
    expect(onReplaced).not.toHaveBeenCalled();
    rmSync(path);
    expect(await vectors.generations()).toEqual([]);
    expect(onReplaced).toHaveBeenCalledTimes(1);
    rmSync(path);
    copyFileSync(`${path}.copy`, path);
    expect(await vectors.generations()).toEqual([]);
    expect(onReplaced).toHaveBeenCalledTimes(2);
    await vectors.begin(at.of, "active", at.w.clock.now());
    await vectors.close();
    expect(await found(at)).toMatchObject({ generations: 1, warned: [] });
  });

  test("is begun anew if a link takes its place while it is in use, and what it leads to stays", async () => {
    const at = await given(open);
    const { path } = await closed(at);
    const { vectors, warned } = await found(at);
    const moved = join(dirname(path), "moved.db");
    renameSync(path, moved);
    symlinkSync(moved, path);
    expect(await vectors.generations()).toEqual([]);
    expect(lstatSync(path).isFile()).toBe(true);
    rmSync(path);
    symlinkSync(path, path);
    expect(await vectors.generations()).toEqual([]);
    expect(warned).toEqual(replaced("link").warned.concat(replaced("link").warned));
    const kept = new Database(moved, { readonly: true });
    expect(kept.prepare("select count(*) from vector_generation").pluck().get()).toBe(1);
    kept.close();
  });

  test("may be replaced by a link to itself during a large write, which ends as usual", async () => {
    let path = "";
    let times = 0;
    const breakPath = (): number => {
      // Asked before and within the write.
      if (path !== "" && ++times === 2) {
        rmSync(path);
        symlinkSync(path, path);
      }
      return 0;
    };
    const at = await given(open, { commits: breakPath });
    const dims = 4096;
    const { id } = await at.vectors.begin({ ...at.of, dims }, "active", at.w.clock.now());
    path = vectorsPath(at.database.target.dsn);
    // So many that their pages are to be written from the log into the file afterwards.
    const issue = { ...(await embedded(at)), vectors: Array(4200).fill(vector(1, dims)) };
    expect([...(await at.vectors.put(id, [issue], all([issue])))]).toEqual([issue.issue_uid]);
    expect(await at.vectors.generations()).toEqual([]);
  });

  test("gives generations other ids after it was begun anew", async () => {
    const at = await given(open);
    at.w.clock.advance(1000);
    await at.vectors.discard({ generation: at.generation });
    const next = await at.vectors.begin(at.of, "active", at.w.clock.now());
    expect(next.id).toBeGreaterThan(at.generation);
  });

  test("loses nothing but the vectors if it is deleted", async () => {
    const at = await given(open);
    const { path, issue } = await closed(at);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    expect(await found(at)).toMatchObject({ generations: 0, warned: [] });
    const kept = await at.w.store.read(async ({ issues }) => await issues.find(issue.issue_uid));
    expect(kept?.uid).toBe(issue.issue_uid);
  });
});
