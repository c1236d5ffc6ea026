import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * Returns the committed text of a path; `npm run golden` first writes the new text there. A changed golden file needs a
 * review, like a changed contract: `expect(text).toBe(golden(path, text))`.
 */
export function golden(path: string, text: string): string {
  const file = join(ROOT, path);
  if (process.env["SVC_GOLDEN"] === "1") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return existsSync(file) ? readFileSync(file, "utf8") : `${path} is missing: npm run golden\n`;
}
