import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

const IMPORT = ["import", "--merge", "--source-format", "beads", "--input", "b.jsonl"];

async function importer() {
  const w = await projectWorld();
  const write = (all: readonly object[]) => {
    const lines = all.map((one) => JSON.stringify({ created_at: "2025-01-01T00:00:00Z", ...one }));
    writeFileSync(join(w.work, "b.jsonl"), `${lines.join("\n")}\n`);
  };
  const many = Array.from({ length: 600 }, (_, at) => ({ id: `b-${at}`, title: `t${at}` }));
  return { ...w, write, many };
}

test("the summary of an import ends with the command that undoes the import in several requests", async () => {
  const w = await importer();
  w.write(w.many);
  const told = (await w.ok(IMPORT)).trim().split("\n").at(-1) ?? "";
  expect(told).toMatch(/^Undo: svc import undo [0-9A-Z]{26} --project web$/);
  const words = told.replace("Undo: svc ", "").split(" ");
  const dryRun = [...words, "--dry-run", "--json"];
  const some = JSON.parse(await w.cut(dryRun));
  expect(some).toMatchObject({ truncated: true, count: some.items.length, deleted: 600 });
  const dry = JSON.parse(await w.ok([...dryRun, "--max-bytes", "0"]));
  expect(dry).toMatchObject({ dry_run: true, changed: false, deleted: 600, conflicts: [] });
  const done = await w.run([...words, "--json"], { typed: "" });
  expect(done.err).toMatch(/taking back.* 100%/);
  const { undone, ...account } = JSON.parse(done.out);
  expect(account).toEqual({ ...dry, dry_run: false, changed: true });
  expect(undone.actor).toBe("ann");
  expect(await w.ok(words)).toBe(
    [
      `Import ${words[2]} from beads into project web:`,
      "There is nothing to take back.",
      "600 issues were taken back before.",
      "",
    ].join("\n"),
  );
  expect(await w.ok(["import", "list"])).toMatch(
    /600 created, 0 updated, 0 deleted +taken back\n$/,
  );
  expect(await w.ok(IMPORT)).toContain("0 issues created, 600 updated");
});

test("undoing an import keeps what others changed, and then ends with exit code 5", async () => {
  const w = await importer();
  w.write([{ id: "b-1", title: "one" }]);
  await w.ok(IMPORT);
  w.write([
    { id: "b-1", title: "uno", updated_at: "2025-02-01T00:00:00Z" },
    { id: "b-2", title: "two" },
  ]);
  await w.ok(IMPORT);
  await w.ok(["edit", "b-1", "--title", "mine", "--as", "bea"]);
  const done = await w.run(["import", "undo", "last"]);
  expect(done.code).toBe(5);
  expect(done.out).toMatch(
    /:\n1 issue deleted, 0 as before\.\nconflict: web#\w+: its title was changed later by bea\nUndo: svc undo --actor ann --since \S+\n$/,
  );
  expect(done.err).toContain("not taken back: 1 issue, for the reasons that are listed\n");
  const again = await w.run(["import", "undo", "last", "--dry-run", "--agent"]);
  expect(again.out).toMatch(/^OK import undo batch=\w+ .*deleted=0 reverted=0 conflicts=1/);
  expect(again.err).toContain("would not be taken back: 1 issue");
  expect((await w.ok(["import", "list", "-q"])).trim().split("\n")).toHaveLength(2);
  expect(await w.ok(["import", "list"])).toMatch(
    /1 created, 1 updated, 0 deleted +1 of 2 taken back/,
  );
});

test("undoing a missing import is refused with the remedy", async () => {
  const w = await importer();
  expect(await w.ok(["import", "list"])).toBe("Nothing was imported here.\n");
  const last = await w.refused(["import", "undo", "last"]);
  expect(last).toMatchObject({ code: 4 });
  expect(last.err).toBe("svc: nothing was imported here\nhint: svc import list\n");
  const none = await w.refused(["import", "undo", "01ARZ3NDEKTSV4RRFFQ69G5FAV"]);
  expect(none).toMatchObject({ code: 4, err: "svc: no such import\nhint: svc import list\n" });
});
