import { describe, expect, test } from "vitest";
import { JSON_BUDGET_BYTES, TEXT_BUDGET_BYTES } from "../../src/contract/list-budget.ts";
import { projectWorld } from "./harness.ts";

const WHY = "nobody needs it any more, since the old format is gone for good";
const WONTFIX = ["--wontfix", "-m", WHY];

async function three() {
  const w = await projectWorld();
  const [a, b, c] = [await w.issue("a"), await w.issue("b"), await w.issue("c")];
  return { ...w, a, b, c, names: [a, b, c] };
}

/** Each command that takes several issues, with the sentence that it prints about each issue. */
type Case = [words: readonly string[], after: readonly string[], said: string];
const CHANGES: Case[] = [
  [["close"], WONTFIX, "closed"],
  [["done"], ["--commit", "1f2e3d4", "-m", "The parser keeps the last line of a file."], "closed"],
  [["claim"], [], "claimed by ann"],
  [["label", "add"], ["bug"], "+bug"],
  [["label", "rm"], ["bug"], "-bug (does not have it, no-op)"],
  [["unassign"], [], "has no owner (no-op)"],
  [["reopen"], [], "is open already (no-op)"],
];

describe.each(CHANGES)("svc %j of several issues with the flags %j", (words, after, said) => {
  test("reports the result of each issue, in order", async () => {
    const w = await three();
    const out = w.named(await w.ok([...words, ...w.names, ...after]));
    expect(out).toBe(`<a> ${said}\n<b> ${said}\n<c> ${said}\n`);
  });

  test("tries all issues, and exits with the code of the first issue that failed", async () => {
    const w = await three();
    const ran = await w.run([...words, w.a, "zzzz", "12", w.c, ...after]);
    expect(w.named(ran.out)).toBe(`<a> ${said}\n<c> ${said}\n`);
    expect(ran.code).toBe(4);
    expect(ran.err).toContain("svc: zzzz: ");
    expect(ran.err).toContain('svc: 12: "12" is no reference');
    expect(ran.err).toMatch(/\nsvc: 2 of 4 issues failed; first: [^\n]+\n/);
  });

  test("gives programs a result for each issue", async () => {
    const w = await three();
    const agent = await w.run([...words, w.a, "zzzz", ...after, "--agent"]);
    const [head, first, second, ...rest] = agent.out.split("\n");
    expect(head).toBe(`OK ${words.at(-1)} count=2`);
    expect(first).toMatch(new RegExp(`^- issue=${w.a} changed=(true|false) status=`));
    expect(second).toMatch(/^- issue=zzzz error=not_found code=issue_not_found exit=4 message=/);
    expect(rest).toEqual([""]);
    expect(agent.err).toMatch(/^ERR \w+ not_found: 1 of 2 issues failed; first: /);
    const json = await w.run([...words, w.b, "zzzz", ...after, "--json"]);
    expect(json.out.split("\n")).toHaveLength(2);
    const answer = JSON.parse(json.out);
    expect(answer).toMatchObject({ svc_api_version: 1, count: 2, failed: 1 });
    expect(answer.results).toMatchObject([
      { ref: w.b, answer: { issue: { short_id: w.b } } },
      { ref: "zzzz", error: { kind: "not_found", code: "issue_not_found", exit_code: 4 } },
    ]);
    expect(answer.results[0].answer.issue).not.toHaveProperty("body");
    expect(JSON.parse(json.err).error).toMatchObject({
      exit_code: 4,
      data: { count: 2, failed: 1, untried: 0 },
    });
  });

  test("prints with -q the ids of the issues for which it succeeded", async () => {
    const w = await three();
    const { out } = await w.run([...words, w.a, "zzzz", w.c, ...after, "-q"]);
    expect(out).toBe(`${w.a}\n${w.c}\n`);
  });

  test("reads refs from standard input, where an empty list is no error", async () => {
    const w = await three();
    const stdin = await w.ok(["list", "-q"]);
    expect(w.named(await w.ok([...words, "-", ...after], { stdin }))).toBe(
      `<c> ${said}\n<b> ${said}\n<a> ${said}\n`,
    );
    expect(await w.ok([...words, "-", ...after], { stdin: "\n" })).toBe("");
    expect(JSON.parse(await w.ok([...words, "-", ...after, "--json"], { stdin: "" }))).toEqual({
      svc_api_version: 1,
      results: [],
      count: 0,
      failed: 0,
    });
    expect((await w.refused([...words, "-", "-", ...after], { stdin })).code).toBe(2);
  });

  test("refuses --fence, which belongs to one issue, and changes nothing", async () => {
    const w = await three();
    const { err, code } = await w.refused([...words, ...w.names, ...after, "--fence", "1"]);
    expect(code).toBe(2);
    expect(err).toBe(
      "svc: --fence is for one issue\nhint: name one issue in each command, or leave it out\n",
    );
    expect(JSON.parse(await w.ok(["events", "--json"])).events).toHaveLength(5);
  });
});

test.each([
  ["--idempotency-key", "k"],
  ["--if-match", "1"],
])("%s is refused if svc close names several issues", async (flag, value) => {
  const w = await three();
  const { err, code } = await w.refused(["close", w.a, w.b, ...WONTFIX, flag, value]);
  expect({ err, code }).toEqual({ err: expect.stringContaining(`${flag} is for one`), code: 2 });
});

test("a comment is added to each issue, except to one whose change of owner is refused in the same command", async () => {
  const w = await three();
  await w.ok(["assign", w.b, "bea"]);
  const { out, code } = await w.run(["claim", ...w.names, "--comment", "mine", "--as", "cyd"]);
  expect(w.named(out)).toBe("<a> claimed by cyd\n<c> claimed by cyd\n");
  expect(code).toBe(5);
  for (const [id, said] of [
    [w.a, 1],
    [w.b, 0],
    [w.c, 1],
  ] as const)
    expect(JSON.parse(await w.ok(["show", id, "--json"])).comments).toHaveLength(said);
});

test("no further issue is tried once the daemon no longer answers", async () => {
  const w = await three();
  const options = {
    get stdin() {
      void w.daemon.stop();
      return w.names.join("\n");
    },
  };
  const { out, code } = await w.run(["claim", "-", "--json"], options);
  expect(code).toBe(7);
  expect(JSON.parse(out)).toMatchObject({ count: 1, failed: 1, untried: 2 });
});

test("svc close and svc reopen print the id of each issue as it was typed, also for two projects", async () => {
  const w = await three();
  await w.ok(["projects", "create", "shop", "-q"]);
  const there = await w.issue("there", "--project", "shop");
  const [here, far] = [`web#${w.a}`, `shop#${there}`];
  expect(await w.ok(["close", here, far, ...WONTFIX])).toBe(`${here} closed\n${far} closed\n`);
  expect(await w.ok(["reopen", w.a, far])).toBe(`${w.a} reopened\n${far} reopened\n`);
});

describe("svc show of several issues", () => {
  test("prints each issue, separated by a line for people", async () => {
    const w = await three();
    const [a, b] = [await w.ok(["show", w.a]), await w.ok(["show", w.b])];
    const ran = await w.run(["show", w.a, "zzzz", w.b]);
    expect(ran.out).toBe(`${a}\n${"─".repeat(50)}\n\n${b}`);
    expect(ran.code).toBe(4);
    expect(ran.err).toContain("svc: zzzz: ");
  });

  test("prints a single issue in the form for one issue", async () => {
    const w = await three();
    expect(JSON.parse(await w.ok(["show", w.a, "--json"]))).toMatchObject({
      issue: { short_id: w.a },
      links: [],
    });
    expect(await w.ok(["show", w.a, "--agent"])).toMatch(/^OK show\nIssue: /);
  });

  test("accepts refs as they are printed, in another project too", async () => {
    const w = await three();
    await w.ok(["projects", "create", "shop", "-q"]);
    const there = await w.issue("there", "--project", "shop");
    const { results } = JSON.parse(await w.ok(["show", `web#${w.a}`, `shop#${there}`, "--json"]));
    expect(results.map(({ answer }: { answer: { issue: object } }) => answer.issue)).toMatchObject([
      { title: "a" },
      { title: "there" },
    ]);
    expect(await w.ok(["show", `web#${w.a}`, `shop#${there}`, "-q"])).toBe(
      `web#${w.a}\nshop#${there}\n`,
    );
  });

  test("has one budget for all issues, and says how many it left out", async () => {
    const w = await projectWorld();
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push(await w.issue(`n ${n}`, "--body", "word ".repeat(2000)));
    const four = await w.cut(["show", ...ids.slice(0, 4), "--agent"]);
    expect(Buffer.byteLength(four)).toBeLessThanOrEqual(TEXT_BUDGET_BYTES);
    expect(four).toMatch(/^OK show count=4\n- issue=/);
    expect(four.match(/^Missing: body/gm)).toHaveLength(4);
    // If an issue's share of the limit is too small for its text, the issue is shown as a row.
    const rows = await w.cut(["show", ...ids, "--agent"]);
    expect(Buffer.byteLength(rows)).toBeLessThanOrEqual(TEXT_BUDGET_BYTES);
    expect(rows.match(/^- issue=\w+ status=open title=/gm)).toHaveLength(20);
    const small = await w.cut(["show", ...ids, "--agent", "--max-bytes", "600"]);
    expect(small).toMatch(/^OK show count=20 shown=\d+ truncated=true untried=\d+\n/);
    expect(Buffer.byteLength(small)).toBeLessThanOrEqual(600);
    const json = await w.cut(["show", ...ids, "--json"]);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(JSON_BUDGET_BYTES);
    const { count, results, truncated, untried } = JSON.parse(json);
    expect({ truncated, all: count + untried, shown: results.length }).toEqual({
      truncated: true,
      all: 20,
      shown: count,
    });
    // The first issue is shown even if the limit is too small for it.
    for (const bytes of ["1", "160", "161"]) {
      const least = JSON.parse(await w.cut(["show", ...ids, "--json", "--max-bytes", bytes]));
      expect(least).toMatchObject({ count: 1, failed: 0, truncated: true, untried: 19 });
    }
    const whole = await w.ok(["show", ...ids, "--agent", "--max-bytes", "0"]);
    expect(whole.match(/^Body:$/gm)).toHaveLength(20);
    expect(JSON.parse(await w.ok(["show", ...ids, "--json", "--max-bytes", "0"])).count).toBe(20);
  });

  test("shows each ref as it was typed in the rows of many issues", async () => {
    const w = await three();
    await w.ok(["projects", "create", "shop", "-q"]);
    const there = await w.issue("there", "--project", "shop");
    const typed = [`web#${w.a}`, `shop#${there}`, w.b, ...Array.from({ length: 12 }, () => w.c)];
    const out = await w.cut(["show", ...typed, "--agent"]);
    const [head, ...rows] = out.trimEnd().split("\n");
    expect(head).toBe("OK show count=15");
    expect(rows.map((row) => /^- issue=(\S+) status=open /.exec(row)?.[1])).toEqual(typed);
  });

  test("says on one line which ref could not be found", async () => {
    const w = await three();
    const { err } = await w.run(["show", w.a, "b\nsvc: c", "-q"]);
    expect(err).toMatch(/^svc: b\\nsvc: c: "b\\nsvc: c" is no reference/);
  });

  test("is refused with --planning-dates, which is for a single issue", async () => {
    const w = await three();
    expect((await w.refused(["show", w.a, w.b, "--planning-dates"])).code).toBe(2);
  });
});
