import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { patchIssueMetadata, showIssue } from "../../src/contract/issues.ts";
import { readyIssues, whyIssue } from "../../src/contract/search.ts";
import { undoProject } from "../../src/contract/undo.ts";
import type { SourceFormat } from "../../src/domain/imports/formats.ts";
import { readSource, sendItems } from "../../src/sources/index.ts";
import { scratch } from "../archive/targets.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";
import { type Tree, writeTree } from "./markdown-trees.ts";

const TIMES = { created_at: "2026-03-01T10:00:00Z", updated_at: "2026-03-02T10:00:00Z" };

function bead(id: string, fields: object = {}): object {
  return { id, title: id, status: "open", priority: 2, issue_type: "task", ...TIMES, ...fields };
}

function edge(type: string, to: string, more: object = {}) {
  return { issue_id: "any", depends_on_id: to, type, ...more };
}

async function beadsFile(...issues: readonly object[]): Promise<string> {
  const path = join(await scratch(), "beads.jsonl");
  await writeFile(path, issues.map((one) => JSON.stringify(one)).join("\n"));
  return path;
}

async function folder(tree: Tree): Promise<string> {
  return writeTree(await scratch(), tree);
}

async function itemsOf(format: SourceFormat, path: string) {
  const file = await readSource(format, path);
  const items = new Map([...file.items].map((item) => [item.external_id, item]));
  return { items, account: file.account() };
}

/** Returns for each issue why it is parked, in the words of its source; null if it is not parked. */
async function parkedIn(format: SourceFormat, path: string) {
  const { items } = await itemsOf(format, path);
  return Object.fromEntries(
    [...items].map(([id, { metadata }]) => {
      expect(metadata["someday"] === true).toBe(metadata[`${format}.parked`] !== undefined);
      return [id, metadata[`${format}.parked`] ?? null];
    }),
  );
}

describe("an issue that its source does not offer as work is parked, with the source's own word", () => {
  test.each<[what: string, fields: object, parked: string | null]>([
    ["open", {}, null],
    ["in progress, which beads still offers", { status: "in_progress" }, null],
    ["closed", { status: "closed", issue_type: "agent", ephemeral: true }, null],
    ["blocked", { status: "blocked" }, "status blocked"],
    ["hooked", { status: "hooked" }, "status hooked"],
    ["pinned by its status", { status: "pinned" }, "status pinned"],
    ["of a status that beads does not know", { status: "in review" }, "status in review"],
    ["pinned", { pinned: true }, "pinned"],
    ["not pinned", { pinned: false, ephemeral: false, is_template: false }, null],
    ["a template", { is_template: true }, "template"],
    ["ephemeral", { ephemeral: true }, "ephemeral"],
    ["of two kinds", { status: "hooked", ephemeral: true }, "ephemeral, status hooked"],
    [
      "hooked and deferred to a day",
      { status: "hooked", defer_until: TIMES.updated_at },
      "status hooked",
    ],
    ["an agent", { issue_type: "agent" }, "type agent"],
    ["a gate", { issue_type: "gate" }, "type gate"],
    ["a merge request", { issue_type: "merge-request" }, "type merge-request"],
    ["a message", { issue_type: "message" }, "type message"],
    ["a molecule", { issue_type: "molecule" }, "type molecule"],
    ["a rig", { issue_type: "rig" }, "type rig"],
    ["a role", { issue_type: "role" }, "type role"],
    ["of a type that beads does not know", { issue_type: "story" }, null],
  ])(
    "an issue of beads is parked only if beads does not offer it as work: %s",
    async (_what, fields, parked) => {
      expect(await parkedIn("beads", await beadsFile(bead("b-1", fields)))).toEqual({
        "b-1": parked,
      });
    },
  );

  test("a step of a workflow of beads is recognised by its id too", async () => {
    const path = await beadsFile(bead("b-wisp-1"), bead("b-wisp-2", { ephemeral: true }));
    expect(await parkedIn("beads", path)).toEqual({
      "b-wisp-1": "id of a wisp",
      "b-wisp-2": "ephemeral",
    });
  });

  test("a parent waits for its open children, which stay ready, and is parked when all are closed", async () => {
    const parent = bead("b-1", { issue_type: "molecule", status: "hooked" });
    const child = (status: string) =>
      bead("b-2", { status, dependencies: [edge("parent-child", "b-1")] });
    const whileOpen = await beadsFile(parent, child("open"));
    expect(await parkedIn("beads", whileOpen)).toEqual({ "b-1": null, "b-2": null });
    expect((await itemsOf("beads", whileOpen)).account.types).toContainEqual({
      name: "molecule",
      read: 1,
      outcomes: [
        { kind: "mapped", to: "label type:molecule, waits for its open children", count: 1 },
      ],
    });
    expect(await parkedIn("beads", await beadsFile(parent, child("closed")))).toEqual({
      "b-1": "status hooked, type molecule",
      "b-2": null,
    });
  });

  test("the summary says which statuses, types and fields park an issue", async () => {
    const { account } = await itemsOf(
      "beads",
      await beadsFile(bead("b-1", { status: "hooked", issue_type: "agent", ephemeral: true })),
    );
    const to = ({ outcomes }: (typeof account.statuses)[number]) => outcomes.map((one) => one.to);
    expect(account.statuses.map(to)).toEqual([["open, label status:hooked, parked"]]);
    expect(account.types.map(to)).toEqual([["label type:agent, parked"]]);
    expect(account.fields.filter(({ name }) => name === "ephemeral").map(to)).toEqual([
      ["metadata beads.ephemeral, parked"],
    ]);
  });

  test.each<[front: string, parked: string | null]>([
    ["status: Blocked", "status blocked"],
    ["status: waiting", "status waiting"],
    ["status: Waiting for", "status waiting for"],
    ["status: Draft", "status draft"],
    ["status: on hold", "status on hold"],
    ["status: in progress", null],
    ["status: open\ndraft: true", "draft"],
    ["status: open\nblocked: true", "blocked"],
    ["status: open\ntemplate: true", "template"],
    ["status: open\ntype: template", "type template"],
    ["status: open\ndraft: false\ntemplate: bug.md", null],
    ["status: done\ndraft: true", null],
  ])(
    "the front matter of a Markdown file decides whether its issue is parked: %j",
    async (front, parked) => {
      const path = await folder({ "a.md": `---\nid: m-1\ntitle: One\n${front}\n---\n` });
      expect(await parkedIn("markdown", path)).toEqual({ "m-1": parked });
    },
  );

  test("a draft of Backlog.md, and a task whose dependency is missing, are parked", async () => {
    const task = (id: number, more: string) =>
      `---\nid: task-${id}\ntitle: T${id}\ncreated_date: '2026-03-01 09:00'\n${more}\n---\n`;
    const path = await folder({
      "config.yml": 'statuses: ["To Do", "In Progress", "Done"]\n',
      "tasks/task-1.md": task(1, "status: To Do\ndependencies: [task-2, task-3]"),
      "tasks/task-2.md": task(2, "status: Draft"),
      "tasks/task-4.md": task(4, "status: To Do\ndependencies: [task-5]"),
      "tasks/task-6.md": task(6, "status: Done\ndependencies: [task-7]"),
      "completed/task-5.md": task(5, "status: Done"),
    });
    expect(await parkedIn("backlog", path)).toEqual({
      "task-1": "dependency task-3 is missing",
      "task-2": "status draft",
      "task-4": null,
      "task-5": null,
      "task-6": null,
    });
  });

  test("issues of tbd that are blocked, deferred or on hold are parked, but not those in progress", async () => {
    const fronts = {
      a: "status: open",
      b: "status: blocked",
      c: "status: deferred",
      d: "status: open\nhold: paused",
      e: "status: open\nhold: blocked",
      f: "status: in_progress",
    };
    const path = await folder({
      ".tbd/config.yml": "display:\n  id_prefix: t\n",
      ".tbd/mappings/ids.yml": Object.keys(fronts)
        .map((id) => `${id}: "${id}"\n`)
        .join(""),
      ...Object.fromEntries(
        Object.entries(fronts).map(([id, front]) => [
          `.tbd/issues/is-${id}.md`,
          `---\nid: is-${id}\ntitle: ${id}\nkind: task\ncreated_at: ${TIMES.created_at}\nupdated_at: ${TIMES.updated_at}\n${front}\n---\n`,
        ]),
      ),
    });
    expect(await parkedIn("tbd", join(path, ".tbd"))).toEqual({
      "t-a": null,
      "t-b": "status blocked",
      "t-c": "status deferred",
      "t-d": "hold paused",
      "t-e": "hold blocked",
      "t-f": null,
    });
  });
});

describe("dependencies of beads that hold an issue back become links", () => {
  async function linksOf(id: string, ...issues: readonly object[]) {
    const { items } = await itemsOf("beads", await beadsFile(...issues));
    const { links = [], metadata = {} } = items.get(id) ?? {};
    return {
      links: links.map(({ type, target_external_id: to, incoming }) =>
        incoming === true ? `blocked by ${to}` : `${type} ${to}`,
      ),
      edges: metadata["beads.edges"],
    };
  }

  test.each(["conditional-blocks", "conditional_blocks", "waits-for", "waits_for"])(
    "an edge of type %s blocks, and the metadata keeps the name of the type",
    async (type) => {
      const two = bead("b-2", { dependencies: [edge(type, "b-1")] });
      expect(await linksOf("b-2", bead("b-1"), two)).toEqual({
        links: ["blocked by b-1"],
        edges: [{ to: "b-1", kind: type }],
      });
    },
  );

  test("an edge of type parent_child becomes a parent", async () => {
    const two = bead("b-2", { dependencies: [edge("parent_child", "b-1")] });
    expect(await linksOf("b-2", bead("b-1"), two)).toEqual({
      links: ["parent b-1"],
      edges: undefined,
    });
  });

  const family = (first: string) => [
    bead("b-1", { status: "closed" }),
    bead("b-2", { status: first, dependencies: [edge("parent-child", "b-1")] }),
    bead("b-3", { dependencies: [edge("parent-child", "b-1")] }),
  ];

  test("an edge of type waits-for makes an issue wait for its target, even a closed one, and the target's open children", async () => {
    const waiter = bead("b-4", { dependencies: [edge("waits-for", "b-1")] });
    expect((await linksOf("b-4", ...family("open"), waiter)).links).toEqual([
      "blocked by b-1",
      "blocked by b-2",
      "blocked by b-3",
    ]);
    expect((await linksOf("b-4", ...family("closed"), waiter)).links).toEqual([
      "blocked by b-1",
      "blocked by b-3",
    ]);
  });

  test("an edge of type waits-for with the gate any-children waits until the first child is closed", async () => {
    const metadata = JSON.stringify({ gate: "any-children" });
    const waiter = bead("b-4", { dependencies: [edge("waits-for", "b-1", { metadata })] });
    expect((await linksOf("b-4", ...family("open"), waiter)).links).toHaveLength(3);
    expect((await linksOf("b-4", ...family("closed"), waiter)).links).toEqual(["blocked by b-1"]);
  });

  test("a child is deferred with its parent", async () => {
    const [early, late] = ["2030-01-01T00:00:00Z", "2031-01-01T00:00:00Z"];
    const child = (id: string, more: object) =>
      bead(id, { dependencies: [edge("parent-child", "b-1")], ...more });
    const { items } = await itemsOf(
      "beads",
      await beadsFile(
        bead("b-1", { defer_until: early }),
        child("b-2", {}),
        child("b-3", { defer_until: late }),
        child("b-4", { status: "closed" }),
      ),
    );
    const until = (id: string) => items.get(id)?.metadata["scheduled_on"];
    expect(["b-1", "b-2", "b-3", "b-4"].map(until)).toEqual([
      "2030-01-01T00:00:00.000Z",
      "2030-01-01T00:00:00.000Z",
      "2031-01-01T00:00:00.000Z",
      undefined,
    ]);
  });
});

describe("Taskwarrior", () => {
  test.each([
    ["scheduled", "wait"],
    ["wait", "scheduled"],
  ])(
    "a task is scheduled at the later of %s and %s, whichever comes first in the file",
    async (...names) => {
      const times = { wait: "20300101T000000Z", scheduled: "20290101T000000Z" };
      const task = {
        uuid: "5b7d9c1e-0000-4000-8000-000000000001",
        description: "One",
        status: "pending",
        entry: "20260301T100000Z",
        ...Object.fromEntries(names.map((name) => [name, times[name as keyof typeof times]])),
      };
      const path = join(await scratch(), "tasks.json");
      await writeFile(path, JSON.stringify([task]));
      const [item] = (await itemsOf("taskwarrior", path)).items.values();
      expect(item?.metadata["scheduled_on"]).toBe("2030-01-01T00:00:00.000Z");
    },
  );
});

/** A tracker whose only issue is b-1, and the project that it is imported into. */
async function imported(open: OpenTestStore) {
  const w = await world({ store: open });
  const params = { project_id: (await w.given.project()).id };
  let version = 0;
  const bring = async (fields: object, dry_run = false) => {
    version += 1;
    const updated_at = `2026-04-01T10:00:0${version}Z`;
    const file = await readSource("beads", await beadsFile(bead("b-1", { ...fields, updated_at })));
    return await sendItems(
      file,
      async (items) =>
        await w.call(importIssues, { params, body: { source: "beads", items, dry_run } }),
      () => undefined,
    );
  };
  await bring({ status: "hooked" });
  const at = { ...params, ref: "b-1" };
  const patch = async (someday: true | null) =>
    await w.call(patchIssueMetadata, { params: at, body: { patch: { someday }, actor: "bea" } });
  return {
    ...{ w, at, params, bring },
    park: async () => await patch(true),
    unpark: async () => await patch(null),
    parked: async (): Promise<JsonObject> => {
      const { metadata } = (await w.call(showIssue, { params: at })).issue;
      const { someday = false, "beads.parked": word = null } = metadata;
      return { someday, word };
    },
    isReady: async () => {
      const { issues } = await w.call(readyIssues, { params, query: {} });
      return issues.length > 0;
    },
  };
}

describeStore("an issue that an import parked", (open) => {
  test("is not ready, and svc why names the source's word", async () => {
    const on = await imported(open);
    expect(await on.parked()).toEqual({ someday: true, word: "status hooked" });
    expect(await on.isReady()).toBe(false);
    expect((await on.w.call(whyIssue, { params: on.at })).reasons).toEqual([
      { reason: "parked", by_source: "beads: status hooked" },
    ]);
    await on.unpark();
    await on.w.call(patchIssueMetadata, {
      params: on.at,
      body: { patch: { someday: true, "beads.parked": null }, actor: "ann" },
    });
    expect((await on.w.call(whyIssue, { params: on.at })).reasons).toEqual([{ reason: "parked" }]);
  });

  test("is ready again when its source offers it, and a dry run shows this in advance", async () => {
    const on = await imported(open);
    const tried = await on.bring({}, true);
    expect(tried.items.map(({ changed }) => changed)).toEqual([
      ["label.status:hooked", "metadata.beads.parked", "metadata.someday"],
    ]);
    expect(await on.isReady()).toBe(false);
    await on.bring({});
    expect(await on.parked()).toEqual({ someday: false, word: null });
    expect(await on.isReady()).toBe(true);
    await on.bring({ pinned: true });
    expect(await on.parked()).toEqual({ someday: true, word: "pinned" });
    await expectFolded(on.w.store);
  });

  test("an issue that somebody parked again in svc stays parked when its source offers it as work again", async () => {
    const on = await imported(open);
    await on.unpark();
    await on.park();
    const { conflicts } = await on.bring({});
    expect(conflicts).toEqual([]);
    expect(await on.parked()).toEqual({ someday: true, word: null });
    await on.bring({ title: "Two" });
    expect(await on.parked()).toEqual({ someday: true, word: null });
  });

  test("an issue that somebody parked in svc before an import parked it stays parked when its source offers it as work again", async () => {
    const on = await imported(open);
    await on.bring({});
    await on.park();
    await on.bring({ status: "blocked" });
    expect(await on.parked()).toEqual({ someday: true, word: "status blocked" });
    await on.bring({});
    expect(await on.parked()).toEqual({ someday: true, word: null });
    await on.unpark();
    await on.bring({ title: "Two" });
    expect(await on.parked()).toEqual({ someday: false, word: null });
  });

  test("an issue that somebody unparked in svc stays unparked, whichever word its source says", async () => {
    const on = await imported(open);
    await on.unpark();
    await on.bring({ status: "hooked", title: "Two" });
    expect(await on.parked()).toEqual({ someday: false, word: "status hooked" });
    await on.bring({ status: "blocked" });
    expect(await on.parked()).toEqual({ someday: false, word: "status blocked" });
    expect(await on.isReady()).toBe(true);
  });

  test("counts as parked by the import again after an undo of the local change that unparked it", async () => {
    const on = await imported(open);
    await on.unpark();
    const body = { of_actor: "bea", since: "2000-01-01T00:00:00Z", actor: "ann" };
    const plan = await on.w.call(undoProject, {
      params: on.params,
      body: { ...body, dry_run: true },
    });
    const headers = { "x-svc-confirm": plan.confirm };
    await on.w.call(undoProject, { params: on.params, body, headers });
    expect(await on.parked()).toEqual({ someday: true, word: "status hooked" });
    await on.bring({});
    expect(await on.parked()).toEqual({ someday: false, word: null });
  });
});
