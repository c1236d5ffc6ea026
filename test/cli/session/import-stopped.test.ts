import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFault } from "../../../src/cli/session/import-state.ts";
import { SvcError } from "../../../src/contract/errors.ts";
import { projectWorld } from "../harness.ts";

test("an interrupted import says what was imported, and the same command imports the rest", async () => {
  const w = await projectWorld();
  const lines = Array.from({ length: 1600 }, (_, at) =>
    JSON.stringify({ id: `b-${at}`, title: `t${at}`, created_at: "2025-01-01T00:00:00Z" }),
  );
  writeFileSync(join(w.work, "b.jsonl"), `${lines.join("\n")}\n`);
  const words = ["import", "--merge", "--source-format", "beads", "--input", "b.jsonl"];
  const stopped = await w.run(words, { typed: "", interruptAt: / 31%/ });
  expect(stopped.code).toBe(130);
  expect(stopped.err).toMatch(/; at least (?:500|1000) of 1600 issues are in\n/);
  expect(stopped.err).toContain("the same command again brings in the rest");
  await w.ok(words);
  const { issues } = JSON.parse(
    await w.ok(["list", "--json", "--limit", "5000", "--max-bytes", "0"]),
  );
  expect(issues).toHaveLength(1600);
});

test("a bad last line of a large file is refused before any of it is sent", async () => {
  const w = await projectWorld();
  const lines = Array.from({ length: 4000 }, (_, at) =>
    JSON.stringify({ id: `b-${at}`, title: `title ${at}`, created_at: "2025-01-01T00:00:00Z" }),
  );
  writeFileSync(join(w.work, "b.jsonl"), `${lines.join("\n")}\n{"id":\n`);
  const words = ["import", "--merge", "--source-format", "beads", "--input", "b.jsonl"];
  const { err, code } = await w.refused(words);
  expect(code).toBe(3);
  expect(err).toContain("line 4001: not JSON; nothing was written");
  expect(JSON.parse(await w.ok(["list", "--json"]))).toMatchObject({ issues: [] });
});

test.each([
  [{ issues: 5, done: 2, all: 7 }, "2 of 5 issues are in"],
  [{ issues: 5, done: 5, all: 7 }, "the links of 0 of 2 and all 5 issues are in"],
  [{ issues: 5, done: 6, all: 7 }, "the links of 1 of 2 and all 5 issues are in"],
])(
  "an import that fails keeps the code and remedy of the error, and says how far it came: %j",
  (state, text) => {
    const { failure } = importFault(new SvcError("project_not_found"), state);
    expect(failure).toMatchObject({
      code: "project_not_found",
      message: `no such project; ${text}`,
      hint: "svc projects list; the same command again brings in the rest",
    });
  },
);
