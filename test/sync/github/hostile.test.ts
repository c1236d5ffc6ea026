import { describe, expect, test } from "vitest";
import { faultOf, hosted, numbersOf, REPO, readRun, trustHost } from "./support.ts";

trustHost();

const MIB = 1024 * 1024;

/** A full page that names this next page. */
function pageWith(next: string, rows: readonly object[] = [ROW]) {
  return {
    match: "/issues?",
    body: JSON.stringify(rows),
    headers: { link: `<${next}>; rel="next"` },
  };
}

const ROW = {
  ...{ id: 1, node_id: "I_1", number: 1, title: "One", state: "open", comments: 0 },
  ...{ created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" },
};

describe("links between pages", () => {
  test.each(["names", "numbers"] as const)(
    "links that name the repository as the host does (by %s) are followed in it",
    async (links) => {
      const { state, provider, bound } = await hosted();
      state.behave({ links });
      for (let n = 0; n < 250; n++) state.addIssue(REPO);
      for (let n = 0; n < 250; n++) state.addComment(REPO, 7);
      const { issues } = await readRun(provider, bound);
      expect(new Set(numbersOf(issues)).size).toBe(250);
      expect(issues.find(({ number }) => number === 7)?.comments).toHaveLength(250);
      expect(state.asked.every(({ url }) => url.startsWith("/api/v3/repos/ann/tracker"))).toBe(
        true,
      );
    },
  );

  test.each([
    ["another host", "https://evil.example/api/v3/repos/ann/tracker/issues?page=2"],
    ["another repository", "https://HOST/api/v3/repos/ann/other/issues?page=2"],
    ["another number", "https://HOST/api/v3/repositories/1/issues?page=2"],
    ["an encoded slash", "https://HOST/api/v3/repos/ann/tracker/..%2fother/issues?page=2"],
    ["plain http", "http://HOST/api/v3/repos/ann/tracker/issues?page=2"],
  ])("links that lead to %s end the run, and nothing is sent there", async (_what, next) => {
    const { state, provider, bound, host } = await hosted();
    state.script(pageWith(next.replace("HOST", host)));
    const fault = await faultOf(readRun(provider, bound));
    expect(fault).toMatchObject({ kind: "provider_http" });
    expect(fault.message).toContain("outside of the repository");
    expect(state.asked).toHaveLength(2);
  });

  test("links that lead in a circle end the run", async () => {
    const { state, provider, bound, host } = await hosted();
    const next = `https://${host}/api/v3/repos/ann/tracker/issues?page=2`;
    state.script({ ...pageWith(next), times: 100 });
    const fault = await faultOf(readRun(provider, bound));
    expect(fault.message).toBe("the host named a page as its own next page");
    expect(state.asked.length).toBeLessThan(8);
  });

  test("links between pages of comments that lead in a circle end the run", async () => {
    const { state, provider, bound, host } = await hosted();
    state.addIssue(REPO);
    state.addComment(REPO, 1);
    const next = `https://${host}/api/v3/repos/ann/tracker/issues/1/comments?page=2`;
    state.script({ ...pageWith(next, [{ id: 1 }]), match: "/comments", times: 100 });
    const fault = await faultOf(readRun(provider, bound));
    expect(fault.message).toContain("does not end");
    expect(state.asked.length).toBeLessThan(8);
  });
});

describe("the body of an answer", () => {
  test("a body of 200 MB is not read to its end", async () => {
    const { state, provider, bound } = await hosted();
    state.script({ match: "/issues?", bytes: 200 * MIB });
    const fault = await faultOf(readRun(provider, bound));
    expect(fault).toMatchObject({ kind: "provider_decode" });
    expect(fault.message).toBe(`the answer is larger than ${32 * MIB} bytes`);
  });

  test.each([
    ["no JSON", "<html>Sign in</html>"],
    ["cut off", '[{"number":1'],
    ["no list", '{"message":"hello"}'],
    ["a list of texts", '["x"]'],
    ["an issue without a number", '[{"id":1}]'],
    ["an issue whose number is a text", '[{"id":1,"number":"1"}]'],
    ["an issue whose number is beyond 2^53", '[{"id":1,"number":90071992547409930}]'],
    ["an issue whose number is negative", '[{"id":1,"number":-1}]'],
  ])("a body that is %s ends the run", async (_what, body) => {
    const { state, provider, bound } = await hosted();
    state.script({ match: "/issues?", body });
    expect((await faultOf(readRun(provider, bound))).kind).toBe("provider_decode");
  });
});

describe("the texts of an issue", () => {
  test.each([
    ["a megabyte", "x".repeat(MIB)],
    ["NUL", "a\0b"],
    ["marks of reading direction", "\u202eevil\u2066"],
    ["a lone surrogate", "a\ud800b"],
    ["nothing", ""],
  ])("texts with %s are kept as the host sends them", async (_what, text) => {
    const { state, provider, bound } = await hosted();
    state.addIssue(REPO, { title: text, body: text, labels: [text] });
    state.addComment(REPO, 1, { body: text });
    const { issues } = await readRun(provider, bound);
    expect(issues[0]).toMatchObject({ title: text, body: text, labels: [text] });
    expect(issues[0]?.comments[0]?.body).toBe(text);
  });

  test("may be missing or of another type, and its author may be unknown", async () => {
    const { state, provider, bound } = await hosted();
    const row = { number: 1, title: 5, body: null, user: null, labels: "x", assignees: [null, {}] };
    state.script({ match: "/issues?", body: JSON.stringify([{ ...row, updated_at: "soon" }]) });
    const { issues } = await readRun(provider, bound);
    expect(issues).toEqual([
      {
        ...{ keys: ["issue-number:1"], number: 1, url: "", title: "", body: "", state: "open" },
        ...{ state_reason: undefined, labels: [], owner: undefined, author: undefined },
        ...{ created_at: undefined, updated_at: undefined, closed_at: undefined, comments: [] },
        parent: { kind: "unknown" },
      },
    ]);
  });

  test("an issue with 400 labels keeps all of them", async () => {
    const { state, provider, bound } = await hosted();
    const labels = Array.from({ length: 400 }, (_none, at) => `label-${at}`);
    state.addIssue(REPO, { labels });
    expect((await readRun(provider, bound)).issues[0]?.labels).toEqual(labels);
  });
});

describe("the keys of an issue", () => {
  test.each([
    [{ id: 5, node_id: "N" }, ["issue-id:5", "issue:N", "issue-number:1"]],
    [{ id: "5" }, ["issue-id:5", "issue-number:1"]],
    [{ node_id: "N" }, ["issue:N", "issue-number:1"]],
    [{ id: null, node_id: "" }, ["issue-number:1"]],
    [{ id: -5 }, ["issue-number:1"]],
    [{ id: 1.5 }, ["issue-number:1"]],
  ])("the keys of an issue with %j are %j", async (ids, keys) => {
    const { state, provider, bound } = await hosted();
    state.script({ match: "/issues?", body: JSON.stringify([{ ...ids, number: 1 }]) });
    expect((await readRun(provider, bound)).issues[0]?.keys).toEqual(keys);
  });

  test("keep every digit of a large id", async () => {
    const { state, provider, bound } = await hosted();
    state.script({ match: "/issues?", body: '[{"id":90071992547409931,"number":1}]' });
    expect((await readRun(provider, bound)).issues[0]?.keys[0]).toBe("issue-id:90071992547409931");
  });
});

describe("the key of a comment", () => {
  test.each([
    [{ id: 5, node_id: "N" }, "comment-id:5"],
    [{ node_id: "N" }, "comment:N"],
    [{}, "comment-missing:issue-id:1002:0"],
  ])("the key of a comment with %j is %s", async (ids, key) => {
    const { state, provider, bound } = await hosted();
    state.addIssue(REPO);
    state.addComment(REPO, 1);
    state.script({ match: "/comments", body: JSON.stringify([ids]) });
    expect((await readRun(provider, bound)).issues[0]?.comments[0]?.key).toBe(key);
  });
});

describe("an issue with 10,000 comments", () => {
  test("is read with one request for each hundred", async () => {
    const { state, provider, bound } = await hosted();
    state.addIssue(REPO);
    for (let n = 0; n < 10_000; n++) state.addComment(REPO, 1, { body: String(n) });
    const { issues, progress } = await readRun(provider, bound);
    expect(issues[0]?.comments).toHaveLength(10_000);
    expect(progress.at(-1)?.requests).toBe(102);
  });
});
