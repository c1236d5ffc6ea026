import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import type { Store } from "../../src/store/types/store.ts";
import { created, projectCreated, uid } from "../store/drafts.ts";
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

const PROJECT = uid(1);
const [FIRST, SECOND] = [uid(2), uid(3)];
const [LIVE, OVER] = [uid(4), uid(5)];

/** Writes a series with two issues, the first of them deleted, and an ended series without issues. */
async function story(store: Store): Promise<void> {
  await store.write(async (tx) => {
    await tx.append(projectCreated(PROJECT, "web"));
    await tx.append(created(PROJECT, FIRST));
    const on = { actor: "ann", project_uid: PROJECT } as const;
    const begun = {
      rrule: "FREQ=DAILY",
      dtstart: "2026-01-05",
      timezone: "Asia/Tokyo",
      template_title: "water the plants",
      template_body: "all of them",
      template_labels: ["home"],
      template_metadata: { n: 1 },
      next_occurrence_key: "2026-01-06",
    };
    await tx.append({
      ...on,
      type: "recurrence.created",
      related_issue_uid: FIRST,
      payload: {
        ...begun,
        recurrence_uid: LIVE,
        template_owner: "bea",
        template_priority: 2,
        initial_issue_uid: FIRST,
        occurrence_key: "2026-01-05",
      },
    });
    const dated = { metadata: { scheduled_on: "2026-01-06" } };
    const second = created(PROJECT, SECOND, dated);
    const member = { recurrence_uid: LIVE, occurrence_key: "2026-01-06" };
    await tx.append({ ...second, payload: { ...second.payload, ...member } });
    await tx.append({
      ...on,
      type: "recurrence.materialized",
      related_issue_uid: SECOND,
      payload: {
        ...member,
        issue_uid: SECOND,
        next_occurrence_key: null,
        updated_at: tx.now,
      },
    });
    await tx.append({
      ...on,
      type: "issue.soft_deleted",
      issue_uid: FIRST,
      payload: { deleted_at: tx.now },
    });
    await tx.append({
      ...on,
      type: "recurrence.created",
      payload: { ...begun, recurrence_uid: OVER },
    });
    await tx.append({
      ...on,
      type: "recurrence.deleted",
      payload: { recurrence_uid: OVER, deleted_at: tx.now },
    });
  });
}

const CASES: readonly (readonly [Dialect, Dialect])[] = [
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
];

const recordsOf = (text: string, kind: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`{"kind":"${kind}"`))
    .map((line) => JSON.parse(line).data);

describe("an export with series", () => {
  test.each(CASES)(
    "an export with series gives the same bytes from %s to %s and back, and doctor finds no fault",
    async (from, to) => {
      const folder = await scratch();
      const source = await freshTarget(from, folder);
      await withStore(source, story);
      const file = join(folder, "one.jsonl");
      const first = await exportTo(source, file);
      expect(recordsOf(first, "recurrence")).toMatchObject([
        { id: 1, uid: LIVE, project_id: 1, template_owner: "bea", last_materialized_uid: SECOND },
        { id: 2, uid: OVER, deleted_at: expect.any(String), next_occurrence_key: "2026-01-06" },
      ]);
      expect(recordsOf(first, "issue")).toMatchObject([
        { uid: FIRST, recurrence_id: 1, recurrence_uid: LIVE, occurrence_key: "2026-01-05" },
        { uid: SECOND, recurrence_id: 1, recurrence_uid: LIVE, occurrence_key: "2026-01-06" },
      ]);
      const target = await freshTarget(to, folder);
      await restoreFile(deps, { ...plain, file, target });
      expect(await exportTo(target, join(folder, "two.jsonl"))).toBe(first);
      const report = await examine(target);
      expect(report).not.toHaveProperty("fold");
      expect(report).not.toHaveProperty("derived");
      const issue = await withStore(
        target,
        async (store) => await store.read(async ({ issues }) => await issues.find(SECOND)),
      );
      // The local id of the issue's series, and when the issue is ready in the time zone of the series.
      expect(issue).toMatchObject({ recurrence_id: 1, ready_from: "2026-01-05T15:00:00.000Z" });
    },
  );

  test("an export without deleted issues leaves out deleted series too, except those that have issues", async () => {
    const folder = await scratch();
    const source = await freshTarget("sqlite", folder);
    await withStore(source, story);
    const live = await exportTo(source, join(folder, "live.jsonl"), { includeDeleted: false });
    expect(recordsOf(live, "recurrence").map((row) => row.uid)).toEqual([LIVE]);
    await withStore(source, async (store) => {
      await store.write(async (tx) => {
        await tx.append({
          type: "recurrence.deleted",
          actor: "ann",
          project_uid: PROJECT,
          payload: { recurrence_uid: LIVE, deleted_at: tx.now },
        });
      });
    });
    const kept = await exportTo(source, join(folder, "kept.jsonl"), { includeDeleted: false });
    expect(recordsOf(kept, "recurrence").map((row) => row.uid)).toEqual([LIVE]);
  });
});
