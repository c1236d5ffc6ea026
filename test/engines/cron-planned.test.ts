import { expect, test } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import { createCronJob } from "../../src/contract/cron-jobs.ts";
import { previewCronJob } from "../../src/contract/cron-ledger.ts";
import { issuePlanningDates } from "../../src/contract/planning.ts";
import { but, D, X } from "../domain/cron/bases.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";

/** Makes an issue with dates. Returns what a job with that trigger would do next. */
async function datedWorld(open: OpenTestStore, metadata: object, trigger: object) {
  const w = await world({ store: open, settings: { timezone: "Asia/Tokyo" } });
  const issue = await w.given.issue({ metadata: metadata as never });
  const params = { project_id: issue.project_id };
  const own = { issue_uid: issue.uid, ...trigger };
  const { kind } = { kind: "", ...trigger };
  const definition =
    kind === "issue-deadline"
      ? but(D, { trigger: own })
      : but(X, {
          trigger: kind === "once" ? trigger : own,
          issue: { kind: "existing", uid: issue.uid },
        });
  const body = { name: "job", definition: definition as never };
  const { job } = await w.call(createCronJob, { params, body });
  const path = { ...params, cron_uid: job.uid };
  const next = async () => {
    const { job: head, occurrences } = await w.call(previewCronJob, { params: path });
    return occurrences.map(({ at, local }) => [at, local, head.timezone]);
  };
  return { ...w, issue, next };
}

const BERLIN = { timezone: "Europe/Berlin" };
const scheduled = { kind: "issue-scheduled" };
const deadline = { kind: "issue-deadline" };

describeStore("a job that is triggered by a date", (open) => {
  test.each<[string, object, object, readonly string[]]>([
    [
      "its scheduled date, in the issue's zone",
      { scheduled_on: "2026-03-01T09:00", ...BERLIN },
      scheduled,
      ["2026-03-01T08:00:00Z", "2026-03-01T09:00:00", "Europe/Berlin"],
    ],
    [
      "its deadline, in the daemon's zone",
      { deadline_on: "2026-03-01" },
      deadline,
      ["2026-02-28T15:00:00Z", "2026-03-01T00:00:00", "Asia/Tokyo"],
    ],
    [
      "the lead time before its deadline",
      { deadline_on: "2026-03-01T09:00:00Z" },
      { ...deadline, lead_seconds: 1800 },
      ["2026-03-01T08:30:00Z", "2026-03-01T08:30:00", "UTC"],
    ],
    [
      "its own instant",
      {},
      { kind: "once", at: "2026-03-01T09:00:00+02:00", timezone: "Europe/Berlin" },
      ["2026-03-01T07:00:00Z", "2026-03-01T08:00:00", "Europe/Berlin"],
    ],
  ])("is due at %s, and only once", async (_, metadata, trigger, expected) => {
    const w = await datedWorld(open, metadata, trigger);
    expect(await w.next()).toEqual([expected]);
    w.clock.advance(instantToMs(expected[0] ?? "") - w.clock.nowMs() - 1);
    expect(await w.next()).toHaveLength(1);
    w.clock.advance(1);
    expect(await w.next()).toEqual([]);
  });

  test("is due at the instant that the planning dates of its issue give", async () => {
    const w = await datedWorld(open, { scheduled_on: "2026-03-29T02:30", ...BERLIN }, scheduled);
    const { scheduled_on } = await w.call(issuePlanningDates, { params: w.issue.path });
    expect((await w.next())[0]?.[0]).toBe(scheduled_on?.instant);
  });

  test("follows the date, and is not due while the date or the issue is missing", async () => {
    const w = await datedWorld(open, { scheduled_on: "2026-03-01" }, scheduled);
    await w.given.metadata(w.issue, { scheduled_on: "2026-04-01" });
    expect((await w.next())[0]?.[0]).toBe("2026-03-31T15:00:00Z");
    await w.given.metadata(w.issue, { scheduled_on: null, deadline_on: "2026-05-01" });
    expect(await w.next()).toEqual([]);
    await w.given.metadata(w.issue, { scheduled_on: "2026-04-01" });
    await w.given.deleted(w.issue);
    expect(await w.next()).toEqual([]);
  });
});
