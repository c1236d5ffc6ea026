import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

/** The id of a chat message. As a number of JavaScript it would be 1234567890123456800. */
const BIG = "1234567890123456789";

test("integers beyond 2^53 in metadata keep every digit in every output", async () => {
  const w = await projectWorld();
  const id = await w.issue("a");
  await w.ok(["meta", "set", id, "chat", BIG, "--json-value"]);
  for (const words of [
    ["show", id],
    ["show", id, "--json"],
    ["show", id, "--agent"],
    ["meta", "get", id],
    ["meta", "get", id, "--json"],
    ["meta", "get", id, "--agent"],
    ["meta", "get", id, "chat"],
    ["meta", "get", id, "chat", "--json"],
    ["meta", "get", id, "chat", "--agent"],
    ["list", "--fields", "metadata"],
    ["list", "--full", "--json"],
    ["ready", "--full", "--json"],
    ["next", "--full", "--json"],
    ["events", "--limit", "50", "--json"],
  ])
    expect(await w.ok(words), words.join(" ")).toContain(BIG);
  for (const words of [["events"], ["events", "--agent"], ["next"], ["list"]])
    expect(await w.ok(words), words.join(" ")).not.toContain("123456789012345680");
});

test("integers beyond 2^53 in a plan keep every digit", async () => {
  const w = await projectWorld();
  const issue = `{"name":"a","title":"A","metadata":{"chat":${BIG}}}`;
  writeFileSync(join(w.work, "plan.json"), `{"plan":"p","issues":[${issue}]}`);
  await w.ok(["plan", "apply", "plan.json"]);
  expect(await w.ok(["list", "--json", "--full"])).toContain(`"chat":${BIG}`);
});
