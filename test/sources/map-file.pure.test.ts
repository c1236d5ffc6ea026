import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { parseToml } from "../../src/config/toml.ts";
import { BEADS, readBeads } from "../../src/sources/beads/read.ts";
import { readLines } from "../../src/sources/files/lines.ts";
import { mapSource } from "../../src/sources/neutral/map.ts";
import { mappingOf, mergeMappings } from "../../src/sources/neutral/map-file.ts";
import { reportAccount } from "../../src/sources/neutral/report.ts";
import { NEUTRAL, readNeutral } from "../../src/sources/neutral-form/read.ts";

const DOCS = readFileSync(join(import.meta.dirname, "../../docs/import.md"), "utf8");
const EXAMPLE = DOCS.split("## A mapping file")[1]?.split("```toml\n")[1]?.split("```")[0] ?? "";

async function rules(toml: string) {
  return mappingOf((await parseToml(toml, "map.toml")) as JsonObject, "map.toml");
}

const time = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-02T00:00:00Z" };

function linesOf(records: readonly object[]) {
  const text = records.map((one) => JSON.stringify({ title: "T", ...time, ...one })).join("\n");
  return readLines(Readable.from([Buffer.from(text)]));
}

async function neutral(toml: string, ...records: readonly object[]) {
  const mapping = mergeMappings(NEUTRAL.mapping, await rules(toml));
  const file = mapSource(NEUTRAL, await readNeutral(linesOf(records), mapping), mapping, true);
  return { items: [...file.items], removed: file.removed, account: file.account() };
}

async function beads(toml: string, ...records: readonly object[]) {
  const mapping = mergeMappings(BEADS.mapping, await rules(toml));
  const file = mapSource(BEADS, await readBeads(linesOf(records)), mapping, true);
  return { items: [...file.items], removed: file.removed, account: file.account() };
}

const SOURCE = [
  { id: "P-1", status: "in progress", type: "story" },
  { id: "P-2", status: "in review", links: [{ type: "is child of", to: "P-1" }] },
  { id: "P-3", status: "someday", links: [{ type: "is caused by", to: "P-2" }] },
  { id: "P-4", status: "resolved", links: [{ type: "mentioned in", to: "P-1" }] },
  { id: "P-5", status: "won't do", type: "bug" },
  { id: "P-6", status: "removed" },
  { id: "P-7", type: "event", links: [{ type: "related", to: "P-1" }] },
  { id: "P-8", type: "event", status: "closed" },
  { id: "P-9", links: [{ type: "blocks", to: "P-8" }] },
];

describe("a mapping file", () => {
  test("works as documented for the example of the documentation", async () => {
    const { items, removed, account } = await neutral(EXAMPLE, ...SOURCE);
    const brief = items.map((item) => [
      item.external_id,
      item.status,
      item.closed_reason,
      item.labels.join(" "),
      (item.links ?? []).map((link) => `${link.type} ${link.target_external_id}`).join(" "),
    ]);
    expect(brief).toEqual([
      ["P-1", "open", undefined, "feature", ""],
      ["P-2", "open", undefined, "in-review", "parent P-1"],
      ["P-3", "open", undefined, "", "blocks P-2"],
      ["P-4", "closed", "done", "", ""],
      ["P-5", "closed", "wontfix", "declined type:bug", ""],
      ["P-9", "open", undefined, "", ""],
    ]);
    expect(items[2]?.metadata).toMatchObject({ someday: true });
    expect(items[3]?.metadata).not.toHaveProperty(["neutral.edges"]);
    expect(items[5]?.metadata).toMatchObject({ "neutral.edges": [{ to: "P-8", kind: "blocks" }] });
    expect(removed).toEqual(["P-6"]);
    expect(account).toMatchObject({
      issues: 9,
      kept: 6,
      tombstones: 1,
      no_work: [{ type: "event", ids: ["P-7", "P-8"] }],
      unmapped: { statuses: [], types: ["bug"], links: [] },
    });
  });

  test("reports what was left out and what has no rule", async () => {
    const { account } = await neutral(EXAMPLE, ...SOURCE);
    const text = reportAccount(account);
    expect(text.split("\n")[0]).toBe(
      "9 issues read, 6 for svc; 1 tombstones left out; 2 that are no work left out",
    );
    expect(text).toContain("Left out, since type event is no work\n  2: P-7, P-8");
    expect(text).toContain("Without a rule in the mapping file: types\n  bug");
  });

  test("takes precedence over the words of beads that svc knows", async () => {
    const map = `
      [statuses]
      hooked = "closed"
      deferred = "wontfix"
      [types]
      message = "ignore"
      [links]
      tracks = "blocked-by"
      related = "ignore"
    `;
    const edge = (type: string, depends_on_id: string) => ({ type, depends_on_id });
    const { items, account } = await beads(
      map,
      { id: "b-1", status: "hooked", issue_type: "task" },
      { id: "b-2", status: "deferred", dependencies: [edge("tracks", "b-1")] },
      { id: "b-3", issue_type: "message" },
      { id: "b-4", status: "open", dependencies: [edge("related", "b-1"), edge("until", "b-2")] },
    );
    expect(items).toMatchObject([
      { status: "closed", closed_reason: "done", labels: ["type:task"] },
      {
        status: "closed",
        closed_reason: "wontfix",
        links: [{ type: "blocks", incoming: true, target_external_id: "b-1" }],
      },
      { links: [{ type: "related", target_external_id: "b-2" }] },
    ]);
    expect(account).toMatchObject({
      no_work: [{ type: "message", ids: ["b-3"] }],
      unmapped: { statuses: [], types: ["task"], links: ["until"] },
    });
  });
});

describe("a wrong mapping file is refused with the key and the remedy", () => {
  test.each([
    ["", "map.toml is empty: there are statuses, types, links"],
    ['[status]\nx = "open"', "map.toml: status is no key of a mapping file: write statuses"],
    ["statuses = 1", "map.toml: statuses is not a table of words and rules"],
    [
      '[statuses]\ndone = "finished"',
      "map.toml: statuses.done is none of open, closed, deleted, done",
    ],
    ["[statuses]\ndone = 1", "map.toml: statuses.done is neither a word nor a table"],
    ["[statuses]\ndone = 2026-01-01", "map.toml: statuses.done is empty"],
    [
      '[statuses]\n"in x" = { statu = "open" }',
      'map.toml: statuses."in x".statu is no key of a mapping file: write status',
    ],
    [
      '[statuses]\nx = { status = "shut" }',
      "map.toml: statuses.x.status is none of open, closed, deleted",
    ],
    [
      '[statuses]\nx = { reason = "fixed" }',
      "map.toml: statuses.x.reason is none of done, wontfix",
    ],
    [
      '[statuses]\nx = { status = "open", reason = "done" }',
      'statuses.x.reason goes with status = "closed" only',
    ],
    [
      '[statuses]\nx = { status = "closed", someday = true }',
      'statuses.x.someday goes with status = "open" only',
    ],
    ['[statuses]\nx = { label = "In Review" }', 'statuses.x.label is no label: write "in-review"'],
    ['[types]\nbug = "Big Bug"', 'map.toml: types.bug is no label: write "big-bug"'],
    ["[types]\nbug = false", "map.toml: types.bug is not a label in quotes"],
    ['[links]\nx = "blocked_by"', "map.toml: links.x is no type of link: write blocked-by"],
    [
      '[links]\nx = "upstream"',
      "map.toml: links.x is none of parent, child, blocks, blocked-by, related, ignore",
    ],
  ])("a wrong mapping file is refused with the key and the remedy: %j", async (toml, message) => {
    await expect(rules(toml)).rejects.toMatchObject({
      code: "validation",
      message: expect.stringContaining(message),
    });
  });
});
