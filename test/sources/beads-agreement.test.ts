import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { criticalPath, reachableIssueGraph } from "../../src/contract/graph.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { readyIssues, type WhyReason, whyIssue } from "../../src/contract/search.ts";
import { readSource, sendItems } from "../../src/sources/index.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";
import { generatedExport, largeExport } from "./beads-file.ts";
import { edgeText, plainTracker } from "./beads-plain.ts";

/** The graph is compared for every 60th issue only. */
const GRAPHS = 60;
const TIMEOUT_MS = 240_000;

async function imported(open: OpenTestStore) {
  const w = await world({ store: open });
  const params = { project_id: (await w.given.project()).id };
  // A smaller file on PostgreSQL, where each answer takes longer.
  const path = open.dialect === "sqlite" ? largeExport().path : generatedExport(500);
  const file = await readSource("beads", path);
  const names = new Map<string, string>();
  await sendItems(
    file,
    async (batch) => {
      const body = { source: "beads", items: batch };
      const done = await w.call(importIssues, { params, body });
      for (const item of done.items) names.set(item.issue_short_id, item.external_id);
      return done;
    },
    () => undefined,
  );
  const refs = new Map([...names].map(([short_id, id]) => [id, short_id]));
  return {
    w,
    params,
    plain: plainTracker(readFileSync(path, "utf8")),
    /** Returns the name that the file has for an issue of an answer. */
    idOf: ({ short_id }: { readonly short_id: string }) => names.get(short_id) ?? "",
    at: (id: string) => ({ ...params, ref: refs.get(id) ?? "" }),
  };
}

describeStore("an imported tracker", (open) => {
  test("has the ready list, reasons, graphs and critical path that follow from its file", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { w, params, plain, idOf, at } = await imported(open);
    const ids = (list: readonly { readonly short_id: string }[]) => list.map(idOf).sort();

    const ready = await w.call(readyIssues, { params, query: { limit: 0 } });
    expect(ids(ready.issues)).toEqual([...plain.ready].sort());
    expect(plain.ready.length).toBeGreaterThan(20);
    // beads offers parents with open children too.
    expect([...plain.ready, ...plain.offeredParents].sort()).toEqual([...plain.offered].sort());

    for (const id of plain.open) {
      const { reasons } = await w.call(whyIssue, { params: at(id) });
      expect({ id, ...firstOf(reasons, idOf) }).toEqual({ id, ...plain.reasons(id) });
      expect({ id, ways: ids([...blockersIn(reasons)]) }).toEqual({ id, ways: plain.inTheWay(id) });
    }

    for (const id of plain.live.filter((_, place) => place % GRAPHS === 0)) {
      const graph = await w.call(reachableIssueGraph, { params: at(id) });
      expect(ids(graph.nodes)).toEqual(plain.reachable(id));
      const names = new Map(graph.nodes.map((node) => [node.uid, idOf(node)]));
      const shown = graph.edges.map(({ from_uid, to_uid, kind, layout }) => {
        const ends = { from: names.get(from_uid) ?? "", to: names.get(to_uid) ?? "" };
        return { text: edgeText({ ...ends, kind }), layout };
      });
      const inside = new Set(names.values());
      const expected = plain.edges.filter(({ from, to }) => inside.has(from) && inside.has(to));
      expect(shown.map(({ text }) => text).sort()).toEqual(expected.map(edgeText).sort());
      const left = shown.filter(({ layout }) => !layout).map(({ text }) => text);
      expect(left.sort()).toEqual(plain.shortcuts(inside));
      const undone = { params: at(id), query: { hide_done: true } };
      expect(ids((await w.call(reachableIssueGraph, undone)).nodes)).toEqual(
        plain.reachable(id, { hideDone: true }),
      );
    }

    const { path, waited_for } = await w.call(criticalPath, { params, query: { limit: 0 } });
    const chain = path.map(({ issue }) => idOf(issue));
    expect(chain).toHaveLength(plain.longestChain);
    expect(chain.slice(1).every((id, place) => plain.isPair(chain[place] ?? "", id))).toBe(true);
    expect(
      Object.fromEntries(waited_for.map(({ issue, waiting }) => [idOf(issue), waiting])),
    ).toEqual(plain.waiting);
  });
});

type Named = { readonly uid: string; readonly short_id: string };

/** Returns the reasons of the issue itself, without the reasons nested in them. */
function firstOf(reasons: readonly WhyReason[], idOf: (issue: Named) => string) {
  const named = (list: readonly Named[] = []) => list.map(idOf).sort();
  const of = (kind: WhyReason["reason"]) => reasons.find(({ reason }) => reason === kind);
  const parent = of("held")?.parent?.issue;
  return {
    blocked: named(of("blocked")?.blockers?.map(({ issue }) => issue)),
    open_children: named(of("open_children")?.children),
    held: parent === undefined ? undefined : idOf(parent),
    parked: of("parked") !== undefined,
  };
}

/** Returns the blockers that the reasons name, at any depth. */
function blockersIn(
  reasons: readonly WhyReason[],
  found = new Map<string, Named>(),
): Iterable<Named> {
  for (const { blockers = [], parent } of reasons) {
    for (const { issue, because } of blockers) {
      found.set(issue.uid, issue);
      blockersIn(because, found);
    }
    if (parent !== undefined) blockersIn(parent.because, found);
  }
  return found.values();
}
