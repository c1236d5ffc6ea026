import { expect, test } from "vitest";
import { commandFiles, projectWorld } from "./harness.ts";
import { STEPS, stories } from "./steps.ts";

/** Commands whose answer names no issue, or is a text of another kind. */
const NAMELESS = [
  /^autocomplete/,
  /^(backup|bridge|connector|cron|daemon|federation|mcp|projects|recurrence|storage|sync|tokens)\b/,
  /^(completion|demo|digest|doctor|events:compare|export|health|import(:list|:undo)?|init|labels|meta:get|openapi|quickstart|ui|version|whoami)$/,
  // Prints refs when a session at a terminal ends (test/e2e/tui-find.test.ts).
  /^tui$/,
  /^search:\w+$/,
];

test("every command is listed as one that prints refs with -q, or as one that does not", () => {
  const unknown = [...commandFiles().keys()].filter(
    (id) => !Object.hasOwn(STEPS, id) && !NAMELESS.some((names) => names.test(id)),
  );
  expect(unknown).toEqual([]);
});

test.each(Object.keys(STEPS))("svc %s -q prints only refs, one a line", async (id) => {
  const w = await stories();
  const [words, refs] = (await STEPS[id]?.(w)) ?? [[], []];
  const { out, err, code } = await w.run([...words, "-q"]);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  if (refs === null) expect(out).toMatch(/^[0-9a-z]{4}\n$/);
  else expect(out).toBe(refs.map((ref) => `${ref}\n`).join(""));
  // The next command accepts what was printed.
  for (const ref of id === "purge" ? [] : out.trimEnd().split("\n"))
    expect(await w.ok(["show", ref, "-q", "--include-deleted"])).toBe(`${ref}\n`);
});

test.each([
  [["list", "--label", "none"]],
  [["ready", "--label", "none"]],
  [["next", "--label", "none"]],
  [["next", "--label", "none", "--claim"], 9],
  [["ready", "--label", "none", "--lease", "2m"], 9],
  [["search", "nothingofthekind"]],
  [["holders"]],
  [["inbox", "--for", "nobody"]],
  [["audit", "closes"]],
  [["events", "--after", "999"]],
  [["graph", "--critical-path", "--project", "shop"]],
  [
    [
      "undo",
      "--actor",
      "nobody",
      "--since",
      "2026-01-01T00:00:00Z",
      "--until",
      "2026-01-01T01:00:00Z",
      "--yes",
    ],
  ],
])("the command line %j prints nothing with -q if there is no issue", async (words, exit = 0) => {
  const w = await projectWorld();
  await w.ok(["projects", "create", "shop", "-q"]);
  const { out, code } = await w.run([...words, "-q"]);
  expect({ out, code }).toEqual({ out: "", code: exit });
});

test("-q prints the refs of the whole list, and qualified refs for issues of other projects", async () => {
  const w = await stories();
  expect(await w.ok(["list", "--all", "-q"])).toBe(`shop#${w.there}\nweb#${w.b}\nweb#${w.a}\n`);
  expect(await w.ok(["list", "-q", "--project", "shop"])).toBe(`${w.there}\n`);
  expect(await w.ok(["show", `shop#${w.there}`, "-q"], { terminal: 80 })).toBe(`shop#${w.there}\n`);
});
