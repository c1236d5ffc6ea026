import { describe, expect, test } from "vitest";
import { endpointsOf } from "../../../src/sync/github/endpoints.ts";
import { guardedUrl, guardGraphql } from "../../../src/sync/github/guard.ts";
import { PARENT_QUERY } from "../../../src/sync/github/parent-query.ts";

const NAME = { owner: "ann", repo: "tracker", repo_id: "1001" };
const PUBLIC = { endpoints: endpointsOf("github.com"), ...NAME };
const OTHER = { endpoints: endpointsOf("git.example:8443"), ...NAME };

describe("the interface of a host", () => {
  test.each([
    ["github.com", "https://api.github.com", "https://api.github.com/graphql"],
    ["acme.ghe.com", "https://api.acme.ghe.com", "https://api.acme.ghe.com/graphql"],
    ["git.example", "https://git.example/api/v3", "https://git.example/api/graphql"],
    ["ghe.com.example", "https://ghe.com.example/api/v3", "https://ghe.com.example/api/graphql"],
  ])("the interface of %s is at %s and %s", (host, rest, graphql) => {
    expect(endpointsOf(host)).toEqual({ rest, graphql });
  });
});

describe("a request with the credential", () => {
  test.each([
    ["https://api.github.com/repos/ann/tracker", "https://api.github.com/repos/ann/tracker"],
    [
      "https://api.github.com/repos/ann/tracker/issues?state=all&page=2",
      "https://api.github.com/repos/ann/tracker/issues?state=all&page=2",
    ],
    [
      "https://api.github.com/repositories/1001/issues?page=2",
      "https://api.github.com/repos/ann/tracker/issues?page=2",
    ],
    [
      "https://API.GitHub.com/repos/Ann/TRACKER/issues",
      "https://api.github.com/repos/ann/tracker/issues",
    ],
    [
      "https://api.github.com/repos/%61nn/tracker/issues",
      "https://api.github.com/repos/ann/tracker/issues",
    ],
  ])("a request to %s is sent to %s", (address, sent) => {
    expect(guardedUrl(PUBLIC, address)).toBe(sent);
  });

  test("a request to another host than the public one is sent below its interface", () => {
    const at = "https://git.example:8443/api/v3";
    expect(guardedUrl(OTHER, `${at}/repos/ann/tracker/issues`)).toBe(
      `${at}/repos/ann/tracker/issues`,
    );
    expect(guardedUrl(OTHER, `${at}/repositories/1001/issues?page=2`)).toBe(
      `${at}/repos/ann/tracker/issues?page=2`,
    );
    for (const wrong of [
      "https://git.example:8443/repos/ann/tracker/issues",
      "https://git.example:8443/api/v4/repos/ann/tracker/issues",
      "https://git.example/api/v3/repos/ann/tracker/issues",
    ])
      expect(() => guardedUrl(OTHER, wrong)).toThrow("outside of the repository");
  });

  test.each([
    ["another host", "https://evil.example/repos/ann/tracker/issues"],
    ["a host that begins alike", "https://api.github.com.evil.example/repos/ann/tracker/issues"],
    ["another port", "https://api.github.com:8443/repos/ann/tracker/issues"],
    ["a user in front of the host", "https://api.github.com@evil.example/repos/ann/tracker/issues"],
    ["a user before its host", "https://u:p@api.github.com/repos/ann/tracker/issues"],
    ["plain http", "http://api.github.com/repos/ann/tracker/issues"],
    ["no scheme", "//api.github.com/repos/ann/tracker/issues"],
    ["a path alone", "/repos/ann/tracker/issues"],
    ["another owner", "https://api.github.com/repos/eve/tracker/issues"],
    ["another repository", "https://api.github.com/repos/ann/other/issues"],
    ["a repository that begins alike", "https://api.github.com/repos/ann/tracker2/issues"],
    ["another number", "https://api.github.com/repositories/1002/issues"],
    ["another part of the interface", "https://api.github.com/user"],
    ["the root of the interface", "https://api.github.com/"],
    ["dots", "https://api.github.com/repos/ann/tracker/../other/issues"],
    ["encoded dots", "https://api.github.com/repos/ann/tracker/%2e%2e/other/issues"],
    ["dots with an encoded slash", "https://api.github.com/repos/ann/tracker/..%2fother/issues"],
    [
      "dots with an encoded backslash",
      "https://api.github.com/repos/ann/tracker/..%5cother/issues",
    ],
    ["a backslash", "https://api.github.com/repos/ann/tracker\\..\\other"],
    ["dots that are encoded twice", "https://api.github.com/repos/ann/tracker/%252e%252e/other"],
    ["one dot", "https://api.github.com/repos/ann/tracker/./issues"],
    ["an empty part", "https://api.github.com/repos/ann//tracker/issues"],
    ["a slash at the end", "https://api.github.com/repos/ann/tracker/"],
    ["a broken escape", "https://api.github.com/repos/ann/tracker/%zz"],
    ["NUL", "https://api.github.com/repos/ann/tracker/issues%00"],
    ["a line break", "https://api.github.com/repos/ann/tracker/issues\r\nX: 1"],
    ["a fragment", "https://api.github.com/repos/ann/tracker/issues#x"],
    ["no address", "next"],
  ])("a request to an address with %s is refused: %s", (_what, address) => {
    expect(() => guardedUrl(PUBLIC, address)).toThrow("outside of the repository");
  });

  test("a request that names the repository by number is refused while that number is not known", () => {
    const { repo_id: _number, ...place } = PUBLIC;
    const address = "https://api.github.com/repositories/1001/issues";
    expect(() => guardedUrl(place, address)).toThrow("outside of the repository");
  });

  test.each(["..", ".", "", "a/b", "a%2fb"])("a request for the owner %j is refused", (owner) => {
    const address = `https://api.github.com/repos/${owner}/tracker/issues`;
    expect(() => guardedUrl({ ...PUBLIC, owner }, address)).toThrow("outside of the repository");
  });
});

describe("a query with the credential", () => {
  const variables = { owner: "ann", repo: "tracker", after: null };
  const body = (more: object) => JSON.stringify({ query: PARENT_QUERY, variables, ...more });

  test("is accepted if it is the one that svc knows, with any white space", () => {
    expect(() => guardGraphql(PUBLIC, body({}))).not.toThrow();
    const query = PARENT_QUERY.replaceAll(/\s+/g, "  ");
    expect(() => guardGraphql(PUBLIC, body({ query }))).not.toThrow();
  });

  test.each([
    ["another query", { query: "{ viewer { login } }" }],
    ["more in the query", { query: `${PARENT_QUERY} query x { viewer { login } }` }],
    ["another owner", { variables: { ...variables, owner: "eve" } }],
    ["another repository", { variables: { ...variables, repo: "other" } }],
    ["no variables", { variables: null }],
  ])("is refused with %s", (_what, more) => {
    expect(() => guardGraphql(PUBLIC, body(more))).toThrow("outside of the repository");
  });
});
