import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundedLines } from "../../src/cli/render/bounded.ts";
import { agentRow, fitToRoom } from "../../src/cli/render/list.ts";
import { AGENT_ROW_BYTES, TEXT_BUDGET_BYTES } from "../../src/contract/list-budget.ts";
import { projectWorld } from "./harness.ts";

const ISSUE = {
  id: 1,
  uid: "01",
  short_id: "abc4",
  qualified_id: "web#abc4",
  title: "t",
  status: "open" as const,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};

describe("a row of a list for agents", () => {
  test("takes at most 150 bytes, whatever id, owner, title and labels it has", () => {
    const given = fc.record({
      title: fc.string({ minLength: 1, maxLength: 1024, unit: "grapheme" }),
      labels: fc.array(fc.stringMatching(/^[a-z:]{1,64}$/), { maxLength: 12 }),
      priority: fc.option(fc.nat(4), { nil: undefined }),
      owner: fc.string({ minLength: 1, maxLength: 256, unit: "grapheme" }),
      project: fc.string({ minLength: 1, maxLength: 256, unit: "grapheme" }),
    });
    fc.assert(
      fc.property(given, ({ project, ...fields }) => {
        const uid = "01M83N3JEEJ87KGZ1HRFHH1JKN";
        const issue = { ...ISSUE, ...fields, uid, qualified_id: `${project}#abc4` };
        for (const ref of [issue.short_id, issue.qualified_id]) {
          const row = agentRow(issue, ref);
          expect(Buffer.byteLength(row)).toBeLessThanOrEqual(AGENT_ROW_BYTES);
          expect(row).toMatch(/^- issue=(.*#?abc4"?|01M83N3JEEJ87KGZ1HRFHH1JKN) status=open/s);
        }
      }),
    );
  });

  test("is shown whole if it fits, and says how many labels it leaves out", () => {
    expect(agentRow({ ...ISSUE, labels: ["bug"], title: "Crash on start" }, "web#abc4")).toBe(
      '- issue=web#abc4 status=open labels=bug title="Crash on start"',
    );
    const labels = Array.from({ length: 9 }, (_, n) => `a-label-of-some-length-${n}`);
    const row = agentRow({ ...ISSUE, labels, title: "Crash on start" }, "abc4");
    expect(row).toMatch(
      /^- issue=abc4 status=open labels=\S+ title="Crash on start" more_labels=6$/,
    );
  });
});

test("a list keeps its first rows as long as they fit its budget, and names the position to continue from", () => {
  const issues = Array.from({ length: 300 }, (_, n) => ({ ...ISSUE, id: n, title: `issue ${n}` }));
  const room = { all: false, limit: 200, order: "recent", forAgent: true } as const;
  const page = fitToRoom({ issues }, { ...room, bytes: 1000 });
  const last = page.issues.at(-1)?.id;
  expect(page).toMatchObject({
    truncated: true,
    next_after: `2026-01-01T00:00:00.000Z_${last}`,
  });
  expect(fitToRoom({ issues }, { ...room, bytes: 1 }).issues).toHaveLength(1);
  expect(fitToRoom({ issues }, { ...room, bytes: undefined })).toEqual({ issues });
  const two = { issues: issues.slice(0, 2) };
  expect(fitToRoom(two, { ...room, bytes: 1000 })).toEqual(two);
});

test("the first line of an answer that is already marked as cut is not marked twice", () => {
  const text = ["OK holders count=2 truncated=true now=x", "- one", "- two"];
  expect(boundedLines(text, 70, true).lines).toEqual([text[0]]);
});

test("a text that exceeds its budget is cut between two lines, and an open code fence is closed", () => {
  const text = ["OK x", "Body:", "```text", ...Array.from({ length: 99 }, () => "a line"), "```"];
  const { lines, left } = boundedLines(text.join("\n"), 300, true);
  expect(left).toBe(true);
  expect(lines[0]).toBe("OK x truncated=true");
  expect(lines.at(-1)).toBe("```");
  expect(Buffer.byteLength(lines.join("\n"))).toBeLessThanOrEqual(300);
  expect(boundedLines(text, 100_000, true)).toEqual({ lines: text, left: false });
});

/** How many rows an answer has, in whatever form. */
function rowsIn(out: string, mode: string | undefined): number {
  if (mode !== "--json") return out.trimEnd().split("\n").length;
  const lists = Object.values(JSON.parse(out)).filter((value) => Array.isArray(value));
  return Math.max(...lists.map((list) => list.length));
}

async function five() {
  const w = await projectWorld();
  for (let n = 0; n < 5; n++)
    await w.issue(`issue number ${n}`, "--body", "a body ".repeat(300), "--label", "some-label");
  return w;
}

describe("answers with a budget", () => {
  test("a list that is cut says so, and --after continues it", async () => {
    const w = await five();
    for (const command of ["list", "ready"]) {
      const ids: string[] = [];
      for (let after: readonly string[] = [], more = true; more; ) {
        const { out, err } = await w.run([command, "--agent", "--max-bytes", "600", ...after]);
        expect(Buffer.byteLength(out)).toBeLessThanOrEqual(600);
        ids.push(...[...out.matchAll(/issue=(\w+)/g)].map(([, id = ""]) => id));
        const place = /next_after=(\S+)/.exec(out)?.[1];
        expect(out.startsWith(`OK ${command} count=`)).toBe(true);
        expect(out.includes("truncated=true")).toBe(place !== undefined);
        expect(err.includes(`--after ${place} goes on`)).toBe(place !== undefined);
        more = place !== undefined;
        after = ["--after", place ?? ""];
      }
      expect(new Set(ids).size).toBe(5);
      expect(ids).toHaveLength(5);
    }
    const { err } = await w.run(["list", "--max-bytes", "600"]);
    expect(err).toMatch(/^\.\.\. showing \d \(--max-bytes 0 shows more, --after \S+ goes on\)\n$/);
  });

  test("JSON output includes bodies only on request, and says where a list was cut", async () => {
    const w = await five();
    const json = async (...words: string[]) => JSON.parse(await w.ok([...words, "--json"]));
    for (const command of [["list"], ["list", "--all"], ["ready"], ["search", "issue"]]) {
      const bare = await json(...command);
      const rows = (bare.issues ?? bare.results).map((row: { issue?: object }) => row.issue ?? row);
      expect(rows).toHaveLength(5);
      expect(rows[0]).not.toHaveProperty("body");
      expect(bare).toMatchObject({ count: 5 });
      expect(bare).not.toHaveProperty("truncated");
      const full = await json(...command, "--full");
      const whole = (full.issues ?? full.results).map((r: { issue?: object }) => r.issue ?? r);
      expect(whole[0].body).toContain("a body");
    }
    const cut = JSON.parse(await w.cut(["list", "--json", "--max-bytes", "2500"]));
    expect(cut).toMatchObject({ truncated: true, count: cut.issues.length });
    const rest = await json("list", "--after", cut.next_after);
    expect(cut.issues.length + rest.issues.length).toBe(5);
    const titles = ["list", "--json", "--fields", "title,owner", "--limit", "1"];
    const named = JSON.parse(await w.cut(titles));
    expect(named.issues).toEqual([{ title: "issue number 4" }]);
    expect((await w.refused(["list", "--json", "--fields", "name"])).err).toContain(
      "is none of id,",
    );
    expect((await w.refused(["list", "--max-bytes", "-1"])).code).toBe(3);
  });

  test("an agent gets the newest comments of an issue, and a count of those left out", async () => {
    const w = await projectWorld();
    const id = await w.issue("large", "--body", "word ".repeat(3000));
    for (let n = 0; n < 6; n++)
      await w.ok(["comment", id, "-m", `comment ${n} ${"said ".repeat(500)}`]);
    const out = await w.cut(["show", id, "--agent"]);
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(TEXT_BUDGET_BYTES);
    expect(out).toMatch(/^OK show truncated=true\n/);
    expect(out).toContain("comment 5");
    expect(out).not.toContain("comment 0");
    expect(out).toMatch(
      new RegExp(
        `\nMissing: body \\d+ of 15000 bytes, \\d of 6 comments; all of it: svc show ${id} --agent --max-bytes 0\n$`,
      ),
    );
    const whole = await w.ok(["show", id, "--agent", "--max-bytes", "0"]);
    expect(whole).toMatch(/^OK show\n/);
    for (const text of ["comment 0", "comment 5", "word ".repeat(2999)])
      expect(whole).toContain(text);
    expect(await w.ok(["show", id])).toContain("comment 0");
    const json = JSON.parse(await w.cut(["show", id, "--json", "--max-bytes", "20000"]));
    expect(json).toMatchObject({ truncated: true, comment_count: 6, child_count: 0 });
    expect(json.issue.body.trim()).toBe("word ".repeat(3000).trim());
  });

  test("a feed that was cut by the budget continues after the last event that was printed", async () => {
    const w = await five();
    for (const command of [["events"], ["digest", "--since", "1000d"]])
      expect((await w.cut([...command, "--agent", "--max-bytes", "300"])).length).toBeLessThan(301);
    const out = await w.cut(["events", "--agent", "--max-bytes", "400"]);
    const next = /^OK events count=\d+ next=(\d+) truncated=true\n/.exec(out)?.[1];
    expect(out).toContain(`- id=${next} `);
    expect(out).not.toContain(`- id=${Number(next) + 1} `);
    expect(await w.ok(["events", "--agent", "--after", next ?? ""])).toContain(
      `- id=${Number(next) + 1} `,
    );
  });

  test("with -q, people get every row, and agents get no more than their budget", async () => {
    const w = await projectWorld();
    for (let n = 0; n < 11; n++) await w.issue(`${n} ${"long ".repeat(180)}`);
    const id = await w.issue("told often");
    for (let n = 0; n < 9; n++)
      await w.ok(["comment", id, "-m", `comment ${n} ${"x".repeat(900)}`]);
    for (const command of [["list"], ["ready"]]) {
      const lines = (await w.ok([...command, "-q"])).trimEnd().split("\n");
      expect(lines).toHaveLength(12);
    }
    for (const command of [["log", id], ["events"]]) {
      const out = await w.cut([...command, "-q", "--agent", "--max-bytes", "900"]);
      expect(Buffer.byteLength(out)).toBeLessThanOrEqual(900);
      expect(out).toContain("truncated=true");
    }
  });

  test("--limit lifts the budget in every form of output, and --max-bytes sets it again", async () => {
    const w = await projectWorld();
    const blocked = await w.issue("blocked by all");
    for (let n = 0; n < 60; n++) {
      const words = [
        "--body",
        "a body ".repeat(400),
        "--owner",
        `worker-${n}`,
        "--blocks",
        blocked,
      ];
      await w.issue(`${"a long title ".repeat(40)}${n}`, ...words);
    }
    for (let n = 0; n < 12; n++) await w.ok(["comment", blocked, "-m", "said ".repeat(400)]);
    const commands: readonly (readonly [number, ...string[]])[] = [
      [61, "list"],
      [61, "list", "--all"],
      [61, "list", "--full"],
      [60, "ready"],
      [60, "search", "long"],
      [60, "search", "long", "--full"],
      [60, "holders"],
      [63, "events"],
      [12, "log", blocked],
      [60, "graph", "--critical-path"],
    ];
    for (const [rows, ...words] of commands) {
      for (const mode of [[], ["--agent"], ["--json"], ["-q"]]) {
        const asked = [...words, "--limit", "100", ...mode];
        const { out, err } = await w.run(asked);
        expect({ asked, err }).toEqual({ asked, err: "" });
        const least = mode[0] === "-q" ? 0 : rows;
        expect({ asked, rows: rowsIn(out, mode[0]) >= least }).toEqual({ asked, rows: true });
        if (mode[0] === "-q") continue;
        const small = await w.cut([...asked, "--max-bytes", "1500"]);
        expect(Buffer.byteLength(small), asked.join(" ")).toBeLessThan(Buffer.byteLength(out) / 2);
      }
    }
  }, 120_000);

  test("a list of the past that is cut has no position to continue from", async () => {
    const w = await five();
    const { events } = JSON.parse(await w.ok(["events", "--json"]));
    const at = String(events.at(-1).event_id);
    const human = await w.run(["list", "--at", at, "--max-bytes", "600"]);
    expect(human.err).toContain("--max-bytes 0 shows more)");
    for (const command of ["list", "ready"]) {
      const { out } = await w.run([command, "--at", at, "--max-bytes", "600", "--agent"]);
      expect(out).toContain("truncated=true");
      expect(out).not.toContain("next_after=");
    }
  });
});
