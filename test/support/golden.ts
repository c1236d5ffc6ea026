import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * What is committed under a path; `npm run golden` writes the text there first. A changed golden file is read like a
 * changed contract: `expect(text).toBe(golden(path, text))`.
 */
export function golden(path: string, text: string): string {
  const file = join(ROOT, path);
  if (process.env["SVC_GOLDEN"] === "1") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return existsSync(file) ? readFileSync(file, "utf8") : `${path} is missing: npm run golden\n`;
}
