import { spawn } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inRows } from "../../../src/cli/output/in-rows.ts";
import { PARSED_BYTES } from "../../../src/cli/output/json-scan.ts";

const answerOf = (json: string) => ({
  json,
  bytes: Buffer.from(json),
  body: (): { readonly rows: readonly unknown[] } => JSON.parse(json),
});

const plain = ({ rows, ...head }: { readonly rows: Iterable<unknown> }) => ({
  ...head,
  rows: [...rows],
});

/** Reads each answer row by row, however short it is. */
const ROW_BY_ROW = 0;

test("an answer that is read row by row equals the answer read as a whole", () => {
  const heads = fc.dictionary(
    fc.string({ unit: "binary" }).filter((name) => name !== "rows" && name !== "__proto__"),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(heads, fc.array(fc.jsonValue()), heads, (before, rows, after) => {
      const json = JSON.stringify({ ...before, rows, ...after });
      const read = inRows(answerOf(json), "rows", ROW_BY_ROW).body();
      expect(plain(read)).toEqual(JSON.parse(json));
      expect(read.rows.length).toBe(rows.length);
      expect(read.rows.at(rows.length - 1)).toEqual(JSON.parse(json).rows.at(-1));
    }),
  );
});

test.each([
  ['{ "rows": [1, {"a": [2]}] }'],
  ['{"rows":[ 1 , 2 ]}'],
  ['{"r\\u006fws":[1]}'],
  ['{"rows":[]}'],
])("the answer %s is read row by row, however it is formatted", (json) => {
  expect(plain(inRows(answerOf(json), "rows", ROW_BY_ROW).body())).toEqual(JSON.parse(json));
});

test.each([['{"rows":[1,2'], ['{"rows":[{"a":"]}'], ['{"rows":[1]'], ['{"rows":[1}'], ['{"rows"']])(
  "the answer %s is refused, since it ends too early",
  (json) => {
    expect(() => [...inRows(answerOf(json), "rows", ROW_BY_ROW).body().rows]).toThrow(/JSON/);
  },
);

test("a short answer is parsed once, as a whole", () => {
  const { rows } = inRows(answerOf('{"rows":[{"a":1}]}'), "rows").body();
  expect(rows.at(0)).toBe(rows.at(0));
});

test("a long answer is parsed row by row", () => {
  const json = JSON.stringify({ rows: [{ a: "x".repeat(PARSED_BYTES) }] });
  const { rows } = inRows(answerOf(json), "rows").body();
  expect(rows.at(0)).not.toBe(rows.at(0));
});

const file = (name: string) => JSON.stringify(join(import.meta.dirname, "../../../src/cli", name));

const ISSUE = {
  uid: "01J00000000000000000000000",
  short_id: "abc4",
  qualified_id: "web#abc4",
  title: "an issue among many",
  status: "open",
  labels: ["bug"],
  body: "x".repeat(1000),
};
const EVENT = {
  event_id: 1,
  type: "issue.updated",
  project_name: "web",
  actor: "ann",
  created_at: "2026-01-01T00:00:00.000Z",
  payload: { body: "x".repeat(1000) },
};

test.each([
  ["list", "human", ISSUE, "listView({ all: true })", 100_005],
  ["list", "agent", ISSUE, "listView({ all: true })", 100_001],
  ["ready", "human", ISSUE, "readyView({ all: true })", 100_004],
  ["ready", "agent", ISSUE, "readyView({ all: true })", 100_001],
  ["events", "human", EVENT, "eventsView", 100_000],
  ["events", "agent", EVENT, "eventsView", 100_001],
])(
  "svc %s prints 100,000 rows as %s output with a heap of 64 MB",
  async (name, mode, row, view, lines) => {
    const list = name === "events" ? "events" : "issues";
    const program = `
    import { SvcCommand } from ${file("bases/svc-command.ts")};
    import { inRows } from ${file("output/in-rows.ts")};
    import { processContext } from ${file("process-context.ts")};
    const command = Object.create(SvcCommand.prototype);
    command.mode = ${JSON.stringify(mode)};
    command.globals = {};
    command.context = processContext();
    const row = ${JSON.stringify(JSON.stringify(row))};
    const size = row.length + 1;
    const start = '{"${list}":[';
    const bytes = Buffer.alloc(start.length + size * 100_000 + 1);
    bytes.write(start, 0);
    for (let at = 0; at < 100_000; at++) {
      const place = bytes.write(row, start.length + at * size) + start.length + at * size;
      bytes.write(at === 99_999 ? "]}" : ",", place);
      const uid = '"uid":"';
      if (row.startsWith('{' + uid))
        bytes.write(String(at).padStart(26, "0"), start.length + at * size + 1 + uid.length);
    }
    const answer = { bytes, get json() { return bytes.toString(); }, body: () => JSON.parse(bytes.toString()) };
    await SvcCommand.prototype.print.call(
      command,
      inRows(answer, "${list}"),
      ${JSON.stringify(name === "events" ? "events" : "list")},
      ({ ${view.replace(/\(.*/, "")} }) => ${view},
    );`;
    const child = spawn(
      process.execPath,
      ["--max-old-space-size=64", "--input-type=module", "--eval", program],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    let printed = 0;
    child.stdout.on("data", (piece: Buffer) => {
      printed += piece.toString("latin1").split("\n").length - 1;
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect(code).toBe(0);
    expect(printed).toBe(lines);
  },
  60_000,
);
