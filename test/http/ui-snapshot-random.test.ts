import fc from "fast-check";
import { expect, test } from "vitest";
import { listAllIssues } from "../../src/contract/issues.ts";
import { patchProjectMetadata } from "../../src/contract/project-actions.ts";
import type { Input, Output } from "../../src/contract/route.ts";
import { readUISnapshot } from "../../src/contract/ui-snapshot.ts";
import { PAGES } from "../support/pages.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type Query = Partial<Input<typeof readUISnapshot>["query"]>;
type Row = Output<typeof listAllIssues>["issues"][number];

const STATUSES = ["open", "closed", "all", "ready"] as const;
const RELATIONS = ["parent", "child", "blocks", "blocked_by", "related"] as const;
const OWNERS = ["ann", "bea", "cid"] as const;
const LABELS = ["bug", "ui", "db"] as const;
const DAYS = ["2025-12-31", "2026-01-01", "2026-01-02"] as const;

const DATED = { local_date: "2026-01-01", time_zone: "UTC" };

const GIVEN = fc.record({
  title: fc.constantFrom("Login fails", "Ärger mit Ö", "slow search", "LOGIN again"),
  body: fc.constantFrom("", "see the login page", "die Straße", "50%_off"),
  owner: fc.option(fc.constantFrom(...OWNERS), { nil: undefined }),
  labels: fc.subarray([...LABELS]),
  scheduled_on: fc.option(fc.constantFrom(...DAYS), { nil: undefined }),
  deadline_on: fc.option(fc.constantFrom(...DAYS), { nil: undefined }),
  someday: fc.constantFrom(undefined, undefined, true),
  project: fc.nat(2),
  fate: fc.constantFrom("open", "open", "open", "closed", "deleted"),
});

type Given = typeof GIVEN extends fc.Arbitrary<infer T> ? T : never;

const LINK = fc.tuple(
  fc.nat(99),
  fc.nat(99),
  fc.constantFrom("blocks", "blocks", "related", "parent"),
);

const QUERY: fc.Arbitrary<Query> = fc.record(
  {
    view: fc.constantFrom(
      ...["inbox", "all-open", "today", "upcoming", "deadlines", "logbook", "any", "TODAY"],
    ),
    status: fc.subarray([...STATUSES]),
    owner: fc.subarray([...OWNERS]),
    label: fc.subarray([...LABELS]),
    relationship: fc.subarray([...RELATIONS]),
    text: fc.constantFrom("login", "ärger", "Ö", "STRASSE", "straße", "%_", "search ", "nowhere"),
    project_uid: fc.constantFrom("0", "1", "2"),
    limit: fc.constantFrom(1, 2, 5, 1000),
  },
  { requiredKeys: [] },
);

/** Makes three projects, of which the first is the inbox and the last is archived in the end. */
async function shelf(w: World, given: readonly Given[]) {
  const projects = [
    await w.given.project("tray"),
    await w.given.project("web"),
    await w.given.project("old"),
  ] as const;
  const [tray] = projects;
  const role = { patch: { role: "inbox" } };
  await w.call(patchProjectMetadata, { params: { project_id: tray.id }, body: role });
  const issues = [];
  for (const { project, fate: _, scheduled_on, deadline_on, someday, ...fields } of given) {
    w.clock.advance(1000);
    const dates = Object.entries({ scheduled_on, deadline_on, someday });
    const metadata = Object.fromEntries(
      dates.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    );
    issues.push(await w.given.issue({ ...fields, metadata, project: projects[project] ?? tray }));
  }
  return { projects, issues };
}

/** The rules once more, over the rows of the plain list, which leaves out what is deleted or archived. */
function plain(
  rows: readonly Row[],
  query: Query,
  { inbox, projects }: { readonly inbox: string; readonly projects: readonly string[] },
): readonly string[] {
  const byUid = new Map(rows.map((row) => [row.uid, row]));
  const parents = new Set(rows.map(({ parent }) => parent?.uid));
  const view = (query.view ?? (query.project_uid === undefined ? "inbox" : "")).toLowerCase();
  const usual = { logbook: ["closed"], any: ["all"], "": ["all"] }[view] ?? ["open"];
  const asked = query.status ?? [];
  const statuses: readonly string[] = asked.length === 0 ? usual : asked;
  const isHeld = (row: Row): boolean => {
    const above = row.parent === undefined ? undefined : byUid.get(row.parent.uid);
    if (above === undefined || above.status === "closed") return false;
    return above.metadata["someday"] === true || above.blocked || isHeld(above);
  };
  const isReady = (row: Row): boolean =>
    row.status === "open" &&
    row.metadata["someday"] !== true &&
    !row.blocked &&
    !isHeld(row) &&
    String(row.metadata["scheduled_on"] ?? "") <= DATED.local_date;
  const day = (row: Row, key: string) => row.metadata[key] as string | undefined;
  const isInView: Readonly<Record<string, (row: Row) => boolean>> = {
    inbox: (row) => row.project_uid === inbox,
    today: (row) =>
      ["scheduled_on", "deadline_on"].some((key) => (day(row, key) ?? "9") <= DATED.local_date),
    upcoming: (row) => (day(row, "scheduled_on") ?? "") > DATED.local_date,
    deadlines: (row) => day(row, "deadline_on") !== undefined,
  };
  const has: Readonly<Record<(typeof RELATIONS)[number], (row: Row) => boolean>> = {
    parent: (row) => row.parent !== undefined,
    child: (row) => parents.has(row.uid),
    blocks: (row) => row.blocks.length > 0,
    blocked_by: (row) => row.blocked_by.length > 0,
    related: (row) => row.related.length > 0,
  };
  const any = <T>(values: readonly T[] | undefined, fits: (value: T) => boolean) =>
    values === undefined || values.length === 0 || values.some(fits);
  const text = (query.text ?? "").trim().toLowerCase();
  return rows
    .filter(
      (row) =>
        (isInView[view]?.(row) ?? true) &&
        (query.project_uid === undefined ||
          row.project_uid === projects[Number(query.project_uid)]) &&
        any(statuses, (status) =>
          status === "ready" ? isReady(row) : status === "all" || row.status === status,
        ) &&
        any(query.owner, (owner) => row.owner === owner) &&
        any(query.label, (label) => row.labels.includes(label)) &&
        any(query.relationship, (kind) => has[kind](row)) &&
        [row.title, row.body, row.short_id].some((part) => part.toLowerCase().includes(text)),
    )
    .toSorted((a, b) =>
      a.updated_at === b.updated_at ? b.id - a.id : a.updated_at < b.updated_at ? 1 : -1,
    )
    .map(({ uid }) => uid);
}

describeStore("the collection of a snapshot", (open) => {
  test("matches what a plain filter finds among all issues, for any request", async () => {
    const rounds = fc.tuple(
      fc.array(GIVEN, { minLength: 12, maxLength: 30 }),
      fc.array(LINK, { maxLength: 30 }),
      fc.array(QUERY, { minLength: 40, maxLength: 40 }),
    );
    let found = 0;
    await fc.assert(
      fc.asyncProperty(rounds, async ([given, links, queries]) => {
        const w = await world({ store: open, pages: PAGES });
        const { projects, issues } = await shelf(w, given);
        for (const [from, to, kind] of links) {
          const [one, other] = [issues[from % issues.length], issues[to % issues.length]];
          // Circles of parents and second parents are refused, and leave no link.
          if (one !== undefined && other !== undefined && one !== other)
            await w.given.link(one, kind as "blocks", other).catch(() => undefined);
        }
        for (const [at, { fate }] of given.entries()) {
          const issue = issues[at];
          if (issue === undefined) continue;
          // A parent with open children stays open.
          if (fate === "closed") await w.given.closed(issue).catch(() => undefined);
          if (fate === "deleted") await w.given.deleted(issue);
        }
        await w.given.archived(projects[2]);
        const { issues: rows } = await w.call(listAllIssues);
        const context = { inbox: projects[0].uid, projects: projects.map(({ uid }) => uid) };
        for (const query of queries) {
          const all = plain(rows, query, context);
          const { project_uid: at } = query;
          const uid = at === undefined ? {} : { project_uid: projects[Number(at)]?.uid ?? "" };
          const asked = { ...query, ...DATED, ...uid };
          const answer = await w.call(readUISnapshot, { query: asked });
          const uids = answer.collection.map((issue) => issue.uid);
          const limit = query.limit ?? 500;
          expect({ query, uids }).toEqual({ query, uids: all.slice(0, limit) });
          expect(answer.collection_truncated === true).toBe(all.length > limit);
          found += uids.length;
        }
      }),
      { numRuns: 3, endOnFailure: true },
    );
    expect(found).toBeGreaterThan(0);
  });
});
