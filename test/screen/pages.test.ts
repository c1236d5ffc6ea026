import { expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { Outgoing } from "../../src/client/outgoing.ts";
import { transportOf } from "../../src/client/transport.ts";
import { type Pages, readIssues } from "../../src/screen/effects/reads/issues.ts";
import { UnavailableError } from "../../src/shared/answer-errors.ts";
import { issue, NOW, type Session, screen } from "../tui/support.ts";

const LATER = "2026-11-21T10:00:05.000Z";
const of = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_none, at) => issue(from + at));
const page = (
  session: Session,
  part: "first" | "more" | "all",
  issues: ReturnType<typeof of>,
  more: { serial?: number; since?: string } = {},
) => {
  const { serial } = session.state.session;
  return session.tell({
    type: "issues",
    part,
    serial,
    issues,
    gone: [],
    truncated: false,
    ...more,
  });
};
const uids = ({ state }: Session) => [...state.issues.keys()].toSorted();
const known = (issues: ReturnType<typeof of>) => issues.map(({ uid }) => uid).toSorted();

test("each page adds to the list, and the last says that it is complete", () => {
  const session = screen(80, 24, []);
  page(session, "first", of(1, 2));
  expect([session.state.loading.stage, uids(session)]).toEqual(["rest", known(of(1, 2))]);
  page(session, "more", of(3, 4));
  expect([session.state.loading.stage, uids(session)]).toEqual(["rest", known(of(1, 4))]);
  page(session, "all", of(5, 5));
  expect([session.state.loading.stage, uids(session)]).toEqual(["done", known(of(1, 5))]);
  expect(session.state.loading.pages).toEqual([]);
});

test("issues that are on no page of a reload are removed only when all its pages have arrived", () => {
  const session = screen(80, 24, of(1, 4));
  session.tell({ type: "reload" });
  page(session, "first", of(1, 1));
  page(session, "more", of(2, 2));
  expect(uids(session)).toEqual(known(of(1, 4)));
  page(session, "all", of(3, 3));
  expect(uids(session)).toEqual(known(of(1, 3)));
});

test.each([
  ["at the moment of the first page", NOW, true],
  ["after the first page", LATER, true],
  ["before the first page", "2026-11-21T09:59:59.999Z", false],
])(
  "during a reload, an issue that was changed %s (%s) and is on no page is kept: %s",
  (_, updated_at, isKept) => {
    const session = screen(80, 24, of(1, 2));
    session.tell({ type: "reload" });
    page(session, "first", of(1, 1), { since: NOW });
    session.changed([issue(2, { updated_at, revision: 2 })]);
    page(session, "all", [], { since: NOW });
    expect(uids(session)).toEqual(known(isKept ? of(1, 2) : of(1, 1)));
  },
);

test("a page that was requested before a reload is dropped", () => {
  const session = screen(80, 24, of(1, 1));
  const { serial } = session.state.session;
  session.tell({ type: "reload" });
  page(session, "first", of(1, 2), { serial });
  page(session, "all", of(1, 3), { serial });
  expect([session.state.loading.pages, uids(session)]).toEqual([[], known(of(1, 1))]);
});

test("a page that is older than the known state of an issue does not revert it", () => {
  const session = screen(80, 24, of(1, 1));
  session.tell({ type: "reload" });
  session.changed([issue(1, { title: "new", updated_at: LATER, revision: 5 })]);
  page(session, "first", of(1, 2), { since: NOW });
  page(session, "all", [], { since: NOW });
  expect(session.state.issues.get(issue(1).uid)?.title).toBe("new");
});

test("an older copy of the data replaces newer data on the screen, and keeps the cursor", () => {
  const since = "2026-11-21T10:00:09.000Z";
  const newer = { title: "new", updated_at: LATER, revision: 5 };
  const session = screen(80, 24, [issue(1, newer), issue(2), issue(3, newer)]);
  session.keys("space", "space", "space");
  const last = issue(2).uid;
  expect(session.state.board.cursor).toBe(last);
  session.tell({ type: "reload", isOlder: true });
  page(session, "first", of(1, 1), { since });
  expect(session.state.board.cursor).toBe(last);
  page(session, "all", of(2, 2), { since });
  expect(session.state.issues.get(issue(1).uid)?.title).toBe(issue(1).title);
  expect(uids(session)).toEqual(known(of(1, 2)));
  expect([...session.state.marks].toSorted()).toEqual(known(of(1, 2)));
  expect(session.state.board.cursor).toBe(last);
  session.changed([issue(1, { title: "next", updated_at: LATER, revision: 9 })]);
  page(session, "first", of(1, 1), { since });
  expect(session.state.issues.get(issue(1).uid)?.title).toBe("next");
});

/** A daemon with this many issues, which answers by the contract. Each request is recorded. */
function daemonWith(count: number, { pages = true, fails = 0, first = false } = {}) {
  const asked: string[] = [];
  const failed: string[] = [];
  const waited: number[] = [];
  let left = fails;
  const send = async ({ target }: Outgoing) => {
    const query = new URL(target, "http://daemon").searchParams;
    const after = query.get("after");
    asked.push(`${after ?? "no page"}, ${query.get("limit")}`);
    if ((first || after !== "") && left > 0) {
      left -= 1;
      throw new UnavailableError("away");
    }
    const from = pages ? Number(/_(\d+)$/.exec(after ?? "")?.[1] ?? 0) : 0;
    const to = Math.min(count, from + Number(query.get("limit")));
    const about = pages && after !== null ? { as_of: { event_id: 1, at: NOW } } : {};
    const next = pages && to < count ? { next_after: `2026-11-21T10:00:00.000Z_${to}` } : {};
    const issues = of(from + 1, to).map((one) => ({
      ...one,
      blocks: [],
      blocked_by: [],
      related: [],
    }));
    const body = Buffer.from(JSON.stringify({ issues, ...next, ...about }));
    return await Promise.resolve({ status: 200, headers: {}, body });
  };
  const options: Pages = {
    daemon: transportOf({ send } as unknown as Client),
    pause: { sleep: async (ms) => void (await Promise.resolve(waited.push(ms))) },
    signal: new AbortController().signal,
    project_id: 1,
    failed: (error) => failed.push(String(error)),
  };
  return { options, asked, failed, waited };
}

async function read(options: Pages) {
  const told = [];
  for await (const { part, issues, truncated, since } of readIssues(options))
    told.push({ part, count: issues.length, truncated, since });
  return told;
}

test.each<[number, readonly [string, number][], boolean]>([
  [0, [["all", 0]], false],
  [1, [["all", 1]], false],
  [200, [["all", 200]], false],
  [
    201,
    [
      ["first", 200],
      ["all", 1],
    ],
    false,
  ],
  [
    700,
    [
      ["first", 200],
      ["all", 500],
    ],
    false,
  ],
  [
    701,
    [
      ["first", 200],
      ["more", 500],
      ["all", 1],
    ],
    false,
  ],
])("%i issues are loaded in the pages %j", async (count, pages, truncated) => {
  const { options } = daemonWith(count);
  expect(await read(options)).toEqual(
    pages.map(([part, size]) => ({ part, count: size, truncated, since: NOW })),
  );
});

test.each([
  [19_999, 19_999, false],
  [20_000, 20_000, false],
  [20_001, 20_000, true],
])(
  "of %i issues %i are loaded, and the list is reported as incomplete: %s",
  async (count, shown, truncated) => {
    const { options } = daemonWith(count);
    const told = await read(options);
    expect(told.reduce((sum, one) => sum + one.count, 0)).toBe(shown);
    expect(told.map((one) => one.truncated)).toEqual([
      ...told.slice(1).map(() => false),
      truncated,
    ]);
  },
);

test("while a page is processed, only the next page is requested", async () => {
  const { options, asked } = daemonWith(1600);
  const seen: number[] = [];
  for await (const _ of readIssues(options)) seen.push(asked.length);
  expect(seen).toEqual([2, 3, 4, 4]);
});

test.each([
  [199, ["all 199"], [", 200"]],
  [200, ["first 200", "all 200"], [", 200", "no page, 20001"]],
  [20_001, ["first 200", "all 20000"], [", 200", "no page, 20001"]],
])(
  "a daemon that does not support pages is asked for all %i issues at once",
  async (count, told, asked) => {
    const daemon = daemonWith(count, { pages: false });
    const read_ = await read(daemon.options);
    expect(read_.map((one) => `${one.part} ${one.count}`)).toEqual(told);
    expect(daemon.asked).toEqual(asked);
    expect(read_.at(-1)?.truncated).toBe(count > 20_000);
  },
);

test.each([
  ["the first page", true],
  ["a page behind it", false],
])(
  "%s that does not arrive is requested again after longer and longer waits, and reported once",
  async (_, first) => {
    const { options, failed, waited } = daemonWith(300, { fails: 7, first });
    const told = await read(options);
    expect(told.map(({ part, count }) => [part, count])).toEqual([
      ["first", 200],
      ["all", 100],
    ]);
    expect(failed).toHaveLength(1);
    expect(waited).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  },
);
