import { describe, expect, test } from "vitest";
import {
  judgeSession,
  localSessionRequirement,
  mayOpenLocally,
  needsSession,
  type SessionAsked,
  type SessionFacts,
  webCapabilities,
} from "../../../src/domain/access/browser.ts";
import { RIGHTS, type Right } from "../../../src/domain/access/rights.ts";

const UNMARKED: SessionFacts = {
  ...{ kind: "shared-tcp", mode: "open", right: "read", get: true },
  ...{ header: false, marked: false, direct: true },
};
const BROWSER = { kind: "browser" } as const;
const MARKED = { marked: true } as const;
const HEADER = { marked: true, header: true } as const;

// docs/contract/network-and-access.md#35-when-a-session-is-needed, row by row.
test.each<readonly [string, Partial<SessionFacts>, boolean]>([
  ["ping and health", { ...BROWSER, ...HEADER, right: "open" }, false],
  ["a read-only daemon, GET", { ...BROWSER, mode: "readonly" }, false],
  ["a read-only daemon, GET with the cookie alone", { ...MARKED, mode: "readonly" }, false],
  ["a read-only daemon, GET with the session header", { ...HEADER, mode: "readonly" }, true],
  ["a read-only daemon, the stream", { ...BROWSER, mode: "readonly", right: "stream" }, true],
  ["a read-only daemon, a write of a page", { ...MARKED, mode: "readonly", get: false }, true],
  ["a read-only daemon, a write of a program", { mode: "readonly", get: false }, false],
  ["a program, with a token or without", { mode: "static" }, false],
  ["a program, identity", { mode: "identity", right: "write", get: false }, false],
  ["a page, whatever token a proxy adds", { ...MARKED, mode: "static" }, true],
  ["a program by the proxy's host, with a token", { mode: "static", direct: false }, false],
  ["a program on loopback without a token", {}, false],
  ["a program on a private network", { mode: "tokenless" }, false],
  ["anyone who uses the proxy's host without a token", { direct: false }, true],
  [
    "anyone on a private network who uses the proxy's host without a token",
    { mode: "tokenless", direct: false },
    true,
  ],
  ["a page on a shared listener", MARKED, true],
  ["anything else on the listener for pages", BROWSER, true],
  ["a token on the listener for pages", { ...BROWSER, mode: "static" }, true],
])("whether a request needs a browser session is decided for %s", (_what, facts, needed) => {
  expect(needsSession({ ...UNMARKED, ...facts })).toBe(needed);
});

// docs/contract/network-and-access.md#33-a-session-without-a-token.
test.each<readonly [Partial<Parameters<typeof localSessionRequirement>[0]>, string]>([
  [{}, "nothing"],
  [{ mode: "readonly" }, "nothing"],
  [{ mode: "tokenless" }, "nothing"],
  [{ mode: "static" }, "proof"],
  [{ kind: "shared-tcp" }, "proof"],
  [{ kind: "shared-tcp", mode: "readonly" }, "proof"],
  [{ kind: "shared-tcp", mode: "tokenless" }, "proof"],
  [{ kind: "shared-tcp", mode: "static" }, "proof"],
  [{ mode: "identity" }, "never"],
  [{ kind: "shared-tcp", mode: "identity" }, "never"],
  [{ pagesLocal: false }, "never"],
  [{ pagesLocal: false, mode: "static" }, "never"],
])("a browser session without a token on a listener with %j needs %s", (facts, needs) => {
  const own = { kind: "browser", mode: "open", pagesLocal: true } as const;
  expect(localSessionRequirement({ ...own, ...facts })).toBe(needs);
});

test.each<readonly [Partial<Parameters<typeof mayOpenLocally>[0]>, boolean]>([
  [{}, true],
  [{ needs: "nothing" }, true],
  [{ needs: "never" }, false],
  [{ forwarded: true }, false],
  [{ peer: "other" }, false],
])("a browser session without a token may be opened with %j: %s", (facts, may) => {
  const own = { needs: "proof", forwarded: false, peer: "loopback" } as const;
  expect(mayOpenLocally({ ...own, ...facts })).toBe(may);
});

describe("the decision about a request with a session", () => {
  const read: SessionAsked = {
    ...{ mode: "static", right: "read", get: true, session: "static_token" },
    ...{ pages: "session", csrf: false },
  };
  const write = { right: "write", get: false, csrf: true } as const;
  const local = { session: "web_local", pages: "local" } as const;

  test.each<readonly [string, Partial<SessionAsked>, string]>([
    ["a read", {}, "static_token"],
    ["a write", write, "static_token"],
    ["a write without CSRF", { ...write, csrf: false }, "csrf_invalid"],
    ["a POST that reads, without CSRF", { get: false }, "csrf_invalid"],
    ["tokens", { right: "tokens" }, "token_admin_forbidden"],
    ["profiles", { right: "profile" }, "origin_forbidden"],
    ["connectors", { right: "connectors" }, "integration_administration_forbidden"],
    [
      "connectors, with a session that may not use the route",
      { right: "connectors", session: "web_local", pages: "none" },
      "integration_administration_forbidden",
    ],
    ["the stream", { right: "stream" }, "static_token"],
    ["the stream of a read-only daemon", { right: "stream", mode: "readonly" }, "auth_required"],
    ["a read with the bootstrap token", { session: "bootstrap", mode: "identity" }, "bootstrap"],
    [
      "a write with the bootstrap token",
      { ...write, session: "bootstrap", mode: "identity" },
      "read_only",
    ],
    [
      "a write with the bootstrap token, without CSRF",
      { ...write, session: "bootstrap", csrf: false },
      "read_only",
    ],
    ["the question whether it may write", { right: "write", session: "bootstrap" }, "read_only"],
    ["a write to a read-only daemon", { ...write, ...local, mode: "readonly" }, "read_only"],
    ["a local read", local, "web_local"],
    ["a local write", { ...write, ...local }, "web_local"],
    [
      "a local read that is forbidden to local sessions",
      { session: "web_local" },
      "web_local_operation_forbidden",
    ],
    [
      "a local write that is forbidden to local sessions, before CSRF is checked",
      { ...write, session: "web_local", csrf: false },
      "web_local_operation_forbidden",
    ],
    ["a write of a person", { ...write, session: "db_token", mode: "identity" }, "db_token"],
    [
      "a read that no page may make, with a session of a token",
      { pages: "none" },
      "web_local_operation_forbidden",
    ],
    [
      "a write that no page may make, before CSRF is checked",
      { ...write, pages: "none", csrf: false },
      "web_local_operation_forbidden",
    ],
    ["a write by a proxy", { ...write, session: "trusted_proxy" }, "trusted_proxy"],
  ])("is as expected for %s", (_what, asked, answer) => {
    const judged = judgeSession({ ...read, ...asked });
    expect(typeof judged === "string" ? judged : judged.refused).toBe(answer);
  });

  test("a session never administers tokens or connectors or takes a profile, whoever opened it and whatever the route says", () => {
    for (const session of Object.keys(RIGHTS) as SessionAsked["session"][])
      for (const right of ["tokens", "connectors", "profile"] satisfies Right[])
        for (const pages of ["local", "session", "none"] satisfies SessionAsked["pages"][])
          expect(typeof judgeSession({ ...read, session, right, pages })).toBe("object");
  });
});

test("a page learns whether it may write, how it receives changes, and in whose name it acts", () => {
  expect(webCapabilities("bootstrap", "identity").writable).toBe(false);
  expect(webCapabilities("web_local", "readonly")).toEqual({
    ...{ writable: false, updates: "poll", actor_policy: "request" },
  });
  expect(webCapabilities("db_token", "identity")).toEqual({
    ...{ writable: true, updates: "sse", actor_policy: "identity" },
  });
});
