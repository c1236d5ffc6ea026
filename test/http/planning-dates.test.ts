import { expect, test } from "vitest";
import { issuePlanningDates } from "../../src/contract/planning.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

describeStore("planning dates", (open) => {
  test.each([
    ["2026-03-08T02:30", "America/New_York", "2026-03-08T07:00:00Z"],
    ["2026-03-08T01:59:59", "America/New_York", "2026-03-08T06:59:59Z"],
    ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00Z"],
    ["2011-12-30T12:00", "Pacific/Apia", "2011-12-30T10:00:00Z"],
    ["2026-09-01", "America/Los_Angeles", "2026-09-01T07:00:00Z"],
    ["2026-09-01", "Asia/Tokyo", "2026-08-31T15:00:00Z"],
    ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00Z"],
    ["2026-10-04T02:00", "Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
    ["2026-09-01T09:00", "Asia/Kathmandu", "2026-09-01T03:15:00Z"],
  ])("the date %s in the zone %s is the instant %s", async (value, timezone, instant) => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ metadata: { scheduled_on: value, timezone } });
    expect(await w.call(issuePlanningDates, { params: issue.path })).toEqual({
      project_id: issue.project_id,
      issue_uid: issue.uid,
      revision: issue.revision,
      scheduled_on: { field: "scheduled_on", value, timezone, instant },
      deadline_on: null,
    });
  });

  test.each([
    ["2026-09-01T09:00:00Z", "UTC", "2026-09-01T09:00:00Z"],
    ["2026-09-01T09:00:00.5Z", "UTC", "2026-09-01T09:00:00.500Z"],
    ["2026-09-01T09:00", "Asia/Tokyo", "2026-09-01T00:00:00Z"],
  ])("the date %s of an issue without a zone is read in %s", async (value, timezone, instant) => {
    const w = await world({ store: open, settings: { timezone: "Asia/Tokyo" } });
    const { path: params } = await w.given.issue({ metadata: { deadline_on: value } });
    const { scheduled_on, deadline_on } = await w.call(issuePlanningDates, { params });
    expect(scheduled_on).toBeNull();
    expect(deadline_on).toEqual({ field: "deadline_on", value, timezone, instant });
  });

  test("a date with an offset is read by that offset alone", async () => {
    const w = await world({ store: open });
    const metadata = { scheduled_on: "2026-09-01T09:00:00Z", timezone: "Asia/Tokyo" };
    const { path: params } = await w.given.issue({ metadata });
    const { scheduled_on } = await w.call(issuePlanningDates, { params });
    expect(scheduled_on).toMatchObject({ timezone: "UTC", instant: "2026-09-01T09:00:00Z" });
  });

  test.each([
    ["scheduled_on", "soon"],
    ["deadline_on", 20260901],
    ["deadline_on", "2026-02-30"],
  ])("a stored %s of %j is reported as invalid", async (key, value) => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await w.append({
      type: "issue.metadata_updated",
      actor: "an older program",
      project_uid: issue.project_uid ?? "",
      issue_uid: issue.uid,
      payload: { diff: { [key]: { to: value } }, revision_new: 2, updated_at: w.clock.now() },
    });
    const refused = await w.refused(issuePlanningDates, { params: issue.path });
    expect(refused).toMatchObject({ code: "invalid_metadata_value", data: { key } });
  });

  test("the planning dates of a deleted issue are shown only on request", async () => {
    const w = await world({ store: open });
    const { path: params, ...issue } = await w.given.issue();
    await w.given.deleted(issue);
    const read = await w.call(issuePlanningDates, { params, query: { include_deleted: true } });
    expect(read).toMatchObject({ issue_uid: issue.uid, scheduled_on: null });
    expect((await w.refused(issuePlanningDates, { params })).code).toBe("issue_not_found");
    const elsewhere = { ...params, project_id: 99 };
    const refused = await w.refused(issuePlanningDates, { params: elsewhere });
    expect(refused.code).toBe("project_not_found");
  });
});
