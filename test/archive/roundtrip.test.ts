import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import { type Content, content, fill } from "./content.ts";
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

describe("an export, restored into the other kind of database and exported again", () => {
  test.each<[Dialect, Dialect]>([
    ["sqlite", "postgres"],
    ["postgres", "sqlite"],
  ])(
    "gives the same bytes from %s to %s",
    async (from, to) => {
      const folder = await scratch();
      await fc.assert(
        fc.asyncProperty(content, async (given: Content) => {
          const source = await freshTarget(from, folder);
          await withStore(source, async (store) => await fill(store, given, () => ids.ulid()));
          const file = join(folder, "one.jsonl");
          const first = await exportTo(source, file);
          const target = await freshTarget(to, folder);
          const result = await restoreFile(deps, { ...plain, file, target });
          expect(result).toMatchObject({
            projects: given.projects.length,
            issues: given.issues.length,
            skipped_links: 0,
          });
          expect(await exportTo(target, join(folder, "two.jsonl"))).toBe(first);
          const report = await examine(target);
          expect(report).toEqual({
            events: result.events,
            rows: report.rows,
            integrity: [],
            changedEvents: [],
            brokenChain: [],
          });
        }),
        { numRuns: 20 },
      );
    },
    120_000,
  );
});
