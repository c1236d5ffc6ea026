import { describe, expect, test } from "vitest";
import type { Mode } from "../../../src/domain/access/modes.ts";
import { type Asked, judgeRequest } from "../../../src/domain/access/requests.ts";
import type { Right } from "../../../src/domain/access/rights.ts";

/** Right, method, then the answers without a bearer, with a wrong one, with the daemon's own, with one of the database. */
type Case = readonly [Right, "GET" | "POST", none: string, wrong: string, own: string, db: string];

const all = (right: Right, method: "GET" | "POST", answer: string): Case => [
  ...([right, method, answer, answer, answer, answer] as const),
];
const [NONE, TOKEN, NOT_IT, UNKNOWN] = ["none", "auth_required", "auth_invalid", "token_invalid"];
const [SIGNED, ADMIN] = ["bootstrap_token_write_forbidden", "token_admin_forbidden"];

/** The table of facts browser-and-auth 1.2, row by row. */
const TABLE: Readonly<Record<Mode, readonly Case[]>> = {
  open: [
    all("open", "GET", NONE),
    all("read", "GET", NONE),
    all("read", "POST", NONE),
    all("stream", "GET", NONE),
    all("write", "POST", NONE),
    all("tokens", "GET", NONE),
    all("tokens", "POST", NONE),
    all("profile", "GET", NONE),
  ],
  tokenless: [
    all("open", "GET", NONE),
    all("read", "GET", NONE),
    all("read", "POST", NONE),
    all("stream", "GET", NONE),
    all("write", "POST", NONE),
    all("tokens", "GET", TOKEN),
    all("tokens", "POST", TOKEN),
    all("profile", "GET", TOKEN),
  ],
  readonly: [
    all("open", "GET", NONE),
    all("read", "GET", NONE),
    all("read", "POST", TOKEN),
    all("stream", "GET", TOKEN),
    all("write", "POST", TOKEN),
    all("tokens", "GET", TOKEN),
    all("tokens", "POST", TOKEN),
    all("profile", "GET", TOKEN),
  ],
  static: [
    all("open", "GET", NONE),
    ["read", "GET", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["read", "POST", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["stream", "GET", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["write", "POST", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["tokens", "GET", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["tokens", "POST", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["profile", "GET", TOKEN, NOT_IT, "static_token", NOT_IT],
  ],
  identity: [
    all("open", "GET", NONE),
    ["read", "GET", TOKEN, UNKNOWN, "bootstrap", "db_token"],
    ["read", "POST", TOKEN, UNKNOWN, "bootstrap", "db_token"],
    ["stream", "GET", TOKEN, UNKNOWN, "bootstrap", "db_token"],
    ["write", "POST", TOKEN, UNKNOWN, SIGNED, "db_token"],
    ["tokens", "GET", TOKEN, UNKNOWN, "bootstrap", ADMIN],
    ["tokens", "POST", TOKEN, UNKNOWN, "bootstrap", ADMIN],
    ["profile", "GET", TOKEN, UNKNOWN, "bootstrap", "db_token"],
  ],
};

const BEARERS = ["none", "wrong", "configured", "database"] as const;
const MODES = Object.keys(TABLE) as readonly Mode[];
const CELLS = MODES.flatMap((mode) =>
  TABLE[mode].flatMap(([right, method, ...answers]) =>
    BEARERS.map((bearer, at) => ({ mode, right, method, bearer, answer: answers[at] ?? "" })),
  ),
);

function judged(asked: Asked): string {
  const said = judgeRequest(asked);
  return typeof said === "string" ? said : said.refused;
}

describe("a request is judged by mode, access and bearer", () => {
  test.each(CELLS)("$mode: $method $right with a bearer that is $bearer: $answer", (cell) => {
    const { mode, right, method, bearer, answer } = cell;
    expect(judged({ mode, right, bearer, get: method === "GET", proxy: "untrusted" })).toBe(answer);
  });
});

describe("on a trusted listener", () => {
  /** What lets somebody pass there is said by the table above; refusals for want of a right come afterwards. */
  const REFUSED_BEFORE = new Set([TOKEN, NOT_IT, UNKNOWN]);

  test.each(CELLS)("$mode: $method $right with a bearer that is $bearer and an actor", (cell) => {
    const { mode, right, method, bearer, answer } = cell;
    const asked = { mode, right, bearer, get: method === "GET" } as const;
    const named = judged({ ...asked, proxy: "present" });
    const unnamed = judged({ ...asked, proxy: "absent" });
    if (right === "open") expect([named, unnamed]).toEqual([NONE, NONE]);
    else if (REFUSED_BEFORE.has(answer)) expect([named, unnamed]).toEqual([answer, answer]);
    else if (right === "tokens") expect([named, unnamed]).toEqual([ADMIN, ADMIN]);
    else if (right === "write")
      expect([named, unnamed]).toEqual(["trusted_proxy", "actor_header_required"]);
    else expect([named, unnamed]).toEqual(["trusted_proxy", "trusted_proxy_absent"]);
  });
});

test("the refusals of a mode name the setting that cures them", () => {
  const asked = { right: "tokens", get: true, bearer: "none", proxy: "untrusted" } as const;
  expect(judgeRequest({ ...asked, mode: "tokenless" })).toMatchObject({
    hint: expect.stringContaining("[auth] token"),
  });
  expect(judgeRequest({ ...asked, mode: "readonly" })).toMatchObject({
    message: expect.stringContaining("--insecure-readonly"),
  });
});
