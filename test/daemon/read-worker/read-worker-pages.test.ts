import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { applyPlan } from "../../../src/contract/plans.ts";
import type { Input } from "../../../src/contract/route.ts";
import { readUIReferences } from "../../../src/contract/ui-references.ts";
import { readUISnapshot } from "../../../src/contract/ui-snapshot.ts";
import { ReadWorker } from "../../../src/daemon/read-worker/read-worker.ts";
import { FakeClock } from "../../support/clock.ts";
import { PAGE_ORIGIN, PAGES } from "../../support/pages.ts";
import { describeStore, type OpenTestStore } from "../../support/store.ts";
import { world } from "../../support/world.ts";

const WHO = { kind: "none", local: true } as const;

const ENVELOPE = {
  capabilities: { writable: true, updates: "sse", actor_policy: "request" },
  origin: PAGE_ORIGIN,
  origin_stable: true,
};

async function beside(open: OpenTestStore) {
  const database = await open.database();
  const w = await world({
    store: async (options) => await database.open(options),
    pages: PAGES,
  });
  const readWorker = new ReadWorker({
    database: database.target,
    settings: { timezone: "UTC", close_throttle: { enabled: false, window_ms: 1, limit: 1 } },
    store: w.store,
    clock: new FakeClock(),
    log: silentLog,
  });
  onTestFinished(async () => await readWorker.stop());
  /** Compares the bytes and the tag of the thread's answer with those of the daemon's own. */
  const same = async (route: typeof readUISnapshot | typeof readUIReferences, query: object) => {
    const own = await w.send(route, { query });
    const input = { params: {}, query, headers: {}, body: {}, envelope: ENVELOPE };
    const answer = await readWorker.run(route.id, WHO, input);
    const pieces: Uint8Array[] = [];
    for await (const piece of answer.pieces()) pieces.push(piece);
    // The texts are too long to be printed, so only the result of the comparison is shown.
    const text = await own.text();
    expect(Buffer.concat(pieces).toString("utf8") === text, JSON.stringify(query)).toBe(true);
    expect(answer.headers["etag"]).toBe(own.headers.get("etag"));
    return JSON.parse(text);
  };
  return { w, same };
}

describeStore("the read worker", (open) => {
  test("answers the reads of pages as the daemon's own thread does, with the same ETags", {
    timeout: 60_000,
  }, async () => {
    const { w, same } = await beside(open);
    const project = await w.given.project();
    const issues = Array.from({ length: 420 }, (_, at) => ({
      name: `n${at}`,
      title: `n${at} "ä" 𝄞`,
      body: at % 50 === 7 ? "é\n".repeat(100_000) : `${at}`,
      ...(at % 2 === 0 ? {} : { labels: ["odd"] }),
      ...(at % 9 === 1 ? { parent: "n0" } : {}),
      ...(at % 11 === 3 ? { blocked_by: [`n${at - 1}`] } : {}),
      ...(at % 3 === 0 ? {} : { owner: "bea" }),
      ...(at % 5 === 0 ? { metadata: { scheduled_on: `2025-12-0${(at % 9) + 1}` } } : {}),
    }));
    const params = { project_id: project.id };
    const made = await w.call(applyPlan, { params, body: { issues } });
    const [first] = made.issues;
    const day = { local_date: "2025-12-05", time_zone: "Europe/Berlin" };
    const queries: readonly Partial<Input<typeof readUISnapshot>["query"]>[] = [
      { view: "all-open" },
      { view: "all-open", limit: 1000 },
      { view: "all-open", limit: 200 },
      { view: "all-open", limit: 201, owner: ["bea"] },
      { view: "all-open", text: "Ä" },
      { view: "all-open", status: ["ready"], limit: 7 },
      { view: "any", status: ["ready", "closed"] },
      { view: "today", ...day, limit: 20 },
      { view: "upcoming", ...day },
      { view: "deadlines", ...day },
      { view: "inbox" },
      { view: "all-open", limit: 3, include_graph: true },
      {
        ...{ view: "all-open", limit: 3, include_graph: true, include_history: true },
        selected_issue_uid: first?.uid ?? "",
      },
    ];
    let shown = 0;
    for (const query of queries) shown += (await same(readUISnapshot, query)).collection.length;
    expect(shown).toBeGreaterThan(1500);
    for (const query of [{}, { q: "Ä", limit: 200 }, { issue_uid: [first?.uid ?? ""] }])
      expect((await same(readUIReferences, query)).issues.length).toBeGreaterThan(0);
  });
});
