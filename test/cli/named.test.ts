import { expect, test } from "vitest";
import { cliWorld, projectWorld } from "./harness.ts";

test("@me is the caller, in every flag that takes a name and as the argument of assign", async () => {
  const w = await projectWorld();
  const id = await w.issue("mine", "--owner", "@me");
  await w.issue("hers", "--owner", "bea", "--as", "bea");
  const titles = async (...words: string[]) =>
    (JSON.parse(await w.ok([...words, "--json"])).issues as { title: string }[]).map(
      ({ title }) => title,
    );
  expect(await titles("list", "--owner", "@me")).toEqual(["mine"]);
  expect(await titles("list", "--owner", "@me", "--as", "bea")).toEqual(["hers"]);
  expect(await titles("list", "--author", "@me", "--as", "bea")).toEqual(["hers"]);
  expect(await titles("ready", "--owner=@me")).toEqual(["mine"]);
  await w.ok(["assign", id, "@me", "--as", "bea"]);
  expect((await titles("list", "--owner", "bea")).sort()).toEqual(["hers", "mine"]);
  await w.ok(["edit", id, "--owner", "@me", "-q"]);
  expect(await titles("list", "--owner", "ann")).toEqual(["mine"]);
  const events = JSON.parse(await w.ok(["events", "--actor", "@me", "--actor", "bea", "--json"]));
  const actors = (events.events as { actor: string }[]).map(({ actor }) => actor);
  expect(new Set(actors)).toEqual(new Set(["ann", "bea"]));
  // Only whole names are replaced, and only where a name is expected.
  await w.ok(["create", "@me", "--owner", "x@me", "--body", "@me", "-q"]);
  expect(await titles("list", "--owner", "x@me")).toEqual(["@me"]);
});

test("`me`, like `@me`, means the caller wherever a name is accepted, unless somebody has that name", async () => {
  const w = await projectWorld();
  const id = await w.issue("mine", "--owner", "me");
  await w.issue("hers", "--as", "bea");
  const shown = async (...words: string[]) => (await w.ok([...words, "-q"])).trim();
  expect(await shown("list", "--owner", "me")).toBe(id);
  expect(await w.ok(["assign", id, "me", "--as", "bea"])).toContain("assigned to bea");
  expect(await w.ok(["edit", id, "--owner", "me"])).toContain(id);
  await w.ok(["notify", id, "--to", "me", "--message", "look"]);
  expect(await shown("inbox", "--for", "me")).toBe(id);
  expect(await w.ok(["inbox", "--for", "ann", "-q"])).toContain(id);
  expect(await shown("list", "--author", "me", "--as", "bea")).not.toBe(id);
  expect(await w.ok(["wait", id, "--until", "owner=me", "--timeout", "1s"])).toContain(id);
  expect(await w.ok(["digest", "--since", "1000d", "--actor", "me"])).toContain("ann: ");
  expect(await w.ok(["list", "--json", "--owner", "me"])).toContain('"owner":"ann"');
});

test.each([
  ["wrote something", ["create", "theirs", "--as", "me"]],
  ["owns an issue", ["create", "theirs", "--owner", "x"]],
])("the name me is refused as ambiguous if somebody called me %s", async (_what, words) => {
  const w = await projectWorld();
  const id = await w.issue("free");
  await w.ok(words);
  if (words.includes("x")) await w.ok(["projects", "rewrite-author", "--from", "x", "--to", "me"]);
  for (const command of [
    ["assign", id, "me"],
    ["create", "other", "--owner", "me"],
    ["list", "--owner", "me"],
    ["inbox", "--for", "me"],
    ["undo", "--actor", "me", "--since", "1h"],
    ["events", "--actor", "bea", "--actor", "me"],
    ["wait", id, "--until", "owner=me"],
  ])
    expect(await w.refused(command), command.join(" ")).toEqual({
      err: 'svc: me may be you, "ann", or the person who is called me\nhint: @me is you; svc projects rewrite-author --from me --to <name> gives that person another name\n',
      code: 3,
    });
  // An actor who is called me means themselves by me, and @me is never ambiguous.
  expect(await w.ok(["assign", id, "me", "--as", "me"])).toContain("assigned to me");
  expect(await w.ok(["assign", id, "@me"])).toContain("assigned to ann");
});

test.each([["--as"], ["SVC_AUTHOR"]])("nobody can take the name @me with %s", async (where) => {
  const w = await projectWorld();
  const id = await w.issue("free");
  const flags = where === "--as" ? ["--as", "@me"] : [];
  const env = where === "--as" ? {} : { SVC_AUTHOR: "@me" };
  const words = [["claim", id], ["create", "theirs"], ["list", "--owner", "@me"], ["inbox"]];
  for (const command of words) {
    const refused = await w.run([...command, ...flags], { env });
    expect([refused.out, refused.code], command.join(" ")).toEqual(["", 3]);
    expect(refused.err).toContain("nobody can be named @me");
    expect(refused.err).toContain("hint: give your name with --as or SVC_AUTHOR");
  }
  expect(JSON.parse(await w.ok(["list", "--json"])).issues).toMatchObject([{ title: "free" }]);
});

test("SVC_PROJECT names the project; --project and --workspace outrank it, and it outranks the workspace's files", async () => {
  const w = await cliWorld();
  await w.ok(["init", "--project", "web"]);
  await w.ok(["projects", "create", "shop"]);
  await w.ok(["create", "in web"]);
  const env = { SVC_PROJECT: "shop" };
  await w.ok(["create", "in shop"], { env });
  const titles = async (...words: string[]) =>
    (
      JSON.parse(await w.ok(["list", "--json", ...words], { env })).issues as { title: string }[]
    ).map(({ title }) => title);
  expect(await titles()).toEqual(["in shop"]);
  expect(await titles("--project", "web")).toEqual(["in web"]);
  expect(await titles("--workspace", w.work)).toEqual(["in web"]);
  expect(await titles("--all")).toHaveLength(2);
  expect(await w.ok(["whoami"], { env })).toContain(" project=shop\n");
  expect(await w.ok(["whoami"])).not.toContain("project");
  expect((await w.run(["doctor"], { env })).out).toContain("SVC_PROJECT names the project shop");
  const unknown = await w.run(["list"], { env: { SVC_PROJECT: "nowhere" } });
  expect(unknown.err).toContain('there is no project "nowhere"');
  expect(unknown.err).toContain("hint: SVC_PROJECT names it; svc projects list shows them");
  expect(unknown.code).toBe(4);
  expect((await w.run(["list"], { env: { SVC_PROJECT: "" } })).out).toContain("in web");
});
