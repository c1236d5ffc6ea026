import { expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

const TITLE = "Crash on an empty file";
const BODY = ["--body", "The parser reads past the end of a file without lines"];

/** `svc create --help` promises this about similar issues. */
test("the same title is refused only with nearly the same body, and closed issues count", async () => {
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

test("deleted issues and other projects are not compared", async () => {
  const w = await projectWorld();
  const first = (await w.ok(["create", TITLE, ...BODY, "-q"])).trim();
  await w.ok(["projects", "create", "shop"]);
  await w.ok(["create", TITLE, ...BODY, "--project", "shop"]);
  await w.run(["delete", first, "--force", "--confirm", `DELETE web#${first}`]);
  const again = await w.run(["create", TITLE, ...BODY]);
  expect(again).toMatchObject({ code: 0, err: "" });
});

test("a repeat with the key returns the first issue, and a different request with it is refused", async () => {
  const w = await projectWorld();
  const create = ["create", TITLE, ...BODY, "--idempotency-key", "k", "-q"];
  expect(await w.ok(create)).toBe(await w.ok(create));
  const { code, err } = await w.refused(["create", "other", "--idempotency-key", "k"]);
  expect(code).toBe(5);
  expect(err).toContain("key");
});
