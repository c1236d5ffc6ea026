import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import { created, edited, labeled, projectCreated, uid } from "../store/drafts.ts";
import { expectFolded } from "../store/fold.ts";
import {
  type Dialect,
  deps,
  examine,
  exportTo,
  freshTarget,
  plain,
  scratch,
  withStore,
} from "./targets.ts";

const [WEB, A, B] = [uid(1), uid(101), uid(102)];

describe("a log with skipped events", () => {
  test.each<[Dialect, Dialect]>([
    ["sqlite", "postgres"],
    ["postgres", "sqlite"],
  ])("is restored from %s into %s with its marks and the same rows", async (from, to) => {
    const folder = await scratch();
    const source = await freshTarget(from, folder);
    await withStore(source, async (store) => {
      const events = await store.write(
        async (tx) =>
          await tx.appendAll([
            projectCreated(WEB, "web"),
            created(WEB, A, { title: "kept" }),
            edited(WEB, A, { title: "refused" }),
            created(WEB, B, { title: "refused too" }),
            labeled(WEB, B, "bug"),
          ]),
      );
      const refused = [events[2], events[3]].flatMap((event) => event?.uid ?? []);
      expect(await store.write(async (tx) => await tx.skipEvents(refused))).toBe(3);
    });
    const first = await exportTo(source, join(folder, "one.jsonl"));
    expect(first.match(/"skipped_at":/g)).toHaveLength(3);
    const target = await freshTarget(to, folder);
    await restoreFile(deps, { ...plain, file: join(folder, "one.jsonl"), target });
    expect(await exportTo(target, join(folder, "two.jsonl"))).toBe(first);
    await withStore(target, async (store) => {
      const titles = await store.read(async ({ issues }) => [
        (await issues.find(A))?.title,
        (await issues.find(B))?.title,
      ]);
      expect(titles).toEqual(["kept", undefined]);
      await expectFolded(store);
    });
    expect(await examine(target)).toMatchObject({
      integrity: [],
      changedEvents: [],
      brokenChain: [],
    });
  });
});
