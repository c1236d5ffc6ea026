import { describe, expect, test } from "vitest";
import { Catalog } from "../../src/mcp/catalog.ts";
import { instructionsFor } from "../../src/mcp/instructions.ts";

const MAX_BYTES = 1024;

describe("instructions take at most 1 KB", () => {
  test.each([
    ["plain names", "a"],
    ["names in other letters", "ä"],
    ["names of quotes", '"'],
    ["names of emoji", "\u{1f985}"],
  ])("instructions that name projects with %s take at most 1 KB", (_what, letter) => {
    const name = letter.repeat(200);
    const names = Array.from({ length: 9 }, (_, at) => `${name}${at}`);
    const reaches = [
      { kind: "allowlist", uids: new Set<string>() },
      { kind: "project", id: 1, uid: "x", name },
      { kind: "all" },
    ] as const;
    for (const reach of reaches) {
      const text = instructionsFor(reach, names, name, new Catalog(new Set()));
      expect(Buffer.byteLength(text), reach.kind).toBeLessThanOrEqual(MAX_BYTES);
      expect(text).not.toContain("\ufffd");
    }
  });
});
