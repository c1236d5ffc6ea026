import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { backupDatabase } from "../../../src/archive/backup.ts";
import { restoreFile } from "../../../src/archive/restore.ts";
import { editIssue } from "../../../src/contract/issues.ts";
import { openStore } from "../../../src/store/open.ts";
import { deps, exportTo, freshTarget, plain, scratch } from "../../archive/targets.ts";
import { describeStore } from "../../support/store.ts";
import { all, embeddedOf, given, rowsIn, vector } from "./given.ts";

describeStore("a database with vectors", (open) => {
  test("is exported, backed up and restored without them, and its texts begin at revision 1 again", async () => {
    const at = await given(open);
    const { uid, path: params } = await at.w.given.issue({ title: "one" });
    await at.w.call(editIssue, { params, body: { title: "two" } });
    const folder = await scratch();
    const source = { dialect: open.dialect, ...at.database.target };
    const before = await exportTo(source, join(folder, "before.jsonl"));
    const issue = await embeddedOf(at.w, uid, [vector(1), vector(2)]);
    expect(issue.content_revision).toBe(2);
    await at.vectors.put(at.generation, [issue], all([issue]));
    expect(await exportTo(source, join(folder, "after.jsonl"))).toBe(before);
    const backup = await backupDatabase(source, { ...deps, folder: join(folder, "backups") });
    expect(readFileSync(backup.path, "utf8")).toBe(before);
    const target = await freshTarget(open.dialect, folder);
    await restoreFile(deps, { ...plain, file: backup.path, target });
    const restored = await openStore({ ...deps, ...target });
    const found = await restored.read(async ({ issues }) => await issues.find(uid));
    await restored.close();
    expect(found).toMatchObject({ title: "two", content_revision: 1 });
    const names = readdirSync(folder, { recursive: true }).map(String);
    expect(names.filter((name) => name.includes("vectors"))).toEqual([]);
    if (target.schema === undefined) return;
    const counted = `select count(*)::int as rows from ${target.schema}.vector_issue`;
    expect(await rowsIn({ ...at.database, target }, counted)).toEqual([{ rows: 0 }]);
  });
});
