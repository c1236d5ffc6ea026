import { join } from "node:path";
import { expect, test } from "vitest";
import { restoreFile } from "../../../src/archive/restore.ts";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import { openStore } from "../../../src/store/open.ts";
import { deps, exportTo, plain, scratch } from "../../archive/targets.ts";
import { describeStore } from "../../support/store.ts";
import { created, log, projectCreated, uid } from "../drafts.ts";

const [P, Q, KEPT, PURGED] = [uid(1), uid(2), uid(11), uid(12)];
const SAME = { short_id: "same" };

describeStore(
  "a short id that an issue has, and that a purged issue of a merged project had",
  (open) => {
    test("still belongs to the existing issue and is taken for all others, also after a restore", async () => {
      const database = await open.database();
      const store = await database.open();
      await log(store, projectCreated(P, "web"), projectCreated(Q, "api"));
      await log(store, created(P, KEPT, SAME), created(Q, PURGED, SAME));
      await store.write(async (tx) => {
        const issue = await tx.issues.find(PURGED);
        if (issue !== undefined) await tx.purgeIssue(issue, { actor: "ann", reason: null });
        await tx.append({
          ...{ type: "project.merged", actor: "ann", project_uid: P },
          payload: { source_uid: Q, source_name: "api", short_id_extensions: [] },
        });
      });
      expect(await takenFor(store)).toEqual({ kept: false, others: true });
      const file = join(await scratch(), "one.jsonl");
      await exportTo({ dialect: open.dialect, ...database.target }, file);
      const target = { dialect: open.dialect, ...database.empty };
      await restoreFile(deps, { ...plain, file, target });
      const again = await openStore({ ...deps, ...target });
      expect(await takenFor(again)).toEqual({ kept: false, others: true });
      await again.close();
    });
  },
);

async function takenFor(store: AdminStore) {
  return await store.read(async ({ issues }) => ({
    kept: await issues.shortIdTaken(P, "same", KEPT),
    others: await issues.shortIdTaken(P, "same"),
  }));
}
