import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mapSource } from "../../src/sources/neutral/map.ts";
import { reportAccount } from "../../src/sources/neutral/report.ts";
import { readTaskwarrior, TASKWARRIOR } from "../../src/sources/taskwarrior/read.ts";

const SMALL = readFileSync(join(import.meta.dirname, "fixtures/taskwarrior-small.json"), "utf8");

const uuid = (digit: number) => `5b7d9c1e-2f4a-4c6b-8d0e-${String(digit).repeat(12)}`;

async function mapText(text: string) {
  const file = mapSource(TASKWARRIOR, await readTaskwarrior(text), TASKWARRIOR.mapping);
  return { ...file, items: [...file.items] };
}

function task(fields: object = {}): object {
  return {
    uuid: uuid(1),
    description: "T",
    status: "pending",
    entry: "20260101T090000Z",
    modified: "20260102T090000Z",
    ...fields,
  };
}

async function mapOne(fields: object) {
  const { items } = await mapText(JSON.stringify(task(fields)));
  const [item] = items;
  if (item === undefined) throw new Error("the task was left out");
  return item;
}

describe("an export of Taskwarrior", () => {
  test("gives a completed task its times, priority, project, tags and annotations", async () => {
    const { items } = await mapText(SMALL);
    expect(items[0]).toEqual({
      external_id: uuid(1),
      title: "Order the seeds",
      author: "unknown",
      body: "",
      status: "closed",
      closed_at: "2026-01-03T10:15:00.000Z",
      closed_reason: "done",
      created_at: "2026-01-01T09:00:00.000Z",
      updated_at: "2026-01-03T10:15:00.000Z",
      priority: 1,
      labels: ["buy", "next", "project:garden.spring"],
      metadata: { "taskwarrior.id": uuid(1), "taskwarrior.project": "Garden.Spring" },
      links: [],
      comments: [
        {
          external_id: expect.stringContaining(`${uuid(1)}/~`),
          author: "unknown",
          body: "the shop in Ghent has them",
          created_at: "2026-01-02T12:00:00.000Z",
        },
        {
          external_id: expect.stringContaining(`${uuid(1)}/~`),
          author: "unknown",
          body: "paid",
          created_at: "2026-01-03T10:14:00.000Z",
        },
      ],
    });
  });

  test("makes a task wait for its dependencies, and keeps dates and custom attributes", async () => {
    const { items } = await mapText(SMALL);
    expect(items.find(({ external_id }) => external_id === uuid(2))).toMatchObject({
      status: "open",
      labels: ["project:garden.spring", "status:active"],
      links: [
        { type: "blocks", target_external_id: uuid(1), incoming: true },
        { type: "blocks", target_external_id: uuid(3), incoming: true },
      ],
      metadata: {
        deadline_on: "2026-04-01T22:00:00.000Z",
        scheduled_on: "2026-03-20T23:00:00.000Z",
        "taskwarrior.start": "2026-01-05T08:00:00.000Z",
        "taskwarrior.estimate": "PT3H",
      },
    });
  });

  test("names deleted tasks as removed, and leaves out and counts templates of recurring ones", async () => {
    const { items, removed, account } = await mapText(SMALL);
    expect(removed).toEqual([uuid(4)]);
    expect(items.map(({ external_id }) => external_id)).toEqual([1, 2, 3, 6, 7].map(uuid));
    expect(account().other_records).toEqual({ "recurring template": 1 });
    expect(items[3]?.metadata).toEqual({
      deadline_on: "2026-05-01T06:00:00.000Z",
      "taskwarrior.id": uuid(6),
      "taskwarrior.parent": uuid(5),
      "taskwarrior.recur": "weekly",
      "taskwarrior.imask": 0,
    });
  });

  test("reports where every field went, and keeps nothing that changes with time", async () => {
    const { account } = await mapText(SMALL);
    const report = reportAccount(account());
    expect(report).toContain("1 records of type recurring template left out");
    expect(report).toContain("metadata taskwarrior.estimate");
    for (const { name, read, outcomes } of account().fields)
      expect([name, outcomes.reduce((sum, { count }) => sum + count, 0)]).toEqual([name, read]);
    const left = account().fields.filter(({ name }) => name === "id" || name === "urgency");
    expect(left.map(({ outcomes }) => outcomes[0]?.kind)).toEqual(["dropped", "dropped"]);
  });

  test.each([
    ["pending", "open", []],
    ["waiting", "open", ["status:waiting"]],
    ["completed", "closed", []],
    ["frozen", "open", ["status:frozen"]],
  ])("turns status %s into %s", async (status, expected, labels) => {
    expect(await mapOne({ status })).toMatchObject({ status: expected, labels });
  });

  test.each([
    ["H", 1],
    ["M", 2],
    ["L", 3],
    ["X", undefined],
  ])("turns priority %s into %s", async (priority, expected) => {
    const item = await mapOne({ priority });
    expect(item.priority).toBe(expected);
    expect(item.metadata["taskwarrior.priority"]).toBe(expected === undefined ? "X" : undefined);
  });

  test.each<[string, object, object]>([
    ["wait", { wait: "20270101T000000Z" }, { scheduled_on: "2027-01-01T00:00:00.000Z" }],
    [
      "the later of wait and scheduled",
      { wait: "20270101T000000Z", scheduled: "20270201T000000Z" },
      { scheduled_on: "2027-02-01T00:00:00.000Z", "taskwarrior.wait": "2027-01-01T00:00:00.000Z" },
    ],
    ["wait:someday", { wait: "99991230T000000Z" }, { someday: true }],
    ["until", { until: "20270101T000000Z" }, { "taskwarrior.until": "2027-01-01T00:00:00.000Z" }],
  ])("takes the time from which the issue is ready from %s", async (_name, fields, metadata) => {
    expect((await mapOne(fields)).metadata).toEqual({ "taskwarrior.id": uuid(1), ...metadata });
  });

  test("may be of an older form, with commas in dependencies and tags, and one task per line", async () => {
    const text = [
      task({ depends: `${uuid(2)},${uuid(3)}`, tags: "a, b" }),
      task({ uuid: uuid(2) }),
      task({ uuid: uuid(3).toUpperCase() }),
    ]
      .map((one) => JSON.stringify(one))
      .join("\n");
    const { items } = await mapText(text);
    expect(items.map(({ external_id }) => external_id)).toEqual([uuid(1), uuid(2), uuid(3)]);
    expect(items[0]).toMatchObject({
      labels: ["a", "b"],
      links: [{ target_external_id: uuid(2) }, { target_external_id: uuid(3) }],
    });
  });

  test("may be empty and then has no tasks", async () => {
    expect((await mapText("[\n]\n")).count).toBe(0);
  });
});

describe("a file that is no export of Taskwarrior", () => {
  test.each<[string, string, string]>([
    ["cut off in the list", '[\n{"uuid":"x"', "line 2: an object that begins here does not end"],
    ["cut off between tasks", `[\n${JSON.stringify(task())},\n`, "line 3: the list does not end"],
    ["no JSON", "hello", "line 1: not JSON objects"],
    ["a broken value", `[\n${JSON.stringify(task())},\n{"uuid": nope}\n]`, "line 3: not JSON"],
    ["no uuid", JSON.stringify(task({ uuid: undefined })), "line 1: a task without uuid"],
    [
      "no status",
      `\n\n${JSON.stringify(task({ status: undefined }))}`,
      `line 3: task ${uuid(1)} has no status`,
    ],
    ["a wrong uuid", JSON.stringify(task({ uuid: "7" })), "line 1: 7 is no uuid"],
    [
      "a wrong date",
      JSON.stringify(task({ due: "tomorrow" })),
      `line 1: task ${uuid(1)}: due is no date`,
    ],
    [
      "a wrong dependency",
      JSON.stringify(task({ depends: ["3"] })),
      `line 1: task ${uuid(1)} depends on 3`,
    ],
    [
      "no date",
      JSON.stringify(task({ entry: undefined, modified: undefined })),
      "has no entry date",
    ],
    [
      "issues of GitHub",
      '{"number":1,"title":"a","state":"OPEN"}',
      "line 1: this looks like github, not like taskwarrior",
    ],
    [
      "issues of beads",
      '{"id":"bd-1","title":"a","issue_type":"task"}',
      "line 1: this looks like beads, not like taskwarrior",
    ],
  ])("is refused with line and remedy: %s", async (_name, text, message) => {
    const refusal: unknown = await readTaskwarrior(text).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "validation", hint: expect.any(String) as string });
    expect((refusal as Error).message).toContain(message);
    expect((refusal as Error).message).toContain("; nothing was written");
  });

  test("20,000 tasks are read in one pass", async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) =>
      JSON.stringify(
        task({ uuid: `5b7d9c1e-2f4a-4c6b-8d0e-${String(at).padStart(12, "0")}`, tags: ["a"] }),
      ),
    );
    expect((await mapText(`[\n${lines.join(",\n")}\n]\n`)).items).toHaveLength(20_000);
  });
});
