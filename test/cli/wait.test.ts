import { describe, expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

const AUDIT = [
  "--audit-no-change",
  "--evidence",
  "no-change-audit:looked",
  "-m",
  "looked at all of it and found that nothing has to be changed",
];

async function two() {
  const w = await projectWorld();
  const [a, b] = [await w.issue("a"), await w.issue("b", "--owner", "bea", "--label", "ui")];
  const close = async (id: string) => await w.ok(["close", id, "-q", ...AUDIT]);
  const json = async (...words: string[]) => JSON.parse(await w.ok(["wait", ...words, "--json"]));
  return { ...w, a, b, close, json };
}

describe("a wait returns at once", () => {
  test("a wait returns at once if the condition holds already, in each form of output", async () => {
    const w = await two();
    await w.close(w.a);
    const until = ["--until", "closed", "--until", "owner=bea"];
    expect(w.named(await w.ok(["wait", w.a, w.b, ...until]))).toBe(
      "<a>  closed  a\n<b>  owner=bea  b\n",
    );
    expect(w.named(await w.ok(["wait", w.a, w.b, ...until, "-q"]))).toBe("<a>\n<b>\n");
    const agent = await w.ok(["wait", w.a, w.b, ...until, "--agent"]);
    expect(w.named(agent).replaceAll(/waited_ms=\d+/g, "waited_ms=N")).toBe(
      "OK wait count=2 timed_out=false\n- issue=<a> reason=closed waited_ms=N\n- issue=<b> reason=owner=bea waited_ms=N\n",
    );
    expect(await w.json(w.a)).toEqual({
      svc_api_version: 1,
      results: [
        {
          ref: w.a,
          reason: "closed",
          waited_ms: expect.any(Number),
          uid: expect.stringMatching(/^[0-9A-Z]{26}$/),
          qualified_id: `web#${w.a}`,
          title: "a",
          status: "closed",
        },
      ],
      timed_out: false,
      pending: [],
    });
  });

  test("a wait for attention returns at once with the kind of attention and its message", async () => {
    const w = await two();
    await w.ok(["meta", "set", w.a, "work.attention", "stuck", "-q"]);
    await w.ok(["meta", "set", w.a, "work.attention_msg", "no key", "-q"]);
    expect((await w.json(w.a, "--until", "attention")).results).toMatchObject([
      { reason: "attention", attention: "stuck", attention_msg: "no key" },
    ]);
    expect(w.named(await w.ok(["wait", w.a, "--until", "stuck"]))).toBe("<a>  stuck  a  no key\n");
    expect(w.named(await w.ok(["wait", w.a, "--until", "attention"]))).toBe(
      "<a>  attention (stuck)  a  no key\n",
    );
  });

  test("a wait accepts issues of several projects, by uid or in any letter case, and lists each issue once", async () => {
    const w = await two();
    await w.ok(["projects", "create", "shop", "-q"]);
    const there = (await w.ok(["create", "there", "-q", "--project", "shop"])).trim();
    const { issue } = JSON.parse(await w.ok(["show", w.a, "--json"]));
    const waited = await w.json(w.a.toUpperCase(), `shop#${there}`, issue.uid, "--until", "open");
    expect(waited.results.map(({ ref }: { ref: string }) => ref)).toEqual([
      w.a.toUpperCase(),
      `shop#${there}`,
    ]);
  });
});

describe("a wait is woken", () => {
  test("a wait for all issues is woken by the last issue that closes, and a wait for any issue by the first", async () => {
    const w = await two();
    const [all, any] = [w.json(w.a, w.b), w.json(w.a, w.b, "--any")];
    await w.close(w.b);
    const first = await any;
    expect(first.results.map(({ ref }: { ref: string }) => ref)).toEqual([w.b]);
    expect(first.pending).toEqual([w.a]);
    await w.close(w.a);
    const results: readonly { ref: string }[] = (await all).results;
    expect(results.map(({ ref }) => ref)).toEqual([w.b, w.a]);
  });

  test("a wait is woken when a blocker is closed", async () => {
    const w = await two();
    await w.ok(["edit", w.b, "--blocked-by", w.a, "-q"]);
    const ready = w.json(w.b, "--until", "ready");
    await w.close(w.a);
    expect((await ready).results).toMatchObject([{ ref: w.b, reason: "ready" }]);
  });
});

describe("a wait fails", () => {
  test("a wait fails with exit code 8 when the time is up, after printing what was found", async () => {
    const w = await two();
    await w.close(w.a);
    const words = ["wait", w.a, w.b, "--timeout", "30ms"];
    const human = await w.run(words);
    expect(human.code).toBe(8);
    expect(w.named(human.out)).toBe("<a>  closed  a\n");
    expect(w.named(human.err)).toBe("svc: the time is up; still waiting for <b>\n");
    const json = await w.run([...words, "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({
      results: [{ ref: w.a }],
      timed_out: true,
      pending: [w.b],
    });
    expect(JSON.parse(json.err).error).toMatchObject({ kind: "timeout", exit_code: 8 });
    const agent = await w.run([...words, "--agent"]);
    expect(w.named(agent.out)).toMatch(
      /^OK wait count=1 pending=<b> timed_out=true\n- issue=<a> reason=closed waited_ms=\d+\n$/,
    );
    expect(agent.err).toMatch(/^ERR wait timeout: .*\nExit-Code: 8\n$/);
  });

  test("a wait for all issues fails with exit code 4 if one is deleted, but a wait for any issue does not", async () => {
    const w = await two();
    const [all, any] = [w.run(["wait", w.a, w.b, "--json"]), w.json(w.a, w.b, "--any")];
    await w.ok(["delete", w.a, "--force", "--confirm", `DELETE web#${w.a}`, "-q"]);
    const failed = await all;
    expect(failed.code).toBe(4);
    expect(JSON.parse(failed.out)).toMatchObject({
      results: [],
      timed_out: false,
      pending: [w.b],
      abandoned: [{ ref: w.a, reason: "deleted" }],
    });
    expect(JSON.parse(failed.err).error).toMatchObject({ kind: "not_found", exit_code: 4 });
    await w.close(w.b);
    expect((await any).results).toMatchObject([{ ref: w.b }]);
    expect(await w.json(w.a, "--until", "deleted")).toMatchObject({ results: [{ ref: w.a }] });
  });

  test("a wait for a missing issue fails", async () => {
    const w = await two();
    expect((await w.refused(["wait", "zzzz"])).code).toBe(4);
    expect((await w.refused(["wait", w.a, "nowhere#zzzz"])).code).toBe(4);
  });

  test.each<[string[], number, RegExp]>([
    [["--until", "finished"], 3, /there is no such condition\nhint: one of closed, attention/],
    [["--until", "close"], 3, /there is no such condition\nhint: did you mean closed\?/],
    [["--until", "label"], 3, /label needs a value: label=<value>/],
    [["--until", "label="], 3, /label needs a value/],
    [["--until", "closed=yes"], 3, /closed is written closed alone/],
    [["--timeout", "30"], 3, /--timeout needs a time with its unit, not 30\nhint: say 90s/],
    [["--timeout", "soon"], 3, /--timeout needs a time with its unit/],
    [["--poll-interval", "0"], 3, /--poll-interval must be more than 0/],
    [["--any", "--all"], 2, /--all/],
  ])("a wait fails if the command line is wrong: %j", async (flags, code, problem) => {
    const w = await two();
    const refused = await w.refused(["wait", w.a, ...flags]);
    expect(refused.code).toBe(code);
    expect(refused.err).toMatch(problem);
  });

  test("a wait without an issue, or for more than a hundred, fails", async () => {
    const w = await projectWorld();
    expect((await w.refused(["wait"])).code).toBe(2);
    const many = Array.from({ length: 101 }, (_, n) => `abc${n}`);
    expect((await w.refused(["wait", ...many])).code).toBe(3);
  });
});
