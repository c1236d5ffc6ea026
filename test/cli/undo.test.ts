import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TEXT_BUDGET_BYTES } from "../../src/contract/list-budget.ts";
import { projectWorld } from "./harness.ts";

const BEGIN = ["--since", "2025-01-01T00:00:00Z"];
const UNDO_CYD = ["undo", "--actor", "cyd", ...BEGIN];

/** Makes ann's issue `t0`, to which cyd gave another title and a label, and a new issue of cyd. */
async function undoWorld() {
  const w = await projectWorld();
  const id = (await w.ok(["create", "t0", "-q"])).trim();
  await w.ok(["edit", id, "--title", "t1", "--as", "cyd"]);
  await w.ok(["label", "add", id, "urgent", "--as", "cyd"]);
  const fresh = (await w.ok(["create", "cyd's own", "-q", "--as", "cyd"])).trim();
  return { ...w, id, fresh };
}

/** The output of -q for that issue alone. */
const only = (id: string) => new RegExp(`^${id}\n$`);

describe("the undo command", () => {
  test("shows what it would do, and does it once the person at the terminal agrees", async () => {
    const w = await undoWorld();
    const shown = await w.run(UNDO_CYD);
    expect(shown.code).toBe(0);
    expect(shown.out.split("\n")).toEqual([
      expect.stringMatching(/^3 changes of cyd from 2025-01-01 00:00Z to 20/),
      "Would be put back:",
      `  web#${w.fresh}  deleted: cyd's own`,
      `  web#${w.id}  title: t1 → t0`,
      `  web#${w.id}  label urgent removed`,
      "",
    ]);
    expect(shown.err).toBe("nothing was changed: --yes does it\n");
    const refused = await w.run(UNDO_CYD, { typed: "n" });
    expect(refused.err).toBe("Take this back? [y/N] nothing was changed\n");
    expect(await w.ok(["show", w.id])).toContain("t1");
    const done = await w.run(UNDO_CYD, { typed: "y" });
    expect(done.out).toContain("\nPut back:\n");
    expect(done.out).toMatch(/\nUndo: svc undo --actor ann --since 20\S+Z\n$/);
    expect(await w.ok(["list", "-q", "--status", "all"])).toMatch(only(w.id));
    expect(await w.ok(["show", w.id])).toContain("t0");
    const again = await w.run(UNDO_CYD);
    expect(again).toMatchObject({ code: 0, err: "" });
    expect(again.out).toMatch(/3 of them taken back before; there is nothing to put back\n$/);
  });

  test("runs at once with --yes, and never with --dry-run", async () => {
    const w = await undoWorld();
    const dry = JSON.parse(await w.ok([...UNDO_CYD, "--dry-run", "--json"]));
    expect(dry).toMatchObject({ changed: false, event_count: 3, confirm: "UNDO 3 OF cyd" });
    expect(await w.ok(["show", w.id])).toContain("t1");
    const agent = await w.ok([...UNDO_CYD, "--yes", "--agent"]);
    expect(agent.split("\n")).toEqual([
      "OK undo actor=cyd events=3 reverts=3 conflicts=0 kept=0 changed=true",
      `Revert: web#${w.fresh} deleted: cyd's own`,
      `Revert: web#${w.id} title: t1 → t0`,
      `Revert: web#${w.id} label urgent removed`,
      expect.stringMatching(/^Batch: [0-9A-Z]{26}$/),
      expect.stringMatching(/^Undo: svc undo --actor ann --since \S+ --yes --agent$/),
      "",
    ]);
    const quiet = await w.ok([...UNDO_CYD, "--yes", "-q"]);
    expect(quiet).toBe("");
    const json = JSON.parse(await w.ok([...UNDO_CYD, "-y", "--json", "--all-projects"]));
    expect(json).toMatchObject({ changed: false, undone_before: 3, project_id: 0 });
  });

  test("works for an actor whose name is in another script", async () => {
    const w = await projectWorld();
    await w.ok(["create", "t0", "-q", "--as", "Жанна"]);
    const words = ["undo", "--actor", "Жанна", ...BEGIN, "--yes", "--json"];
    expect(JSON.parse(await w.ok(words))).toMatchObject({ changed: true });
  });

  test("prints the command that undoes the undo itself, quoted for a shell", async () => {
    const w = await undoWorld();
    const out = await w.ok([...UNDO_CYD, "--yes", "--as", "ann b"]);
    expect(out).toContain('Undo: svc undo --actor "ann b" --since ');
  });

  test("undoes any number of changes, the last first, and finds nothing the second time", async () => {
    const w = await projectWorld();
    const bring = async (from: number): Promise<void> => {
      const lines = Array.from({ length: 5001 }, (_, at) =>
        JSON.stringify({
          id: `b-${from + at}`,
          title: `t${at}`,
          created_at: "2025-01-01T00:00:00Z",
        }),
      );
      writeFileSync(join(w.work, "b.jsonl"), `${lines.join("\n")}\n`);
      const words = ["--merge", "--source-format", "beads", "--input", "b.jsonl", "--as", "cyd"];
      await w.ok(["import", ...words]);
    };
    const open = async (): Promise<number> =>
      JSON.parse(await w.ok(["list", "--json", "--limit", "20000"])).issues.length;
    await bring(0);
    await bring(10_000);
    // Large imports run in a thread, whose clock is the real one.
    const all = [...UNDO_CYD, "--until", "2100-01-01T00:00:00Z"];
    const shown = await w.run([...all, "--dry-run", "--agent"]);
    const first = Number(/^OK undo actor=cyd events=(\d+) /.exec(shown.out)?.[1]);
    expect([first > 9000, first <= 10_000]).toEqual([true, true]);
    expect(shown.err).toMatch(
      /^\.\.\. showing the first \d+ lines \(--max-bytes 0 shows all\)\nwhat was done before \S+Z is planned once this is taken back\n$/,
    );
    expect(Buffer.byteLength(shown.out)).toBeLessThanOrEqual(TEXT_BUDGET_BYTES);
    const parts = (await w.ok([...all, "--yes", "--json"])).trim().split("\n");
    expect(parts.map((part) => JSON.parse(part).event_count)).toEqual([first, 10_002 - first]);
    expect(await open()).toBe(0);
    const again = (await w.ok([...all, "--yes", "--json"])).trim().split("\n");
    expect(again.map((part) => JSON.parse(part).undone_before)).toEqual([first, 10_002 - first]);
  }, 120_000);

  test("names the actors who built on the changes, and exits with the code for conflicts", async () => {
    const w = await undoWorld();
    await w.ok(["edit", w.id, "--title", "t2", "--as", "dov"]);
    const alone = await w.refused([...UNDO_CYD, "--yes"]);
    expect(alone.err.split("its title was changed later by dov")).toHaveLength(2);
    await w.ok(["comment", w.fresh, "--body", "good", "--as", "eli"]);
    const shown = await w.run(UNDO_CYD, { typed: "y" });
    expect(shown.code).toBe(0);
    expect(shown.out).toContain(`\n  web#${w.id}: its title was changed later by dov\n`);
    expect(shown.err).toBe("nothing was changed: settle the conflicts first\n");
    const { err, code } = await w.refused([...UNDO_CYD, "--yes"]);
    expect(code).toBe(5);
    expect(err).toContain(`  web#${w.fresh}: the issue was changed later by eli\n`);
    const agent = await w.refused([...UNDO_CYD, "--yes", "--agent"]);
    expect(agent.err).toContain(`\nError: web#${w.id}: its title was changed later by dov\n`);
    expect(agent.err).toContain("\nCode: undo_conflict\n");
  });

  test.each([
    [["undo", "--actor", "cyd"], 2],
    [["undo", ...BEGIN], 2],
    [["undo", "--actor", "cyd", "--since", "then"], 3],
    [[...UNDO_CYD, "--yes", "--dry-run"], 2],
    [[...UNDO_CYD, "--all-projects", "--project", "web"], 2],
    [[...UNDO_CYD, "--until", "2024-01-01T00:00:00Z"], 3],
  ])("refuses the command line %j", async (words, code) => {
    const w = await projectWorld();
    expect((await w.refused(words)).code).toBe(code);
  });
});

describe("the --at flag", () => {
  test("shows an issue and lists as they were at that time, and says so", async () => {
    const w = await undoWorld();
    const events = JSON.parse(await w.ok(["log", w.id, "--json"])).events;
    const at = String(events[0].event_id);
    const shown = await w.run(["show", w.id, "--at", at]);
    expect(shown.out).toContain("t0");
    expect(shown.err).toMatch(new RegExp(`^as it was at \\S+Z \\(event ${at}\\)\n$`));
    for (const command of ["list", "ready"])
      expect(await w.ok([command, "-q", "--at", at])).toMatch(only(w.id));
    expect(await w.ok(["list", "-q", "--at", "0"])).toBe("");
    const json = await w.run(["list", "--all", "--json", "--at", events[0].created_at]);
    expect(json.err).toBe("");
    expect(JSON.parse(json.out).as_of.at).toBe(events[0].created_at);
    const early = await w.refused(["show", w.fresh, "--at", at]);
    expect(early.err).toContain(`there was no ${w.fresh} at `);
    expect((await w.refused(["list", "--at", "soon"])).code).toBe(3);
    expect((await w.refused(["ready", "--at", at, "--claim"])).code).toBe(2);
  });

  test("svc show --include-deleted shows a deleted issue", async () => {
    const w = await undoWorld();
    await w.ok(["delete", w.id, "--force", "--confirm", `DELETE web#${w.id}`]);
    expect((await w.refused(["show", w.id])).code).toBe(4);
    expect(await w.ok(["show", w.id, "--include-deleted"])).toContain("t1");
  });
});
