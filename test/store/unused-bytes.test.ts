import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { UnusedBytes } from "../../src/store/unused-bytes.ts";

const step = fc.record({
  id: fc.integer({ min: 1, max: 60 }),
  action: fc.constantFrom("put", "put", "put", "delete"),
  // Short texts share a page; long ones go on in others, in the table and in the index.
  length: fc.oneof(fc.nat(90), fc.nat(90), fc.nat(5000), fc.constant(30_000)),
});

test("what was deleted is gone from every byte of the file, and what was not is as it was", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-unused-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let run = 0;
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 5, maxLength: 150 }),
      fc.constantFrom(512, 4096),
      (steps, pageSize) => {
        const path = join(folder, `${++run}.db`);
        const database = new Database(path);
        database.pragma(`page_size = ${pageSize}`);
        database.pragma("secure_delete = off");
        database.pragma("journal_mode = memory");
        database.pragma("synchronous = off");
        database.exec(
          "create table t (id integer primary key, text text); create index i on t (text)",
        );
        database.exec("create table w (key text primary key, text text) without rowid");
        const written = new Map<string, number>();
        steps.forEach(({ id, action, length }, at) => {
          database.prepare("delete from t where id = ?").run(id);
          database.prepare("delete from w where key = ?").run(String(id));
          if (action === "delete") return;
          const word = `<w${at}>`;
          written.set(word, id);
          const text = word + word.repeat(length / word.length);
          database.prepare("insert into t values (?, ?)").run(id, text);
          database.prepare("insert into w values (?, ?)").run(String(id), text);
        });
        const all = () => [
          database.prepare("select * from t order by id").all(),
          database.prepare("select * from w order by key").all(),
        ];
        const before = all();
        const kept = JSON.stringify(before);
        const file = openSync(path, "r+");
        const unused = new UnusedBytes(file, fstatSync(file).size);
        for (let page = 1; page <= unused.pages; ) page = unused.clean(page, 3).next;
        database.pragma("shrink_memory");
        expect(all()).toEqual(before);
        expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
        database.close();
        closeSync(file);
        const bytes = readFileSync(path, "latin1");
        const left = [...written.keys()].filter(
          (word) => bytes.includes(word) && !kept.includes(word),
        );
        expect(left).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});
