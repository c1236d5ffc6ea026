import { describe, expect, test } from "vitest";
import { closeIssue, reopenIssue } from "../../src/contract/actions.ts";
import { patchIssueMetadata, showIssue } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { issuePlanningDates } from "../../src/contract/planning.ts";
import { mergeProject, purgeProject, removeProject } from "../../src/contract/project-actions.ts";
import {
  createRecurrence,
  deleteRecurrence,
  listRecurrences,
  patchRecurrence,
  showRecurrence,
} from "../../src/contract/recurrences.ts";
import { deleteIssue, moveIssue, purgeIssue } from "../../src/contract/removal.ts";
import type { Input } from "../../src/contract/route.ts";
import { readyIssues, whyIssue } from "../../src/contract/search.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type Body = Input<typeof createRecurrence>["body"];

const WEEKLY = {
  rrule: "FREQ=WEEKLY",
  dtstart: "2026-01-05",
  timezone: "Europe/Berlin",
  template: { title: "water the plants" },
} satisfies Omit<Body, "actor">;

describeStore("series of issues", (open) => {
  /** Makes a series with its first issue. */
  async function series(fields: Partial<Body> = {}, settings = {}) {
    const w = await world({ store: open, settings });
    const project = await w.given.project();
    const first = await w.given.issue({ project, title: "the first" });
    const { recurrence } = await w.call(createRecurrence, {
      params: project.path,
      body: { ...WEEKLY, initial_issue_ref: first.short_id, ...fields },
    });
    const path = { ...project.path, recurrence_uid: recurrence.uid };
    const show = async () => (await w.call(showRecurrence, { params: path })).recurrence;
    return { w, project, first, recurrence, path, show };
  }

  const done = async (w: World, on: { readonly path: { project_id: number; ref: string } }) =>
    await w.call(closeIssue, { params: on.path, body: { source: "tui" } });

  /** Closes an issue as done, and returns the issue that was created next. */
  async function next(w: World, on: { readonly path: { project_id: number; ref: string } }) {
    const { next_issue } = await done(w, on);
    if (next_issue === undefined) throw new Error("no issue came next");
    const path = { project_id: on.path.project_id, ref: next_issue.uid };
    const { issue } = await w.call(showIssue, { params: path });
    return { ...issue, path };
  }

  const seriesKinds = async (w: World) =>
    (await w.events()).map(({ type }) => type).filter((type) => type.startsWith("recurrence."));

  test("series begin in the future with all their settings", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const response = await w.send(createRecurrence, {
      params: project.path,
      body: {
        rrule: " rrule:freq=weekly;byday=mo,th ",
        dtstart: "2026-01-06",
        timezone: "Asia/Tokyo",
        template: {
          title: "water the plants",
          body: "all of them",
          owner: "bea",
          priority: 2,
          labels: [" Home ", "b", "home"],
          metadata: { area: "garden" },
        },
      },
    });
    expect(response.status).toBe(201);
    expect(response.headers.get("etag")).toBe('"rev-1"');
    const { recurrence } = createRecurrence.response().parse(await response.json());
    expect(recurrence).toMatchObject({
      project_id: project.id,
      rrule: "FREQ=WEEKLY;BYDAY=MO,TH",
      dtstart: "2026-01-06",
      timezone: "Asia/Tokyo",
      template_title: "water the plants",
      template_body: "all of them",
      template_owner: "bea",
      template_priority: 2,
      template_labels: ["b", "home"],
      template_metadata: { area: "garden" },
      next_occurrence_key: "2026-01-08",
      author: "ann",
      revision: 1,
    });
    expect(recurrence).not.toHaveProperty("last_materialized_uid");
    const params = { ...project.path, recurrence_uid: recurrence.uid.toLowerCase() };
    const shown = await w.send(showRecurrence, { params });
    expect(shown.headers.get("etag")).toBe('"rev-1"');
    expect(await shown.json()).toEqual({ recurrence });
    expect(await seriesKinds(w)).toEqual(["recurrence.created"]);
    await expectFolded(w.store);
  });

  test("series can start with an existing issue, which gets a date, a zone and its place in the series", async () => {
    const { w, first, recurrence } = await series();
    expect(recurrence).toMatchObject({
      next_occurrence_key: "2026-01-12",
      last_materialized_uid: first.uid,
    });
    const { issue } = await w.call(showIssue, { params: first.path });
    expect(issue).toMatchObject({
      recurrence_id: recurrence.id,
      recurrence_uid: recurrence.uid,
      occurrence_key: "2026-01-05",
      metadata: { scheduled_on: "2026-01-05", timezone: "Europe/Berlin" },
      revision: 2,
    });
    expect(await w.eventKinds()).toEqual(["issue.created", "issue.metadata_updated"]);
    await expectFolded(w.store);
  });

  test("series create the next issue when one is closed as done, in the same transaction", async () => {
    const template = {
      title: "water the plants",
      body: "all of them",
      owner: "bea",
      priority: 1,
      labels: ["home"],
      metadata: { area: "garden", scheduled_on: "2020-01-01" },
    };
    const { w, project, first, path, recurrence, show } = await series({ template });
    const before = (await w.events()).length;
    const { next_issue } = await w.call(closeIssue, {
      params: first.path,
      body: { source: "tui", actor: "cyd" },
    });
    const params = { ...project.path, ref: next_issue?.uid ?? "" };
    const { issue } = await w.call(showIssue, { params });
    expect(issue).toMatchObject({
      title: "water the plants",
      body: "all of them",
      status: "open",
      owner: "bea",
      priority: 1,
      labels: ["home"],
      author: "cyd",
      metadata: { area: "garden", scheduled_on: "2026-01-12", timezone: "Europe/Berlin" },
      recurrence_id: recurrence.id,
      occurrence_key: "2026-01-12",
      revision: 1,
    });
    expect(next_issue).toEqual({
      uid: issue.uid,
      short_id: issue.short_id,
      qualified_id: `web#${issue.short_id}`,
      title: issue.title,
      occurrence_key: "2026-01-12",
    });
    expect(await show()).toMatchObject({
      next_occurrence_key: "2026-01-19",
      last_materialized_uid: issue.uid,
      revision: 2,
    });
    const events = (await w.events()).slice(before);
    expect(events.map(({ type, actor }) => [type, actor])).toEqual([
      ["issue.closed", "cyd"],
      ["issue.created", "cyd"],
      ["recurrence.materialized", "cyd"],
    ]);
    expect(events[1]?.payload).toMatchObject({
      recurrence_uid: path.recurrence_uid,
      occurrence_key: "2026-01-12",
    });
    expect(new Set(events.map(({ created_at }) => created_at)).size).toBe(1);
    await expectFolded(w.store);
  });

  test("series keep numbers of the template as they were spelled", async () => {
    const { w, project, first } = await series();
    const text = `{"rrule":"FREQ=DAILY","dtstart":"2026-01-05","timezone":"UTC","actor":"ann",
      "initial_issue_ref":"${(await w.given.issue({ project })).uid}",
      "template":{"title":"t","metadata":{"n":12345678901234567890,"f":1.0}}}`;
    const path = `/api/v1/projects/${project.id}`;
    const post = async (where: string, body: string) => {
      const headers = { "content-type": "application/json" };
      const url = `http://localhost${path}${where}`;
      return await (await w.app.fetch(new Request(url, { method: "POST", headers, body }))).text();
    };
    const made = await post("/recurrences", text);
    expect(made).toContain('"template_metadata":{"f":1.0,"n":12345678901234567890}');
    const initial: string = JSON.parse(made).recurrence.last_materialized_uid;
    await post(`/issues/${initial}/actions/close`, '{"source":"tui","actor":"ann"}');
    const listed = await w.app.fetch(new Request(`http://localhost${path}/issues?status=open`));
    expect(await listed.text()).toContain('"f":1.0,"n":12345678901234567890');
    await done(w, first);
    await expectFolded(w.store);
  });

  test.each(["wontfix", "audit-no-change"] as const)(
    "series create no issue when one is closed as %s",
    async (reason) => {
      const { w, first, show } = await series();
      const message = "it is not needed any more, the plants were given away to friends long ago";
      const evidence =
        reason === "wontfix" ? [] : [{ type: "no-change-audit" as const, rationale: "looked" }];
      const closed = await w.call(closeIssue, {
        params: first.path,
        body: { reason, message, evidence },
      });
      expect(closed).toMatchObject({ changed: true });
      expect(closed).not.toHaveProperty("next_issue");
      expect((await show()).revision).toBe(1);
    },
  );

  test("series create no issue on a dry run", async () => {
    const { w, first } = await series();
    const body = { source: "tui", dry_run: true } as const;
    const answer = await w.call(closeIssue, { params: first.path, body });
    expect(answer).toMatchObject({ changed: false, event: null });
    expect(await seriesKinds(w)).toEqual(["recurrence.created"]);
  });

  test("series create one issue if a close is repeated under its key, and if several actors close at once", async () => {
    const { w, project, first } = await series();
    const keyed = {
      params: first.path,
      headers: { "idempotency-key": "k" },
      body: { source: "tui", retry_protocol: "close-v1" },
    } as const;
    const answers = await Promise.all([1, 2, 3].map(async () => await w.call(closeIssue, keyed)));
    expect(answers.filter(({ next_issue }) => next_issue !== undefined)).toHaveLength(1);
    expect(answers.filter(({ reused }) => reused === true)).toHaveLength(2);
    expect(await seriesKinds(w)).toEqual(["recurrence.created", "recurrence.materialized"]);
    const ready = await w.call(readyIssues, { params: project.path });
    expect(ready.issues).toHaveLength(0);
  });

  test("series skip a day that already has its issue, even a deleted one, with an event", async () => {
    const { w, first, show } = await series();
    const second = await next(w, first);
    const name = `web#${second.short_id}`;
    await w.call(deleteIssue, {
      params: second.path,
      headers: { "x-svc-confirm": `DELETE ${name}` },
    });
    await w.call(reopenIssue, { params: first.path });
    expect(await done(w, first)).not.toHaveProperty("next_issue");
    const skipped = (await w.events()).at(-1);
    expect(skipped).toMatchObject({
      type: "recurrence.materialization_skipped",
      related_issue_uid: second.uid,
      payload: {
        occurrence_key: "2026-01-12",
        existing_issue_uid: second.uid,
        reason: "already_exists",
      },
    });
    // The series had passed that day already.
    expect(await show()).toMatchObject({ next_occurrence_key: "2026-01-19", revision: 2 });
    await expectFolded(w.store);
  });

  test("series go on after their next day if that day already has its issue", async () => {
    const { w, first, path, show } = await series();
    const second = await next(w, first);
    // The rule is moved back to the day of the second issue, which is the next day after the first.
    await w.append({
      type: "recurrence.updated",
      actor: "ann",
      project_uid: first.project_uid ?? "",
      payload: {
        recurrence_uid: path.recurrence_uid,
        diff: { next_occurrence_key: { from: "2026-01-19", to: "2026-01-12" } },
        revision_new: 3,
        updated_at: w.clock.now(),
      },
    });
    await w.call(reopenIssue, { params: first.path });
    await done(w, first);
    expect(await show()).toMatchObject({
      next_occurrence_key: "2026-01-19",
      last_materialized_uid: second.uid,
      revision: 4,
    });
    await expectFolded(w.store);
  });

  test("series end when their rule gives no further day", async () => {
    const { w, first, show } = await series({ rrule: "FREQ=WEEKLY;COUNT=2" });
    const second = await next(w, first);
    expect(await show()).toMatchObject({ next_occurrence_key: null, revision: 2 });
    expect(await done(w, second)).not.toHaveProperty("next_issue");
    expect(await show()).toMatchObject({ next_occurrence_key: null, revision: 2 });
    expect(await seriesKinds(w)).toEqual(["recurrence.created", "recurrence.materialized"]);
    await expectFolded(w.store);
  });

  test("series of a single day are finished when they begin", async () => {
    const { recurrence } = await series({ rrule: "FREQ=DAILY;COUNT=1" });
    expect(recurrence.next_occurrence_key).toBeNull();
  });

  test("series create their issues in the target project after a merge", async () => {
    const { w, project, first, path, recurrence } = await series();
    const target = await w.given.project("shop");
    const body = { source_project_id: project.id };
    await w.call(mergeProject, { params: target.path, body });
    const moved = { ...target.path, recurrence_uid: path.recurrence_uid };
    expect((await w.call(showRecurrence, { params: moved })).recurrence).toEqual({
      ...recurrence,
      project_id: target.id,
    });
    const second = await next(w, { path: { ...target.path, ref: first.uid } });
    expect(second).toMatchObject({ project_id: target.id, recurrence_id: recurrence.id });
    await expectFolded(w.store);
  });

  test("series continue when one of their issues was purged, and are removed with their project", async () => {
    const { w, project, first, show } = await series();
    const second = await next(w, first);
    const confirm = { "x-svc-confirm": `PURGE web#${first.short_id}` };
    await w.call(purgeIssue, { params: first.path, headers: confirm });
    await expectFolded(w.store);
    const third = await next(w, second);
    expect(third.occurrence_key).toBe("2026-01-19");
    const gone = { "x-svc-confirm": `PURGE web#${third.short_id}` };
    await w.call(purgeIssue, { params: third.path, headers: gone });
    expect(await show()).toMatchObject({
      last_materialized_uid: third.uid,
      next_occurrence_key: "2026-01-26",
    });
    await expectFolded(w.store);
    await w.call(removeProject, { params: project.path, query: { force: true } });
    const headers = { "x-svc-confirm": "PURGE web" };
    await w.call(purgeProject, { params: project.path, headers });
    const left = await w.store.read(async (reader) => await reader.recurrences.list(project.uid));
    expect(left).toEqual([]);
    await expectFolded(w.store);
  });

  test("series prevent their issues from moving to another project, even after they ended", async () => {
    const { w, first, path } = await series();
    const shop = await w.given.project("shop");
    const move = async () =>
      await w.refused(moveIssue, {
        params: first.path,
        headers: { "if-match": '"rev-2"' },
        body: { to_project_uid: shop.uid },
      });
    const pinned = { code: "recurrence_pinned", data: { recurrence_uid: path.recurrence_uid } };
    expect(await move()).toMatchObject(pinned);
    await w.call(deleteRecurrence, { params: path, headers: { "if-match": '"rev-1"' } });
    expect(await move()).toMatchObject(pinned);
  });

  test("series are listed newest first, and not after they are deleted", async () => {
    const { w, first, project, path, recurrence } = await series();
    w.clock.advance(1000);
    const later = await w.call(createRecurrence, { params: project.path, body: WEEKLY });
    const list = async () => (await w.call(listRecurrences, { params: project.path })).recurrences;
    expect(await list()).toEqual([later.recurrence, recurrence]);
    const headers = { "if-match": '"rev-1"' };
    expect((await w.send(deleteRecurrence, { params: path, headers })).status).toBe(204);
    expect(await list()).toEqual([later.recurrence]);
    expect(await w.refused(showRecurrence, { params: path })).toMatchObject({ code: "not_found" });
    const again = await w.refused(deleteRecurrence, { params: path, headers });
    expect(again).toMatchObject({ code: "not_found" });
    // The issue of the deleted series stays, and closing it creates no further issue.
    expect(await done(w, first)).not.toHaveProperty("next_issue");
    await expectFolded(w.store);
  });

  describe("can be changed", () => {
    const revision = { "if-match": '"rev-1"' };

    test("series can be changed field by field, and continue after their last issue", async () => {
      const { w, first, path } = await series();
      await next(w, first);
      const response = await w.send(patchRecurrence, {
        params: path,
        headers: { "if-match": '"rev-2"' },
        body: {
          rrule: "FREQ=DAILY",
          template: { title: "feed the cat", owner: "bea", priority: 0, labels: ["cat"] },
        },
      });
      expect(response.headers.get("etag")).toBe('"rev-3"');
      const answer = patchRecurrence.response().parse(await response.json());
      expect(answer).toMatchObject({
        changed: true,
        recurrence: {
          rrule: "FREQ=DAILY",
          dtstart: "2026-01-05",
          template_title: "feed the cat",
          template_owner: "bea",
          template_priority: 0,
          template_labels: ["cat"],
          next_occurrence_key: "2026-01-13",
          revision: 3,
        },
      });
      expect((await w.events()).at(-1)?.payload).toMatchObject({
        revision_new: 3,
        diff: {
          rrule: { from: "FREQ=WEEKLY", to: "FREQ=DAILY" },
          template_owner: { to: "bea" },
          next_occurrence_key: { from: "2026-01-19", to: "2026-01-13" },
        },
      });
      await expectFolded(w.store);
    });

    test("the owner and the priority of series can be removed", async () => {
      const template = { title: "a", owner: "bea", priority: 1 };
      const { w, path } = await series({ template });
      const { recurrence } = await w.call(patchRecurrence, {
        params: path,
        headers: revision,
        body: { template: { clear_owner: true, clear_priority: true } },
      });
      expect(recurrence).not.toHaveProperty("template_owner");
      expect(recurrence).not.toHaveProperty("template_priority");
      await expectFolded(w.store);
    });

    test("a change of series to the present values makes no event and no revision", async () => {
      const template = { title: "a", labels: ["b"], metadata: { c: 1 } };
      const { w, path, recurrence } = await series({ template });
      for (const body of [
        {},
        { rrule: "freq=weekly", dtstart: "2026-01-05", timezone: "Europe/Berlin" },
        { template: { title: "a", body: "", owner: "", labels: ["B", "b"], metadata: { c: 1 } } },
        { template: { clear_owner: true } },
      ]) {
        const answer = await w.call(patchRecurrence, { params: path, headers: revision, body });
        expect(answer).toEqual({ recurrence, changed: false });
      }
      expect(await seriesKinds(w)).toEqual(["recurrence.created"]);
    });

    test("changed series end if the new rule gives no day after the last issue", async () => {
      const { w, first, path } = await series();
      await next(w, first);
      const { recurrence } = await w.call(patchRecurrence, {
        params: path,
        headers: { "if-match": '"rev-2"' },
        body: { rrule: "FREQ=WEEKLY;UNTIL=20260112" },
      });
      expect(recurrence.next_occurrence_key).toBeNull();
      const { recurrence: longer } = await w.call(patchRecurrence, {
        params: path,
        headers: { "if-match": '"rev-3"' },
        body: { rrule: "FREQ=WEEKLY;UNTIL=20260119" },
      });
      expect(longer.next_occurrence_key).toBe("2026-01-19");
      await expectFolded(w.store);
    });

    test("the first day of series can be changed as long as they have not started", async () => {
      const w = await world({ store: open });
      const project = await w.given.project();
      const made = await w.call(createRecurrence, { params: project.path, body: WEEKLY });
      const { recurrence } = await w.call(patchRecurrence, {
        params: { ...project.path, recurrence_uid: made.recurrence.uid },
        headers: revision,
        body: { dtstart: "2027-03-01" },
      });
      expect(recurrence.next_occurrence_key).toBe("2027-03-01");
    });

    test("the zone of series can be changed, and decides when issues without a zone are ready", async () => {
      const { w, first, path, project } = await series({ dtstart: "2026-01-02" });
      const patch = { timezone: null };
      await w.call(patchIssueMetadata, { params: first.path, body: { patch } });
      const planned = async () =>
        (await w.call(issuePlanningDates, { params: first.path })).scheduled_on;
      expect(await planned()).toMatchObject({
        timezone: "Europe/Berlin",
        instant: "2026-01-01T23:00:00Z",
      });
      await expectFolded(w.store);
      const body = { timezone: "Pacific/Kiritimati" };
      await w.call(patchRecurrence, { params: path, headers: revision, body });
      expect(await planned()).toMatchObject({ instant: "2026-01-01T10:00:00Z" });
      await expectFolded(w.store);
      const ready = async () =>
        (await w.call(readyIssues, { params: project.path })).issues.map(({ uid }) => uid);
      w.clock.advance(9 * 3_600_000);
      expect(await ready()).toEqual([]);
      expect(await w.call(whyIssue, { params: first.path })).toMatchObject({
        reasons: [{ reason: "scheduled", until: "2026-01-01T10:00:00.000Z" }],
      });
      w.clock.advance(3_600_000);
      expect(await ready()).toEqual([first.uid]);
    });
  });

  test("series decide in which zone the scheduled date of their issue is read, but not its deadline", async () => {
    const { w, first } = await series({}, { timezone: "Asia/Tokyo" });
    const patch = { timezone: null, deadline_on: "2026-02-01" };
    await w.call(patchIssueMetadata, { params: first.path, body: { patch } });
    expect(await w.call(issuePlanningDates, { params: first.path })).toMatchObject({
      scheduled_on: { timezone: "Europe/Berlin", instant: "2026-01-04T23:00:00Z" },
      deadline_on: { timezone: "Asia/Tokyo", instant: "2026-01-31T15:00:00Z" },
    });
    await w.call(patchIssueMetadata, {
      params: first.path,
      body: { patch: { timezone: "America/New_York" } },
    });
    expect(await w.call(issuePlanningDates, { params: first.path })).toMatchObject({
      scheduled_on: { timezone: "America/New_York", instant: "2026-01-05T05:00:00Z" },
    });
  });

  describe("are refused", () => {
    test.each<[string, object, object]>([
      ["a bad rule", { rrule: "FREQ=BOGUS" }, { code: "validation", data: { field: "rrule" } }],
      ["a blank rule", { rrule: " " }, { code: "validation", data: { field: "rrule" } }],
      [
        "a rule without a day",
        { rrule: "FREQ=WEEKLY;UNTIL=20260104" },
        { code: "validation", data: { field: "rrule" } },
      ],
      [
        "a day that is none",
        { dtstart: "2026-02-30" },
        { code: "validation", data: { field: "dtstart" } },
      ],
      [
        "an instant for a day",
        { dtstart: "2026-02-03T00:00" },
        { code: "validation", data: { field: "dtstart" } },
      ],
      [
        "a day too early",
        { dtstart: "1969-12-31" },
        { code: "validation", data: { field: "dtstart" } },
      ],
      [
        "no zone",
        { timezone: "Mars/Olympus" },
        { code: "validation", data: { field: "timezone" } },
      ],
      ["an offset", { timezone: "+01:00" }, { code: "validation", data: { field: "timezone" } }],
      ["a blank title", { template: { title: " " } }, { code: "validation" }],
      ["a title too long", { template: { title: "x".repeat(1025) } }, { code: "validation" }],
      ["a label", { template: { title: "a", labels: ["no way"] } }, { code: "validation" }],
      ["a label of dots", { template: { title: "a", labels: [".."] } }, { code: "validation" }],
      [
        "a long label",
        { template: { title: "a", labels: ["x".repeat(65)] } },
        { code: "validation" },
      ],
      ["a priority", { template: { title: "a", priority: 5 } }, { code: "validation" }],
      ["metadata", { template: { title: "a", metadata: [] } }, { code: "validation" }],
      ["an unknown field", { template: { title: "a", parent: "b" } }, { code: "validation" }],
      [
        "a null in metadata",
        { template: { title: "a", metadata: { b: null } } },
        { code: "invalid_metadata_value", data: { key: "b" } },
      ],
      [
        "a bad reserved value",
        { template: { title: "a", metadata: { someday: false } } },
        { code: "invalid_metadata_value", data: { key: "someday" } },
      ],
      [
        "a key of the system",
        { template: { title: "a", metadata: { "cron.occurrence": "x" } } },
        { code: "invalid_metadata_value", data: { key: "cron.occurrence" } },
      ],
      [
        "a prefix of the system",
        { template: { title: "a", metadata: { "cron.progress.x": {} } } },
        { code: "invalid_metadata_value", data: { key: "cron.progress.x" } },
      ],
      [
        "a first issue that does not exist",
        { initial_issue_ref: "zzzz" },
        { code: "issue_not_found" },
      ],
    ])("series with an invalid value (%s) are not stored", async (_what, fields, error) => {
      const w = await world({ store: open });
      const project = await w.given.project();
      const before = await w.events();
      const body = { ...WEEKLY, ...fields } as Body;
      expect(await w.refused(createRecurrence, { params: project.path, body })).toMatchObject(
        error,
      );
      expect(await w.events()).toEqual(before);
    });

    test("series with the longest title and label and every priority are accepted", async () => {
      const w = await world({ store: open });
      const project = await w.given.project();
      for (const template of [
        { title: "x".repeat(1024), labels: ["x".repeat(64)] },
        { title: "a", priority: 0 },
        { title: "a", priority: 4 },
      ]) {
        const body = { ...WEEKLY, dtstart: "1970-01-01", template };
        const { recurrence } = await w.call(createRecurrence, { params: project.path, body });
        expect(recurrence).toMatchObject({
          template_title: template.title,
          ...(template.priority === undefined ? {} : { template_priority: template.priority }),
        });
      }
    });

    test("series are refused for an issue of another series, a closed one, and one that another actor has leased", async () => {
      const { w, project, first } = await series();
      const create = async (ref: string) =>
        await w.refused(createRecurrence, {
          params: project.path,
          body: { ...WEEKLY, initial_issue_ref: ref },
        });
      expect(await create(first.uid)).toMatchObject({ code: "conflict" });
      const closed = await w.given.issue({ project });
      await w.given.closed(closed);
      expect(await create(closed.uid)).toMatchObject({ code: "conflict" });
      const leased = await w.given.issue({ project });
      await w.call(acquireIssueLease, {
        params: leased.path,
        body: { actor: "bea", claim_kind: "timed", ttl_seconds: 60 },
      });
      expect(await create(leased.uid)).toMatchObject({ code: "claim_denied" });
      w.clock.advance(61_000);
      const own = await w.given.issue({ project });
      await w.call(acquireIssueLease, {
        params: own.path,
        body: { claim_kind: "timed", ttl_seconds: 60 },
      });
      w.clock.advance(61_000);
      expect(await create(own.uid)).toMatchObject({ code: "claim_expired" });
      await expectFolded(w.store);
    });

    test("a change or a deletion of series that does not name the revision is refused", async () => {
      const { w, path } = await series();
      const both = [
        async (headers: object) => await w.refused(patchRecurrence, { params: path, headers }),
        async (headers: object) => await w.refused(deleteRecurrence, { params: path, headers }),
      ];
      for (const refused of both) {
        const missing = { code: "validation", data: { field: "If-Match" } };
        expect(await refused({})).toMatchObject(missing);
        for (const tag of ["*", "rev-1", 'W/"rev-1"', '"1"'])
          expect(await refused({ "if-match": tag })).toMatchObject(missing);
        expect(await refused({ "if-match": '"rev-2"' })).toMatchObject({
          code: "revision_conflict",
          message: "recurrence revision is 1",
          data: { revision: 1 },
        });
      }
    });

    test.each<[string, object, object]>([
      ["a bad rule", { rrule: "INTERVAL=0" }, { code: "validation" }],
      ["a rule without a day", { rrule: "FREQ=DAILY;UNTIL=20200101" }, { code: "validation" }],
      ["a day", { dtstart: "soon" }, { code: "validation" }],
      ["a zone", { timezone: "" }, { code: "validation" }],
      ["a title", { template: { title: "" } }, { code: "validation" }],
      ["owner and none", { template: { owner: "a", clear_owner: true } }, { code: "validation" }],
      [
        "priority and none",
        { template: { priority: 1, clear_priority: true } },
        { code: "validation" },
      ],
      [
        "metadata",
        { template: { metadata: { "cron.progress.a": 1 } } },
        { code: "invalid_metadata_value" },
      ],
    ])("a change of series to an invalid value (%s) is refused", async (_what, body, error) => {
      const { w, path, recurrence, show } = await series();
      const headers = { "if-match": '"rev-1"' };
      expect(await w.refused(patchRecurrence, { params: path, headers, body })).toMatchObject(
        error,
      );
      expect(await show()).toEqual(recurrence);
    });

    test("a request is refused when the project or the series is missing, or the series belongs to another project", async () => {
      const { w, path } = await series();
      const other = await w.given.project("other");
      const headers = { "if-match": '"rev-1"' };
      for (const [params, code] of [
        [{ ...path, project_id: 99 }, "project_not_found"],
        [{ ...path, project_id: other.id }, "not_found"],
        [{ ...path, recurrence_uid: "01J00000000000000000000000" }, "not_found"],
        [{ ...path, recurrence_uid: "nonsense" }, "not_found"],
      ] as const) {
        expect(await w.refused(showRecurrence, { params })).toMatchObject({ code });
        expect(await w.refused(patchRecurrence, { params, headers })).toMatchObject({ code });
        expect(await w.refused(deleteRecurrence, { params, headers })).toMatchObject({ code });
      }
      const params = { project_id: 99 };
      const gone = { code: "project_not_found" };
      expect(await w.refused(listRecurrences, { params })).toMatchObject(gone);
      expect(await w.refused(createRecurrence, { params, body: WEEKLY })).toMatchObject(gone);
    });
  });

  test("an issue whose series does not exist on this daemon closes like any other issue", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const uid = w.ids.ulid();
    // An event as it would come from a hub, which exchanges the issues of a series but not the series.
    await w.append({
      type: "issue.created",
      actor: "bea",
      project_uid: project.uid,
      issue_uid: uid,
      payload: {
        uid,
        short_id: "ab3d",
        title: "from elsewhere",
        body: "",
        author: "bea",
        status: "open",
        metadata: {},
        created_at: w.clock.now(),
        recurrence_uid: w.ids.ulid(),
        occurrence_key: "2026-01-05",
      },
    });
    const path = { ...project.path, ref: "ab3d" };
    const { issue } = await w.call(showIssue, { params: path });
    expect(issue.occurrence_key).toBe("2026-01-05");
    expect(issue).not.toHaveProperty("recurrence_id");
    expect(await done(w, { path })).toMatchObject({ changed: true });
    await w.call(addLabel, { params: path, body: { label: "a" } });
    await expectFolded(w.store);
  });
});
