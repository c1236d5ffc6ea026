import { describe, expect, test } from "vitest";
import type { Scripted } from "../host/state.ts";
import { faultOf, hosted, REPO, readRun, TOKEN, trustHost } from "./support.ts";

trustHost();

const ISSUES = { match: "/issues?" };
/** Seconds of 2026-01-01T00:00:00Z, at which the clocks of host and daemon begin. */
const START = 1_767_225_600;

async function reading(...script: Scripted[]) {
  const made = await hosted();
  made.state.addIssue(REPO);
  made.state.script(...script);
  return made;
}

describe("a host that asks to wait", () => {
  test.each<[string, Scripted, readonly number[]]>([
    ["429 with seconds", { status: 429, headers: { "retry-after": "5" }, ...ISSUES }, [5000]],
    [
      "429 with a date",
      { status: 429, headers: { "retry-after": "Thu, 01 Jan 2026 00:00:20 GMT" }, ...ISSUES },
      [20_000],
    ],
    [
      "429 with a negative number",
      { status: 429, headers: { "retry-after": "-1" }, ...ISSUES },
      [1000],
    ],
    ["429 with a word", { status: 429, headers: { "retry-after": "soon" }, ...ISSUES }, [1000]],
    [
      "429 with a date that has passed",
      { status: 429, headers: { "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, ...ISSUES },
      [1000],
    ],
    [
      "403 with no request left",
      {
        status: 403,
        headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(START + 12) },
        ...ISSUES,
      },
      [12_000],
    ],
    [
      "403 that speaks of a rate limit",
      { status: 403, body: '{"message":"You have exceeded a secondary rate limit."}', ...ISSUES },
      [1000],
    ],
    ["500, twice", { status: 500, times: 2, ...ISSUES }, [1000, 2000]],
    ["502 with seconds", { status: 502, headers: { "retry-after": "3" }, ...ISSUES }, [3000]],
    ["no answer", { cut: true, ...ISSUES }, [1000]],
    [
      "an error of a query that says so",
      { match: "graphql", body: '{"errors":[{"type":"RATE_LIMITED","message":"API rate limit"}]}' },
      [1000],
    ],
  ])(
    "a host that asks to wait by %s gets the request again after the wait",
    async (_what, script, slept) => {
      const { state, provider, bound, clock } = await reading(script);
      const { issues, progress } = await readRun(provider, bound, { parents: "scan" });
      expect(issues).toHaveLength(1);
      expect(clock.slept).toEqual(slept);
      expect(progress.at(-1)?.waited_ms).toBe(slept.reduce((sum, ms) => sum + ms, 0));
      expect(progress.at(-1)?.requests).toBe(state.asked.length);
      const waits = progress.flatMap(({ waiting }) => waiting ?? []);
      expect(waits.map(({ ms }) => ms)).toEqual(slept);
      expect(waits[0]?.why).toMatch(/^(?:the host answered \d+|the connection to .* was lost)/);
    },
  );

  test("the wait ends by the host's own clock if the clock of the daemon is fast", async () => {
    const { provider, bound, clock } = await reading({
      status: 403,
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(START + 12) },
      ...ISSUES,
    });
    clock.advance(3_600_000);
    await readRun(provider, bound);
    expect(clock.slept).toEqual([12_000]);
  });

  test.each<[string, Scripted]>([
    ["120 seconds", { status: 429, headers: { "retry-after": "120" }, ...ISSUES }],
    ["31 seconds", { status: 503, headers: { "retry-after": "31" }, ...ISSUES }],
    [
      "an hour until its limit begins anew",
      {
        status: 403,
        headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(START + 3600) },
        ...ISSUES,
      },
    ],
  ])(
    "a host that asks to wait longer than thirty seconds (%s) ends the run at once",
    async (_what, script) => {
      const { provider, bound, clock } = await reading(script);
      const fault = await faultOf(readRun(provider, bound));
      expect(fault.kind).toBe("rate_limited");
      expect(fault.message).toContain("the retry wait exceeds its limit");
      expect(clock.slept).toEqual([]);
    },
  );

  test("a host that asks to wait more than a minute for one list ends the run", async () => {
    const { state, provider, bound, clock } = await reading();
    for (let n = 0; n < 300; n++) {
      state.tick(5000);
      state.addIssue(REPO);
    }
    const wait = { status: 429, headers: { "retry-after": "25" } };
    for (const match of ["per_page=100", "since=", "since="]) state.script({ match, ...wait });
    const fault = await faultOf(readRun(provider, bound, { since: "2026-01-01T00:00:00.000Z" }));
    expect(fault.kind).toBe("rate_limited");
    expect(clock.slept).toEqual([25_000, 25_000]);
  });

  test("a host that asks to wait a minute for each of two lists gets both requests again", async () => {
    const { state, provider, bound, clock } = await reading();
    state.addComment(REPO, 1);
    const wait = { times: 2, status: 429, headers: { "retry-after": "29" } };
    state.script({ match: "/issues?", ...wait }, { match: "/comments?", ...wait });
    expect((await readRun(provider, bound)).issues).toHaveLength(1);
    expect(clock.slept).toEqual([29_000, 29_000, 29_000, 29_000]);
  });

  test("a host that answers 502 three times gets no fourth request", async () => {
    const { state, provider, bound } = await reading({ status: 502, times: 5, ...ISSUES });
    const fault = await faultOf(readRun(provider, bound));
    expect(fault).toMatchObject({ kind: "provider_http", message: "the host answered 502" });
    expect(state.asked.filter(({ url }) => url.includes("/issues?"))).toHaveLength(3);
  });
});

describe("an answer that is final", () => {
  test.each<[number, string, string]>([
    [401, "/issues?", "credentials"],
    [403, "/issues?", "repository_unavailable"],
    [404, "/issues?", "provider_http"],
    [410, "/issues?", "provider_http"],
    [422, "/issues?", "provider_http"],
    [401, "/repos/ann/tracker", "credentials"],
    [403, "/repos/ann/tracker", "repository_unavailable"],
    [404, "/repos/ann/tracker", "repository_unavailable"],
    [451, "/repos/ann/tracker", "repository_unavailable"],
    [404, "graphql", "provider_http"],
  ])("status %i for %s ends the run with %s, after one request", async (status, match, kind) => {
    const body = `{"message":"No, with ${TOKEN}\\u001b[2J\\u202e and\\nmore"}`;
    const { state, provider, bound, clock } = await reading({ match, status, body });
    const fault = await faultOf(readRun(provider, bound, { parents: "scan" }));
    expect(fault.kind).toBe(kind);
    expect(fault.message).toBe(`the host answered ${status}: No, with [redacted] [2J and more`);
    expect(fault.hint).not.toBe("");
    expect(clock.slept).toEqual([]);
    expect(state.asked.at(-1)?.url).toContain(match);
  });

  test("is quoted in the error by its beginning only", async () => {
    const body = JSON.stringify({ message: "x".repeat(100_000) });
    const { provider, bound } = await reading({ ...ISSUES, status: 422, body });
    const fault = await faultOf(readRun(provider, bound));
    expect(fault.message.length).toBeLessThan(400);
  });
});

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])(
    "a redirect with %i is not followed, and its target gets no credential",
    async (status) => {
      const other = await hosted();
      const location = `https://${other.host}/take`;
      for (const match of ["/issues?", "/repos/ann/tracker", "graphql"]) {
        const { provider, bound } = await reading({ match, status, headers: { location } });
        const fault = await faultOf(readRun(provider, bound, { parents: "scan" }));
        expect(["provider_http", "repository_unavailable"]).toContain(fault.kind);
        expect(fault.message).not.toContain("take");
      }
      expect(other.state.asked).toHaveLength(0);
    },
  );

  test.each([
    ["to another number", "/api/v3/repositories/1"],
    ["to another path", "/api/v3/user"],
    ["without an address", ""],
  ])("a redirect of the repository %s is not followed", async (_what, location) => {
    const { state, provider, bound } = await reading({
      match: "/repos/ann/tracker",
      status: 301,
      headers: { location },
    });
    const fault = await faultOf(readRun(provider, bound));
    expect(fault.kind).toBe("repository_unavailable");
    expect(state.asked).toHaveLength(1);
  });

  test("after a redirect to the repository's number on another host, the request goes to the known host", async () => {
    const { state, provider, bound } = await reading({
      match: "/repos/ann/tracker",
      status: 301,
      headers: { location: "https://evil.example/repositories/1001" },
    });
    expect((await readRun(provider, bound)).issues).toHaveLength(1);
    expect(state.asked[1]?.url).toBe("/api/v3/repositories/1001");
  });
});
