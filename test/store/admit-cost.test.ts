import { expect, onTestFinished, test, vi } from "vitest";
import { msToInstant } from "../../src/base/clock.ts";
import type { EventDraft } from "../../src/contract/events.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { SqliteConnection } from "../../src/store/sqlite/connection.ts";
import type { AdmitOptions, ForeignEvent } from "../../src/store/types/store.ts";
import { describeStore } from "../support/store.ts";
import { commented, created, edited, labeled, linksChanged, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";
import { admitAs, asHub, BEGIN_MS, baseline, ForeignEvents } from "./foreign-events.ts";
import { P } from "./random-events.ts";

const ISSUES = Array.from({ length: 20 }, (_, n) => uid(100 + n));

/** How many statements each page takes. */
async function statementsOf(
  store: AdminStore,
  pages: readonly (readonly ForeignEvent[])[],
  options: AdmitOptions = { fromHub: false },
): Promise<readonly number[]> {
  const spies = [SqliteConnection, PostgresConnection].map(({ prototype }) =>
    vi.spyOn(prototype as SqliteConnection, "execute"),
  );
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  const counts: number[] = [];
  for (const page of pages) {
    for (const spy of spies) spy.mockClear();
    await admitAs(store, options, ...page);
    counts.push(spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0));
  }
  return counts;
}

/** Edits, labels, comments and links of a few issues. */
function draftOf(n: number): EventDraft {
  const [issue = "", other = ""] = [ISSUES[n % 20], ISSUES[(n + 7) % 20]];
  switch (n % 4) {
    case 0:
      return edited(P, issue, { title: `title ${n}` });
    case 1:
      return labeled(P, issue, `l${n % 5}`);
    case 2:
      return commented(P, issue, uid(1000 + n), "words");
    default:
      return linksChanged(P, issue, { blocks_added_uids: [other] });
  }
}

describeStore("a page of events of another daemon", (open) => {
  test("a page with ten times as many events takes hardly more statements", async () => {
    const store = await asHub(await open());
    const made = new ForeignEvents();
    const at = (ms: number) => ({ hlc_physical_ms: BEGIN_MS + ms });
    await admitAs(
      store,
      { fromHub: false },
      ...ISSUES.map((one) => made.next(created(P, one), at(0))),
    );
    const { hlc_physical_ms: head } = await store.read(async ({ events }) => await events.head());
    const page = (from: number, count: number, ms: number) =>
      Array.from({ length: count }, (_, n) =>
        made.next(draftOf(from + n), { hlc_physical_ms: ms + from + n }),
      );
    const newer = [page(0, 100, head + 1), page(100, 1000, head + 1)];
    const [few = 0, many = 0] = await statementsOf(store, newer);
    expect(many).toBeLessThanOrEqual(few + 10);
    const late = [page(2000, 100, BEGIN_MS), page(2100, 1000, BEGIN_MS)];
    const [fewLate = 0, manyLate = 0] = await statementsOf(store, late);
    expect(manyLate).toBeLessThanOrEqual(fewLate + 10);
    await expectFolded(store);
  });

  test("a page with 200 late events of an issue with 1,000 events folds this issue again only once", async () => {
    const store = await asHub(await open());
    const made = new ForeignEvents();
    const [issue = ""] = ISSUES;
    const edits = (count: number, ms: number) =>
      Array.from({ length: count }, (_, n) =>
        made.next(edited(P, issue, { title: `${ms} ${n}` }), {
          hlc_physical_ms: BEGIN_MS + ms + n,
        }),
      );
    const first = made.next(created(P, issue), { hlc_physical_ms: BEGIN_MS });
    await admitAs(store, { fromHub: false }, first, ...edits(1000, 5000));
    const [one = 0, many = 0] = await statementsOf(store, [edits(1, 1000), edits(200, 2000)]);
    expect(many).toBeLessThanOrEqual(one + 5);
    await expectFolded(store);
  });

  test("a page with a late observation of a run reads the events of no other run", async () => {
    const store = await asHub(await open());
    const made = new ForeignEvents();
    const observed = (run: number, ms: number) => {
      const at = msToInstant(BEGIN_MS + ms);
      const common = { project_uid: P, created_at: at, updated_at: at, actor: "ann" };
      const payload = {
        ...common,
        uid: uid(500 + run),
        summary: {},
        revision: 1,
        status: "running",
      };
      const draft = { type: "cron.run.observed", actor: "ann", project_uid: P, payload };
      return made.next(draft as EventDraft, { hlc_physical_ms: BEGIN_MS + ms });
    };
    const first = Array.from({ length: 300 }, (_, run) => observed(run, 5000));
    await admitAs(store, { fromHub: false }, ...first);
    const spies = [SqliteConnection, PostgresConnection].map(({ prototype }) =>
      vi.spyOn(prototype as SqliteConnection, "execute"),
    );
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
    await admitAs(store, { fromHub: false }, observed(7, 1000));
    const results = await Promise.all(
      spies.flatMap((spy) => spy.mock.results.map(async ({ value }) => await value)),
    );
    expect(Math.max(...results.map(({ rows }) => rows.length))).toBeLessThan(20);
    await expectFolded(store);
  });

  test("a page with a baseline that lists 1,000 purged issues takes hardly more statements than one that lists ten", async () => {
    const store = await asHub(await open());
    const made = new ForeignEvents();
    const page = (count: number, ms: number) => {
      const first = baseline(P);
      const purged_uids = Array.from({ length: count }, (_, n) => uid(ms + n));
      const draft = { ...first, payload: { ...first.payload, purged_uids } };
      return [made.next(draft, { hlc_physical_ms: BEGIN_MS + ms, hub_event_id: ms })];
    };
    const pages = [page(10, 20_000), page(1000, 30_000)];
    const [few = 0, many = 0] = await statementsOf(store, pages, { fromHub: true });
    expect(many).toBeLessThanOrEqual(few + 10);
    await expectFolded(store);
  });
});
