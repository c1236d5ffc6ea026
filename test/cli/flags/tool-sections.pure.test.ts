import { describe, expect, test } from "vitest";
import { EXIT_CODES } from "../../../src/cli/failure/failure.ts";
import { toolSections } from "../../../src/cli/flags/tool-sections.ts";

const KNOWN = ["issue_discovery", "issue_mutation", "tokens", "storage"] as const;

function sections(load?: string, more: object = {}) {
  return toolSections({ load, "enable-token-admin": false, ...more }, KNOWN);
}

describe("--load of svc mcp serve", () => {
  test.each([
    [undefined, []],
    ["issue_mutation", ["issue_mutation"]],
    ["issue_mutation, issue_discovery", ["issue_mutation", "issue_discovery"]],
    ["all", KNOWN],
  ])("with the value %s loads the sections %j", (load, expected) => {
    expect(sections(load)).toEqual(expected);
  });

  test.each([
    ["issue_discover", "did you mean issue_discovery?"],
    ["", 'no section ""'],
    ["issue_mutation,,issue_discovery", 'no section ""'],
    ["tokens", "--enable-token-admin"],
    ["storage", "--storage-root"],
  ])("with the value %j is a usage error that says: %s", (load, message) => {
    expect(EXIT_CODES.usage).toBe(2);
    const failure = expect.objectContaining({ kind: "usage" });
    expect(() => sections(load)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message), failure }),
    );
  });

  test("accepts tokens and storage by name with the flags that they need", () => {
    const more = { "enable-token-admin": true, "storage-root": "/srv" };
    expect(sections("tokens,storage", more)).toEqual(["tokens", "storage"]);
  });
});
