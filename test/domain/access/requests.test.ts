import { describe, expect, test } from "vitest";
import { type AccessRequest, judgeRequest } from "../../../src/domain/access/requests.ts";
import {
  ADMIN,
  CELLS,
  INTEGRATION,
  NONE,
  NOT_IT,
  TOKEN,
  UNKNOWN,
} from "../../support/access-table.ts";

function judged(asked: AccessRequest): string {
  const said = judgeRequest(asked);
  return typeof said === "string" ? said : said.refused;
}

describe("a request is judged by mode, access and bearer token", () => {
  test.each(CELLS)(
    "in the mode $mode, $method ($right) with a bearer token that is $bearer: $answer",
    (cell) => {
      const { mode, right, method, bearer, answer } = cell;
      expect(judged({ mode, right, bearer, get: method === "GET", proxy: "untrusted" })).toBe(
        answer,
      );
    },
  );
});

describe("a request on a trusted listener is judged by mode, access, bearer token and actor header", () => {
  /** The table above decides whether these requests pass. Refusals because of a missing right come later. */
  const REFUSED_BEFORE = new Set<string>([TOKEN, NOT_IT, UNKNOWN]);

  test.each(CELLS)(
    "in the mode $mode, $method ($right) with an actor and a token that is $bearer",
    (cell) => {
      const { mode, right, method, bearer, answer } = cell;
      const asked = { mode, right, bearer, get: method === "GET" } as const;
      const named = judged({ ...asked, proxy: "present" });
      const unnamed = judged({ ...asked, proxy: "absent" });
      if (right === "open") expect([named, unnamed]).toEqual([NONE, NONE]);
      else if (REFUSED_BEFORE.has(answer)) expect([named, unnamed]).toEqual([answer, answer]);
      else if (right === "tokens") expect([named, unnamed]).toEqual([ADMIN, ADMIN]);
      else if (right === "connectors") expect([named, unnamed]).toEqual([INTEGRATION, INTEGRATION]);
      else if (right === "write")
        expect([named, unnamed]).toEqual(["trusted_proxy", "actor_header_required"]);
      else expect([named, unnamed]).toEqual(["trusted_proxy", "trusted_proxy_absent"]);
    },
  );
});

describe("with the setting that lets tokens of persons administer connectors", () => {
  test.each(CELLS)(
    "in the mode $mode, $method ($right) with a bearer token that is $bearer is judged as without it, but for those tokens",
    ({ mode, right, method, bearer, answer }) => {
      const request = { mode, right, bearer, get: method === "GET" } as const;
      const setting = { tokensAdministerConnectors: true };
      const isLifted = mode === "identity" && right === "connectors" && bearer === "database";
      expect(judged({ ...request, ...setting, proxy: "untrusted" })).toBe(
        isLifted ? "db_token" : answer,
      );
      const proxied = { ...request, proxy: "present" } as const;
      expect(judged({ ...proxied, ...setting })).toBe(judged(proxied));
    },
  );
});

test("the refusals of a mode name the setting that would permit the request", () => {
  const asked = { right: "tokens", get: true, bearer: "none", proxy: "untrusted" } as const;
  expect(judgeRequest({ ...asked, mode: "tokenless" })).toMatchObject({
    hint: expect.stringContaining("[auth] token"),
  });
  expect(judgeRequest({ ...asked, mode: "readonly" })).toMatchObject({
    message: expect.stringContaining("--insecure-readonly"),
  });
});
