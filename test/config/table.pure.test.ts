import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readTomlOrJson } from "../../src/config/toml.ts";

test.each([
  ["TOML", 'token = "secret-0123" x'],
  ["JSON", '{ "token": "secret-0123" x }'],
])(
  "the error about a broken %s file quotes nothing of it, and has no cause",
  async (_form, text) => {
    const folder = mkdtempSync(join(tmpdir(), "svc-table-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "table");
    writeFileSync(path, text);
    const error = await readTomlOrJson(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "validation", cause: undefined });
    expect(String(error)).toContain(`${path} is not valid`);
    expect(String(error)).not.toContain("secret");
  },
);
