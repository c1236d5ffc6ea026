import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyFile } from "../../src/archive/verify.ts";
import { withFileLines } from "../../src/sources/files/input.ts";
import { scratch } from "./targets.ts";

test("a file that cannot be opened is refused with the reason", async () => {
  const folder = await scratch();
  const path = join(folder, "none.jsonl");
  const refusal = { code: "validation", message: `cannot read ${path}: there is no such file` };
  await expect(withFileLines(path, async () => undefined)).rejects.toMatchObject(refusal);
  await expect(verifyFile(path)).rejects.toMatchObject(refusal);
});
