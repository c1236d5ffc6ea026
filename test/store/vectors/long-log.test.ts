import { statSync } from "node:fs";
import { expect, test } from "vitest";
import type { EmbeddedIssue } from "../../../src/store/types/vectors.ts";
import { vectorsPath } from "../../../src/store/vectors/sqlite-path.ts";
import { describeStore } from "../../support/store.ts";
import { all, countsOf, embeddedOf, given, vector } from "./given.ts";

const DIMS = 768;
const CHUNKS = 200;

describeStore("many vectors that are written one after another", (open) => {
  if (open.dialect === "postgres") {
    test("are all stored", async () => {
      const at = await given(open);
      const { uid } = await at.w.given.issue();
      const issue = await embeddedOf(at.w, uid, VECTORS);
      const { id } = await at.vectors.begin({ ...at.of, dims: DIMS }, "active", at.w.clock.now());
      await at.vectors.put(id, [issue], all([issue]));
      expect(await countsOf(at.vectors, id)).toEqual({ done: 1, skipped: 0, chunks: CHUNKS });
    });
    return;
  }

  test("are not refused while a checkpoint writes them into the file, and a removal empties the log", async () => {
    const at = await given(open);
    const { id } = await at.vectors.begin({ ...at.of, dims: DIMS }, "active", at.w.clock.now());
    const path = vectorsPath(at.database.target.dsn);
    const issues = Array.from({ length: 180 }, (_, number) => issueOf(number + 1));
    await Promise.all(issues.map(async (issue) => await at.vectors.put(id, [issue], all([issue]))));
    // More than the log may hold before it is written into the file.
    expect(statSync(path).size).toBeGreaterThan(50_000_000);
    await at.vectors.remove([issues[0]?.issue_uid ?? ""], { erase: true });
    expect(statSync(`${path}-wal`).size).toBe(0);
    expect(await countsOf(at.vectors, id)).toEqual({ done: 179, skipped: 0, chunks: 179 * CHUNKS });
  });
});

const VECTORS = Array.from({ length: CHUNKS }, (_, at) => vector(at, DIMS));

function issueOf(issue_id: number): EmbeddedIssue {
  return {
    ...{ issue_id, issue_uid: `u${issue_id}`, project_uid: "p", content_revision: 1 },
    ...{ text_hash: "", state: "done", reason: null, vectors: VECTORS },
  };
}
