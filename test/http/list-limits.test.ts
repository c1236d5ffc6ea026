import { expect, test } from "vitest";
import { importIssues } from "../../src/contract/imports.ts";
import { createIssue, listIssues } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import { takeReadyIssue } from "../../src/contract/leases.ts";
import { MAX_FILTER_VALUES, MAX_ISSUE_LABELS } from "../../src/contract/limits.ts";
import { applyPlan } from "../../src/contract/plans.ts";
import { readyIssues, searchIssues } from "../../src/contract/search.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

const names = (count: number) => Array.from({ length: count }, (_, at) => `l${at}`);
const [FULL, ONE_MORE] = [names(MAX_ISSUE_LABELS), names(MAX_ISSUE_LABELS + 1)];
const [FILTER, LONG_FILTER] = [names(MAX_FILTER_VALUES), names(MAX_FILTER_VALUES + 1)];

describeStore("long lists in requests", (open) => {
  test("may have at most 200 labels of an issue, in every route", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const params = project.path;
    const create = async (labels: string[]) =>
      await w.call(createIssue, { params, body: { title: `with ${labels.length}`, labels } });
    const { issue } = await create(FULL);
    await expect(create(ONE_MORE)).rejects.toThrow("labels: must be at most 200 items long");
    const path = { ...params, ref: issue.short_id };
    const again = await w.call(addLabel, { params: path, body: { label: "l0" } });
    expect(again.changed).toBe(false);
    await expect(w.call(addLabel, { params: path, body: { label: "another" } })).rejects.toThrow(
      "label: an issue has at most 200 labels",
    );

    const at = w.clock.now();
    const item = (labels: string[], updated_at = at) => ({
      external_id: "e",
      title: "imported",
      author: "ann",
      status: "open" as const,
      created_at: at,
      updated_at,
      labels,
    });
    const send = async (items: ReturnType<typeof item>[]) =>
      await w.call(importIssues, { params, body: { source: "s", items } });
    await expect(send([item(ONE_MORE)])).rejects.toThrow("items[0].labels: must be at most 200");
    const [imported] = (await send([item(FULL.slice(1))])).items;
    const own = { ...params, ref: imported?.issue_short_id ?? "" };
    await w.call(addLabel, { params: own, body: { label: "mine" } });
    await expect(send([item(FULL, "2027-01-01T00:00:00.000Z")])).rejects.toThrow(
      "external_id e: an issue has at most 200 labels",
    );

    const plan = async (labels: string[]) =>
      await w.call(applyPlan, {
        params,
        body: { plan: "p", issues: [{ name: "a", title: "Planned", labels }] },
      });
    await expect(plan(ONE_MORE)).rejects.toThrow("issues[0].labels: must be at most 200");
    expect(await plan(FULL)).toMatchObject({ created: 1 });
  });

  test("may have at most 100 items as a filter, and the refusal of a longer one names its field", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const params = project.path;
    await w.given.issue({ project, labels: ["l0"] });
    const query = { label: FILTER, exclude_label: FILTER, meta: FILTER };
    expect((await w.call(listIssues, { params, query })).issues).toEqual([]);
    const { meta: _meta, ...labels } = query;
    expect((await w.call(readyIssues, { params, query: labels })).issues).toEqual([]);
    expect((await w.call(searchIssues, { params, query: { q: "x", ...labels } })).results).toEqual(
      [],
    );
    const take = async (asked: { labels: string[]; exclude_labels: string[] }) =>
      await w.call(takeReadyIssue, { params, body: { actor: "ann", ...asked } });
    expect(await take({ labels: FILTER, exclude_labels: FILTER })).toMatchObject({ issue: null });
    for (const field of ["label", "exclude_label", "meta"])
      await expect(w.call(listIssues, { params, query: { [field]: LONG_FILTER } })).rejects.toThrow(
        `${field}: must be at most 100 items long`,
      );
    await expect(take({ labels: LONG_FILTER, exclude_labels: [] })).rejects.toThrow(
      "labels: must be at most 100 items long",
    );
  });
});
