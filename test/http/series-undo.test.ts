import { expect, test } from "vitest";
import { closeIssue, reopenIssue } from "../../src/contract/actions.ts";
import { notifyIssue } from "../../src/contract/inbox.ts";
import { showIssue } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import {
  createRecurrence,
  patchRecurrence,
  showRecurrence,
} from "../../src/contract/recurrences.ts";
import { deleteIssue } from "../../src/contract/removal.ts";
import { undoGlobal } from "../../src/contract/undo.ts";
import { DateSweep } from "../../src/ops/inbox/date-sweep.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

const CYD = { actor: "cyd" };

describeStore("undo of a close in a series", (open) => {
  /** Makes a weekly series with its first issue, for 2026-01-05. */
  async function weekly(rrule = "FREQ=WEEKLY") {
    const w = await world({ store: open });
    const project = await w.given.project();
    const first = await w.given.issue({ project, title: "the first" });
    const { recurrence } = await w.call(createRecurrence, {
      params: project.path,
      body: {
        rrule,
        dtstart: "2026-01-05",
        timezone: "Europe/Berlin",
        template: { title: "water the plants" },
        initial_issue_ref: first.short_id,
      },
    });
    const path = { ...project.path, recurrence_uid: recurrence.uid };
    const at = (ref: string) => ({ ...project.path, ref });
    return {
      w,
      first,
      at,
      series: async () => {
        const {
          revision: _r,
          updated_at: _u,
          ...rest
        } = (await w.call(showRecurrence, { params: path })).recurrence;
        return rest;
      },
      issue: async (ref: string) => (await w.call(showIssue, { params: at(ref) })).issue,
      close: async (ref: string, actor = "cyd") => {
        w.clock.advance(1000);
        const body = { actor, source: "tui" } as const;
        const { next_issue } = await w.call(closeIssue, { params: at(ref), body });
        return next_issue;
      },
      patch: async (actor: string, rule: string) => {
        w.clock.advance(1000);
        const { revision } = (await w.call(showRecurrence, { params: path })).recurrence;
        const headers = { "if-match": `"rev-${revision}"` };
        await w.call(patchRecurrence, { params: path, headers, body: { actor, rrule: rule } });
      },
      undo: async (body: object = {}) => {
        w.clock.advance(1000);
        const asked = { of_actor: "cyd", since: "2020-01-01T00:00:00Z", actor: "bea", ...body };
        const plan = await w.call(undoGlobal, { body: { ...asked, dry_run: true } });
        if (plan.conflicts.length > 0) return plan;
        const headers = { "x-svc-confirm": plan.confirm };
        return await w.call(undoGlobal, { body: asked, headers });
      },
    };
  }

  test("restores the series, removes the next issue and names both", async () => {
    const { w, first, series, issue, close, undo, at } = await weekly();
    const before = await series();
    const next = await close(first.uid);
    expect(await series()).not.toEqual(before);
    const done = await undo();
    expect(await series()).toEqual(before);
    expect((await issue(first.uid)).status).toBe("open");
    const { code } = await w.refused(showIssue, { params: at(next?.uid ?? "") });
    expect(code).toBe("issue_not_found");
    expect(done).toMatchObject({ changed: true, kept: [] });
    expect(done.reverts).toContainEqual({
      issue_uid: first.uid,
      qualified_id: `web#${first.short_id}`,
      issue_title: "the first",
      field: "series",
      from: "2026-01-19",
      to: "2026-01-12",
      event_ids: [expect.any(Number)],
    });
    expect(await undo()).toMatchObject({ changed: false, reverts: [] });
    await expectFolded(w.store);
  });

  test("lets the next close create the same issue again, which can be undone again", async () => {
    const { w, first, series, issue, close, undo } = await weekly();
    const before = await series();
    const next = await close(first.uid);
    const after = await series();
    await undo();
    expect(await close(first.uid)).toEqual(next);
    expect(await series()).toEqual(after);
    expect(await issue(next?.uid ?? "")).toMatchObject({ status: "open" });
    await undo();
    expect(await series()).toEqual(before);
    expect(await close(first.uid, "ann")).toEqual(next);
    await expectFolded(w.store);
  });

  test("undoes several closes one after the other, and issues that are created again are open", async () => {
    const { w, first, series, issue, close, undo } = await weekly("FREQ=WEEKLY;COUNT=3");
    const before = await series();
    const second = await close(first.uid);
    const third = await close(second?.uid ?? "");
    expect(await close(third?.uid ?? "")).toBeUndefined();
    await undo();
    expect(await series()).toEqual(before);
    expect(await close(first.uid)).toEqual(second);
    expect(await issue(second?.uid ?? "")).toMatchObject({ status: "open" });
    expect(await close(second?.uid ?? "")).toEqual(third);
    await expectFolded(w.store);
  });

  test("is not blocked by the daemon's own request about the date of the next issue", async () => {
    const { w, first, series, issue, close, undo } = await weekly();
    w.clock.advance(60 * 86_400_000);
    const before = await series();
    const next = await close(first.uid);
    const faults: unknown[] = [];
    const sweep = new DateSweep(w, (_uid, error) => void faults.push(error));
    await sweep.pass(new AbortController().signal);
    expect(faults).toEqual([]);
    const asked = Object.keys((await issue(next?.uid ?? "")).metadata);
    expect(asked).toContainEqual(expect.stringMatching(/^notify\./));
    expect(await undo()).toMatchObject({ changed: true, conflicts: [] });
    expect(await series()).toEqual(before);
    await expectFolded(w.store);
  });

  test("is blocked by another actor's request on the next issue", async () => {
    const { w, first, at, close, undo } = await weekly();
    const next = await close(first.uid);
    const body = { to: "cyd", message: "look", actor: "bea" };
    await w.call(notifyIssue, { params: at(next?.uid ?? ""), body });
    expect((await undo()).conflicts).toMatchObject([{ reason: "changed_later" }]);
  });

  test("can be undone itself: the series continues from where the close left it", async () => {
    const { w, first, series, issue, close, undo } = await weekly();
    const next = await close(first.uid);
    const after = await series();
    await undo();
    const again = await undo({ of_actor: "bea", actor: "dov" });
    expect(again).toMatchObject({ changed: true, conflicts: [] });
    expect(await series()).toEqual(after);
    expect(await issue(next?.uid ?? "")).toMatchObject({ status: "open" });
    expect((await issue(first.uid)).status).toBe("closed");
    await expectFolded(w.store);
  });

  test("restores a series that had ended, and a day that was skipped", async () => {
    const { w, first, series, at, close, undo, patch } = await weekly("FREQ=WEEKLY;COUNT=2");
    const second = await close(first.uid, "ann");
    await patch("ann", "FREQ=WEEKLY;COUNT=3");
    const waiting = await series();
    await close(second?.uid ?? "");
    expect(await series()).not.toEqual(waiting);
    await undo();
    expect(await series()).toEqual(waiting);
    await w.call(reopenIssue, { params: at(first.uid) });
    await close(first.uid);
    expect((await w.events()).at(-1)?.type).toBe("recurrence.materialization_skipped");
    await undo();
    expect(await series()).toEqual(waiting);
    await expectFolded(w.store);
  });

  test("is refused with a list of conflicts if others changed the next issue or the rule", async () => {
    const { w, first, series, close, undo, patch, at } = await weekly();
    const next = await close(first.uid);
    w.clock.advance(1000);
    const params = at(next?.uid ?? "");
    await w.call(addLabel, { params, body: { actor: "ann", label: "mine" } });
    await patch("ann", "FREQ=DAILY");
    const before = await series();
    const events = await w.events();
    expect((await undo()).conflicts).toMatchObject([
      { field: "issue", reason: "changed_later", message: expect.stringContaining("ann") },
      {
        field: "series",
        qualified_id: `web#${first.short_id}`,
        message: `web#${first.short_id}: its series was changed later by ann`,
      },
    ]);
    expect(await series()).toEqual(before);
    expect(await w.events()).toEqual(events);
  });

  test("keeps a rule that the same actor changed meanwhile, and the next close follows that rule", async () => {
    const { w, first, series, close, undo, patch } = await weekly();
    await close(first.uid);
    await patch("cyd", "FREQ=DAILY");
    const done = await undo();
    expect(done.kept).toMatchObject([{ type: "recurrence.updated" }]);
    expect(await series()).toMatchObject({ rrule: "FREQ=DAILY", last_materialized_uid: first.uid });
    expect(await close(first.uid)).toMatchObject({ occurrence_key: "2026-01-06" });
    await expectFolded(w.store);
  });

  test("lets a rule that is changed afterwards continue after the last remaining issue", async () => {
    const { w, first, series, close, undo, patch } = await weekly();
    await close(first.uid);
    await undo();
    await patch("ann", "FREQ=DAILY;INTERVAL=2");
    expect(await series()).toMatchObject({ next_occurrence_key: "2026-01-07" });
    expect(await close(first.uid)).toMatchObject({ occurrence_key: "2026-01-07" });
    await expectFolded(w.store);
  });

  test("leaves the next issue deleted if somebody deleted it by hand", async () => {
    const { w, first, series, close, undo, at } = await weekly();
    const next = await close(first.uid);
    w.clock.advance(1000);
    await w.call(deleteIssue, {
      params: at(next?.uid ?? ""),
      headers: { "x-svc-confirm": `DELETE web#${next?.short_id}` },
      body: { actor: "ann" },
    });
    await undo();
    expect(await series()).toMatchObject({ next_occurrence_key: "2026-01-12" });
    expect(await close(first.uid, CYD.actor)).toBeUndefined();
    expect(await series()).toMatchObject({ next_occurrence_key: "2026-01-19" });
    await expectFolded(w.store);
  });
});
