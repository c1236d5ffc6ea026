import { expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

const TITLE = "Crash on an empty file";
const BODY = ["--body", "The parser reads past the end of a file without lines"];

/** `svc create --help` promises this about similar issues. */
test("svc create refuses the title of another issue only with nearly the same body, also if that issue is closed", async () => {
  const w = await projectWorld();
  await w.ok(["create", TITLE]);
  await w.ok(["create", TITLE]);
  const first = (await w.ok(["create", TITLE, ...BODY, "-q"])).trim();
  const again = ["create", "crashes on the empty files", ...BODY];
  const { code, err } = await w.refused(again);
  expect(code).toBe(5);
  expect(err).toContain(first);
  await w.ok(["create", TITLE, "--body", "Another cause: the disk was full"]);

  const message = "the parser reads no lines from an empty file; a test covers it";
  await w.run(["close", first, "--done", "--test", "npm test", "-m", message]);
  expect((await w.refused(again)).err).toContain(first);
  await w.ok(["create", TITLE, ...BODY, "--force-new"]);
});

test("svc create does not compare a new issue with deleted issues or with other projects", async () => {
  const w = await projectWorld();
  const first = (await w.ok(["create", TITLE, ...BODY, "-q"])).trim();
  await w.ok(["projects", "create", "shop"]);
  await w.ok(["create", TITLE, ...BODY, "--project", "shop"]);
  await w.run(["delete", first, "--force", "--confirm", `DELETE web#${first}`]);
  const again = await w.run(["create", TITLE, ...BODY]);
  expect(again).toMatchObject({ code: 0, err: "" });
});

test("repeating svc create with its idempotency key returns the first issue, and another title with that key is refused", async () => {
  const w = await projectWorld();
  const create = ["create", TITLE, ...BODY, "--idempotency-key", "k", "-q"];
  expect(await w.ok(create)).toBe(await w.ok(create));
  const { code, err } = await w.refused(["create", "other", "--idempotency-key", "k"]);
  expect(code).toBe(5);
  expect(err).toContain("key");
});
