import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CloseReason, leastMessage } from "../../src/domain/close.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const docs = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
const pages = ["README.md", ...docs.map((name) => join("docs", name))];

const REASONS: Readonly<Record<string, CloseReason>> = {
  "--done": "done",
  "--wontfix": "wontfix",
  "--duplicate-of": "duplicate",
  "--superseded-by": "superseded",
  "--audit-no-change": "audit-no-change",
};

test("every example of svc close in README.md and docs has a message as long as its reason requires", () => {
  const short: string[] = [];
  let count = 0;
  for (const page of pages) {
    const text = readFileSync(join(ROOT, page), "utf8");
    for (const [line, flags = "", message = ""] of text.matchAll(/svc close (.*?)-m "([^"<]+)"/g)) {
      const reason = REASONS[flags.split(" ").find((word) => word in REASONS) ?? ""];
      count += 1;
      if (reason === undefined || message.length < leastMessage(reason))
        short.push(`${page}: ${line}`);
    }
  }
  expect(count).toBeGreaterThan(7);
  expect(short).toEqual([]);
});
