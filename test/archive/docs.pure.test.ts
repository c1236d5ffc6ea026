import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DIGEST } from "../../src/archive/digest.ts";
import { kindOf } from "../../src/archive/records.ts";
import { ARCHIVED } from "../../src/domain/tables/tables.ts";

test("docs/export.md lists every kind of record, in the order of the file", () => {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "docs", "export.md"), "utf8");
  const [, table = ""] = text.split("| Kind | Data |");
  const rows =
    table
      .split("\n\n", 1)[0]
      ?.split("\n")
      .filter((line) => line.startsWith("| `")) ?? [];
  const named = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)]);
  const kinds = ARCHIVED.map(kindOf);
  expect(named.map(([, kind]) => kind)).toEqual(["meta", ...kinds, DIGEST]);
});
