import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import { prepareBaseline } from "../../src/ops/federation/baseline.ts";
import { writeBaseline } from "../support/baseline.ts";
import { fill } from "./content.ts";
import {
  type Dialect,
  deps,
  examine,
  exportTo,
  freshTarget,
  ids,
  plain,
  scratch,
  withStore,
} from "./targets.ts";

const CONTENT: Parameters<typeof fill>[1] = {
  projects: [{ name: "p", metadata: '{"n":1.50}', archived: false }],
  issues: [0, 1, 2].map((n) => ({
    project: 0,
    title: `issue ${n}`,
    body: "text",
    author: "a",
    owner: "o",
    priority: n,
    labels: ["bug"],
    metadata: '{"n":1.50}',
    comments: [{ author: "b", body: "hm", key: `k${n}` }],
    end: "open",
    createdAt: 1_700_000_000_000 + n,
    externalId: `x${n}`,
  })),
  links: [
    { from: 0, to: 1, type: "blocks" },
    { from: 2, to: 1, type: "parent" },
  ],
};

describe("a log with a baseline", () => {
  test.each<[Dialect, Dialect]>([
    ["sqlite", "postgres"],
    ["postgres", "sqlite"],
  ])("is exported from %s, restored into %s and found sound there", async (from, to) => {
    const folder = await scratch();
    const source = await freshTarget(from, folder);
    await withStore(source, async (store) => {
      await fill(store, CONTENT, () => ids.ulid());
      const [project] = await store.read(async ({ projects }) => await projects.list(false));
      const prepared = await prepareBaseline({ store }, project?.uid ?? "", "ann");
      await store.write(async (tx) => await writeBaseline(tx, prepared));
    });
    const first = await exportTo(source, join(folder, "one.jsonl"));
    expect(first.match(/"type":"issue.snapshot"/g)).toHaveLength(3);
    // Numbers keep their spelling.
    expect(first.match(/"type":"project.federation_enabled".*\{\\?"n\\?":1.50\}/g)).toHaveLength(1);
    const target = await freshTarget(to, folder);
    await restoreFile(deps, { ...plain, file: join(folder, "one.jsonl"), target });
    expect(await exportTo(target, join(folder, "two.jsonl"))).toBe(first);
    const report = await examine(target);
    expect(report).toEqual({
      events: 14,
      rows: report.rows,
      integrity: [],
      changedEvents: [],
      brokenChain: [],
    });
  });
});
