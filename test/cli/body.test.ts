import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_BODY_BYTES } from "../../src/contract/limits.ts";
import { projectWorld } from "./harness.ts";

const LATIN = Buffer.from("caf\u00E9", "latin1");

test("svc edit and svc comment read their text from a file or from standard input", async () => {
  const w = await projectWorld();
  const id = await w.issue("a");
  const body = async () => JSON.parse(await w.ok(["show", id, "--json"])).issue.body;
  writeFileSync(join(w.work, "body.md"), "\uFEFFfrom a file\n");
  await w.ok(["edit", id, "--body-file", "body.md"]);
  expect(await body()).toBe("from a file");
  await w.ok(["edit", id, "--body-file", "-"], { stdin: "from\nstdin\n" });
  expect(await body()).toBe("from\nstdin");
  const edited = await w.ok(["edit", id, "--body-stdin", "--agent"], { stdin: "" });
  expect(edited).toContain("Changes: body\n");
  expect(await body()).toBe("");
  await w.ok(["comment", id, "--body-file", "-"], { stdin: "said\n" });
  expect(JSON.parse(await w.ok(["show", id, "--json"])).comments[0].body).toBe("said");
});

test("a text in another encoding is refused with the remedy, and nothing is written", async () => {
  const w = await projectWorld();
  writeFileSync(join(w.work, "body.md"), LATIN);
  const cure = "save it as UTF-8, or convert it with iconv -f <its encoding> -t UTF-8";
  expect(await w.refused(["create", "x", "--body-file", "body.md"])).toEqual({
    err: `svc: --body-file body.md is not UTF-8 text\nhint: ${cure}\n`,
    code: 3,
  });
  const piped = await w.run(["create", "x", "--body-file", "-"], { stdin: LATIN });
  expect(piped).toMatchObject({ out: "", code: 3 });
  expect(piped.err).toContain("standard input is not UTF-8 text");
  expect(JSON.parse(await w.ok(["list", "--json"])).issues).toEqual([]);
});

test("a text that is too large for a request is refused without being read to its end", async () => {
  const w = await projectWorld();
  for (const [path, stdin] of [
    ["/dev/zero", ""],
    ["-", Buffer.alloc(DEFAULT_BODY_BYTES + 1, "x")],
  ] as const) {
    const refused = await w.run(["create", "x", "--body-file", path], { stdin });
    expect(refused.err).toContain(`holds more than ${DEFAULT_BODY_BYTES} bytes`);
    expect(refused.code).toBe(3);
  }
});

test("svc says at a terminal how to end the text that is typed", async () => {
  const w = await projectWorld();
  const made = await w.run(["create", "x", "--body-file", "-"], { typed: "", stdin: "typed\n" });
  expect(made).toMatchObject({ err: "type the text, then ctrl+d on a line of its own\n", code: 0 });
});
