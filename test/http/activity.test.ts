import { expect, test } from "vitest";
import { type Clock, instantToMs, msToInstant } from "../../src/base/clock.ts";
import { assignIssue, closeIssue, reopenIssue } from "../../src/contract/actions.ts";
import {
  auditCloses,
  digestGlobal,
  digestProject,
  listIssueEvents,
} from "../../src/contract/activity.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { renameProject } from "../../src/contract/projects.ts";
import { digestGlobal as digestOp } from "../../src/ops/activity/digest.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

const START = "2026-01-01T00:00:00.000Z";
const MESSAGE = "The parser now keeps the last line of a file that ends without a newline.";
const COMMIT = { type: "commit" as const, sha: "1f2e3d4" };

describeStore("log of one issue", (open) => {
  test("the log of an issue lists its events and the events that mention it, in order, page by page", async () => {
    const w = await world({ store: open });
    const [issue, other] = [await w.given.issue(), await w.given.issue({ title: "other" })];
    await w.given.comment({ on: issue });
    await w.given.comment({ on: other });
    await w.given.link(other, "blocks", issue);
    await w.given.closed(issue);
    const params = issue.path;
    const all = await w.call(listIssueEvents, { params });
    expect(all.events.map(({ type }) => type)).toEqual([
      "issue.created",
      "issue.commented",
      "issue.linked",
      "issue.closed",
    ]);
    expect(all.next_after_id).toBe(all.events.at(-1)?.event_id);
    const first = await w.call(listIssueEvents, { params, query: { limit: 3 } });
    const rest = await w.call(listIssueEvents, {
      params,
      query: { after_id: first.next_after_id, limit: 3 },
    });
    expect([...first.events, ...rest.events]).toEqual(all.events);
    const none = await w.call(listIssueEvents, { params, query: { after_id: all.next_after_id } });
    expect(none).toEqual({ events: [], next_after_id: all.next_after_id });
  });

  test("the log of a deleted issue is shown only on request", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await w.given.deleted(issue);
    const params = issue.path;
    expect((await w.refused(listIssueEvents, { params })).code).toBe("issue_not_found");
    const { events } = await w.call(listIssueEvents, { params, query: { include_deleted: true } });
    expect(events.map(({ type }) => type)).toEqual(["issue.created", "issue.soft_deleted"]);
    const elsewhere = { project_id: 99, ref: issue.uid };
    const refused = await w.refused(listIssueEvents, { params: elsewhere });
    expect(refused.code).toBe("project_not_found");
  });
});

describeStore("digest", (open) => {
  test.each([[undefined], [["bea", "cyd"]]])(
    "a digest (for the actors %j) that reaches its time limit ends where the next digest continues",
    async (actor) => {
      const w = await world({ store: open });
      for (const who of ["bea", "cyd", "bea", "cyd", "bea"]) {
        w.clock.advance(1000);
        await w.given.issue({ title: `one of ${who}`, actor: who });
        await w.given.issue({ title: `another of ${who}`, actor: who });
      }
      w.clock.advance(1000);
      let since = START;
      const counted: number[] = [];
      for (;;) {
        let asked = 0;
        const slow: Clock = {
          now: () => w.clock.now(),
          nowMs: () => (asked += 1000),
          sleep: async () => undefined,
        };
        const found = await digestOp(
          { store: w.store, clock: slow },
          { kind: "none", local: true },
          {
            params: {},
            headers: {},
            body: {},
            query: { since, actor },
          },
        );
        counted.push(found.event_count);
        if (found.counted_until === undefined) break;
        expect(found.truncated).toBe(true);
        since = msToInstant(instantToMs(found.counted_until) + 1);
      }
      expect(counted.length).toBeGreaterThan(1);
      expect(counted.every((events) => events > 0 && events % 2 === 0)).toBe(true);
      expect(counted.reduce((sum, events) => sum + events)).toBe(10);
    },
  );

  test("a digest of all projects leaves out archived projects", async () => {
    const w = await world({ store: open });
    const [web, old] = [await w.given.project("web"), await w.given.project("old")];
    await w.given.issue({ project: web });
    await w.given.issue({ project: old });
    await w.given.archived(old);
    w.clock.advance(1000);
    const digest = await w.call(digestGlobal, { query: { since: START } });
    expect(digest).toMatchObject({ event_count: 1, totals: { created: 1 } });
    expect(digest.actors[0]?.issues.map(({ project_name }) => project_name)).toEqual(["web"]);
  });

  test("a digest adds up events by actor and issue, including the events that come with a create", async () => {
    const w = await world({ store: open });
    const project = await w.given.project("web");
    const shop = await w.given.project("shop");
    const one = await w.given.issue({ project, labels: ["bug", "ui"], owner: "bea" });
    const two = await w.given.issue({
      project,
      links: [{ type: "blocks", to_ref: one.uid }],
      actor: "bea",
    });
    const there = await w.given.issue({ project: shop, actor: "bea" });
    await w.given.comment({ on: two, author: "bea" });
    await w.call(editIssue, {
      params: two.path,
      body: { actor: "bea", title: "new", owner: "cy", links_delta: { remove_blocks: [one.uid] } },
    });
    await w.call(closeIssue, { params: two.path, body: { actor: "bea", source: "tui" } });
    await w.call(reopenIssue, { params: two.path, body: { actor: "bea" } });
    await w.call(renameProject, { params: project.path, body: { name: "site" } });
    w.clock.advance(1000);
    const query = { since: "2025-12-31T23:59:59Z" };
    const site = await w.call(digestProject, { params: project.path, query });
    const bea = {
      ...NONE,
      created: 1,
      closed: 1,
      reopened: 1,
      commented: 1,
      edited: 1,
      assigned: 1,
      linked: 1,
      unblocked: 1,
    };
    expect(site).toEqual({
      since: "2025-12-31T23:59:59.000Z",
      until: "2026-01-01T00:00:01.000Z",
      project_id: project.id,
      event_count: 7,
      totals: { ...bea, created: 2, labeled: 2, assigned: 2 },
      actors: [
        {
          actor: "ann",
          totals: { ...NONE, created: 1, labeled: 2, assigned: 1 },
          issues: [told(one, "site", ["created", "assigned", "labeled"])],
        },
        {
          actor: "bea",
          totals: bea,
          issues: [
            told(two, "site", [
              "created",
              "linked",
              "commented",
              "edited",
              "assigned",
              "unblocked",
              "closed",
              "reopened",
            ]),
          ],
        },
      ],
    });
    const everywhere = await w.call(digestGlobal, { query: { ...query, actor: ["bea"] } });
    expect(everywhere).toMatchObject({ project_id: 0, event_count: 7 });
    expect(everywhere.actors.map(({ actor }) => actor)).toEqual(["bea"]);
    expect(everywhere.actors[0]?.issues.map(({ issue_uid }) => issue_uid)).toEqual([
      two.uid,
      there.uid,
    ]);
  });

  test("a digest includes both ends of the time span", async () => {
    const w = await world({ store: open });
    await w.given.issue({ title: "at 0" });
    w.clock.advance(1000);
    await w.given.issue({ title: "at 1" });
    w.clock.advance(1000);
    await w.given.issue({ title: "at 2" });
    w.clock.advance(1000);
    const count = async (since: string, until?: string): Promise<number | undefined> => {
      const query = { since, ...(until === undefined ? {} : { until }) };
      return (await w.call(digestGlobal, { query })).totals["created"];
    };
    expect(await count(START)).toBe(3);
    expect(await count("2026-01-01T00:00:00.001Z")).toBe(2);
    expect(await count(START, "2026-01-01T00:00:01.000Z")).toBe(2);
    expect(await count(START, "2026-01-01T00:00:00.999Z")).toBe(1);
    expect(await count("2026-01-01T02:00:01+02:00", "2026-01-01T00:00:02Z")).toBe(2);
  });

  test("a digest counts an issue once even if it reads the issue's events in several steps", async () => {
    const w = await world({ store: open });
    const { uid: issue_uid, project_uid = "" } = await w.given.issue();
    await w.store.write(async (tx) => {
      for (let n = 0; n < 620; n++) {
        const actor = n % 10 === 0 ? "worker-1" : "worker-0";
        const payload = { label: `l${n}`, updated_at: tx.now };
        await tx.append({ type: "issue.labeled", actor, project_uid, issue_uid, payload });
      }
    });
    w.clock.advance(1000);
    const found = await w.call(digestGlobal, { query: { since: START } });
    expect(found).toMatchObject({ event_count: 621, totals: { labeled: 620, created: 1 } });
    const query = { since: START, actor: ["worker-0", "worker-1", "worker-0"] };
    expect(await w.call(digestGlobal, { query })).toMatchObject({
      event_count: 620,
      actors: [
        { actor: "worker-0", totals: { labeled: 558 } },
        { actor: "worker-1", totals: { labeled: 62 } },
      ],
    });
  });

  test.each([
    [
      "an end that is not after its start",
      { since: START, until: START },
      "until must be after since",
    ],
    ["a start that is no instant", { since: "yesterday" }, "since: must be an RFC 3339 instant"],
    [
      "an end that is no instant",
      { since: START, until: "now" },
      "until: must be an RFC 3339 instant",
    ],
    ["no start", {}, "since: is required"],
  ])("a digest refuses a time span with %s", async (_, query, message) => {
    const w = await world({ store: open });
    expect(await w.refused(digestGlobal, { query })).toMatchObject({ code: "validation", message });
  });

  test("a digest of a missing project is refused", async () => {
    const w = await world({ store: open });
    const params = { project_id: 99 };
    w.clock.advance(1000);
    const refused = await w.refused(digestProject, { params, query: { since: START } });
    expect(refused.code).toBe("project_not_found");
  });
});

describeStore("close audit", (open) => {
  test("a close audit shows who closed what with which evidence, and flags closes worth a second look", async () => {
    const w = await world({
      store: open,
      settings: { close_throttle: { enabled: true, window_ms: 60_000, limit: 5 } },
    });
    const project = await w.given.project("web");
    const epic = await w.given.issue({ project, title: "epic" });
    const child = async (title: string) =>
      await w.given.issue({
        project,
        title,
        links: [{ type: "parent", to_ref: epic.uid }],
      });
    const [one, two] = [await child("one"), await child("two")];
    const alone = await w.given.issue({ project, title: "alone" });
    const body = { reason: "done" as const, message: MESSAGE, evidence: [COMMIT, COMMIT] };
    await w.call(closeIssue, { params: one.path, body });
    w.clock.advance(61_000);
    const refused = await w.refused(closeIssue, { params: two.path, body });
    expect(refused.code).toBe("duplicate_message");
    w.clock.advance(61_000);
    const other = { ...body, actor: "bea", message: `${MESSAGE} Again.` };
    await w.call(closeIssue, { params: two.path, body: other });
    await w.call(closeIssue, { params: alone.path, body: { actor: "bea", source: "tui" } });
    await w.call(reopenIssue, { params: two.path, body: {} });
    w.clock.advance(3_600_000);
    const again = { ...other, message: `${MESSAGE} Once more.` };
    await w.call(closeIssue, { params: two.path, body: again });
    w.clock.advance(1000);
    const audit = async (query: object = {}) =>
      (await w.call(auditCloses, { query: { project_id: project.id, ...query } })).rows;
    const rows = await audit();
    expect(rows).toMatchObject([
      {
        time: START,
        actor: "ann",
        issue: one.qualified_id,
        reason: "done",
        message: MESSAGE,
        parent: epic.qualified_id,
        parent_uid: epic.uid,
        evidence_types: ["commit"],
        flags: [],
      },
      { actor: "bea", issue: two.qualified_id, flags: ["throttled"] },
      { issue: alone.qualified_id, evidence_types: [], flags: ["no-evidence"] },
      { issue: two.qualified_id, flags: [] },
    ]);
    expect(rows[2]).not.toHaveProperty("parent");
    const only = async (query: object) => (await audit(query)).map(({ event_id }) => event_id);
    const [first, second, third, fourth] = rows.map(({ event_id }) => event_id);
    expect(await only({ actor: "bea" })).toEqual([second, third, fourth]);
    expect(await only({ parent: epic.short_id })).toEqual([first, second, fourth]);
    expect(await only({ no_evidence: true })).toEqual([third]);
    expect(await only({ reason: "wontfix" })).toEqual([]);
    expect(await only({ since: "2026-01-01T00:00:01Z", until: "2026-01-01T00:30:00Z" })).toEqual([
      second,
      third,
    ]);
    expect(await only({ limit: 2 })).toEqual([first, second]);
    expect(await audit({ after_event_id: second })).toEqual(rows.slice(2));
    expect(await only({ after_event_id: fourth })).toEqual([]);
  });

  test("a close audit leaves out the closes of other projects and other events", async () => {
    const w = await world({ store: open });
    const project = await w.given.project("web");
    const shop = await w.given.project("shop");
    const here = await w.given.issue({ project });
    await w.given.closed(await w.given.issue({ project: shop }));
    await w.call(assignIssue, { params: here.path, body: { owner: "bea" } });
    const { rows } = await w.call(auditCloses, { query: { project_id: project.id } });
    expect(rows).toEqual([]);
  });

  test("a close audit refuses a missing project, a missing parent and malformed times", async () => {
    const w = await world({ store: open });
    const project_id = (await w.given.project()).id;
    const code = async (query: object): Promise<string> =>
      (await w.refused(auditCloses, { query })).code;
    expect(await code({})).toBe("validation");
    expect(await code({ project_id, since: "soon" })).toBe("validation");
    expect(await code({ project_id, reason: "tired" })).toBe("validation");
    expect(await code({ project_id: 99 })).toBe("project_not_found");
    expect(await code({ project_id, parent: "zzzz" })).toBe("issue_not_found");
  });
});

const NONE = {
  created: 0,
  closed: 0,
  reopened: 0,
  commented: 0,
  edited: 0,
  assigned: 0,
  unassigned: 0,
  priority_set: 0,
  priority_cleared: 0,
  labeled: 0,
  unlabeled: 0,
  linked: 0,
  unlinked: 0,
  unblocked: 0,
  deleted: 0,
  restored: 0,
  other: 0,
};

function told(
  issue: {
    readonly uid: string;
    readonly short_id: string;
    readonly project_id: number;
  },
  project_name: string,
  actions: readonly string[],
) {
  const { uid, short_id, project_id } = issue;
  return { project_id, project_name, issue_uid: uid, issue_short_id: short_id, actions };
}
