import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

describe("the delete, restore and purge commands", () => {
  test.each([
    ["the text", (id: string) => `DELETE web#${id}`, 0],
    ["another text", () => "yes", 6],
    ["nothing", () => "", 6],
  ])(
    "svc delete asks at a terminal, and ends with exit code $2 if the answer is $0",
    async (_, typed, code) => {
      const w = await projectWorld();
      const id = await w.issue("a");
      const ran = await w.run(["delete", id, "--force"], { typed: typed(id) });
      expect(ran.code).toBe(code);
      expect(ran.err).toContain(`Type DELETE web#${id} to confirm: `);
    },
  );

  test("svc delete and svc purge work in a project whose name is in another script", async () => {
    const w = await projectWorld();
    await w.ok(["projects", "rename", "web", "проект"]);
    const id = await w.issue("a");
    for (const command of ["delete", "purge"])
      await w.ok([
        command,
        id,
        "--force",
        "--confirm",
        `${command.toUpperCase()} проект#${id}`,
        "-q",
      ]);
    expect((await w.refused(["show", id])).code).toBe(4);
  });

  test("delete says how to undo it, and restore undoes it", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    const words = ["delete", id, "--force", "--confirm", `DELETE web#${id}`];
    expect(await w.ok(words)).toBe(`${id} deleted\nUndo: svc restore ${id}\n`);
    expect(await w.ok(words)).toBe(`${id} is deleted already (no-op)\n`);
    expect(await w.ok(["list", "--json"])).toContain('"issues":[]');
    expect(await w.ok(["restore", id])).toBe(`${id} restored [open]\n`);
    expect(await w.ok(["restore", id, "--agent"])).toBe(
      `OK restore ${id} changed=false\nIssue: ${id} a\nStatus: open\n`,
    );
  });

  test.each([
    ["without --force", ["--confirm", "DELETE web#ID"], 2, /needs --force/],
    ["without the text", ["--force"], 6, /confirm with: DELETE web#/],
    ["with another text", ["--force", "--confirm", "DELETE it"], 6, /confirm with: DELETE web#/],
  ])("delete %s is refused and changes nothing", async (_, flags, code, says) => {
    const w = await projectWorld();
    const id = await w.issue("a");
    const words = flags.map((flag) => flag.replace("ID", id));
    const refused = await w.refused(["delete", id, ...words]);
    expect(refused.code).toBe(code);
    expect(refused.err).toMatch(says);
    expect(await w.ok(["show", id])).toContain("[open]");
  });

  test.each([
    ["without --force", [], 2],
    ["with --force but no text", ["--force"], 6],
    ["with the text but no --force", ["--confirm", "DELETE it"], 2],
  ])("delete %s shows the whole command to type if nobody can be asked", async (_, flags, code) => {
    const w = await projectWorld();
    const id = await w.issue("a");
    const refused = await w.refused(["delete", id, ...flags]);
    expect(refused.code).toBe(code);
    expect(refused.err).toContain(`hint: svc delete ${id} --force --confirm "DELETE web#${id}"\n`);
    const json = JSON.parse((await w.refused(["delete", id, "--force", "--json"])).err);
    expect(json.error).toMatchObject({
      code: "confirm_required",
      exit_code: 6,
      data: { expected: `DELETE web#${id}` },
    });
  });

  test("delete tells an agent the status of the issue and the command that undoes the deletion", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    const words = ["delete", id, "--force", "--confirm", `DELETE web#${id}`, "--agent"];
    expect(await w.ok(words)).toBe(
      `OK delete ${id} changed=true\nIssue: ${id} a\nStatus: deleted\nDeleted: true\nUndo: svc restore ${id} --agent\n`,
    );
  });

  test("svc purge says before the confirmation what its record still contains", async () => {
    const w = await projectWorld();
    const id = await w.issue("a secret");
    const kept = "The record keeps the issue's title and author: to erase a secret from the title";
    expect((await w.refused(["purge", id])).err).toContain(kept);
    for (const mode of [[], ["--agent"], ["--json"]]) {
      const { err, code } = await w.refused(["purge", id, "--force", ...mode]);
      expect(code).toBe(6);
      expect(err).toContain(kept);
      if (mode[0] === "--json")
        expect(JSON.parse(err).error.data).toMatchObject({ expected: `PURGE web#${id}` });
    }
    const asked = await w.run(["purge", id, "--force"], { typed: `PURGE web#${id}` });
    expect(asked.code).toBe(0);
    expect(asked.err.indexOf(kept)).toBeLessThan(asked.err.indexOf("Type PURGE"));
    expect(asked.err).toContain(kept);
    await w.ok(["projects", "create", "trial", "-q"]);
    await w.ok(["projects", "remove", "trial", "--force", "-q"]);
    const project = await w.refused(["projects", "purge", "trial", "--force"]);
    expect(project.err).toContain("The record keeps the project's name.");
  });

  test("purge prints what was removed, and nothing remains", async () => {
    const w = await projectWorld();
    const id = await w.issue("a", "--label", "bug");
    await w.ok(["comment", id, "-m", "x"]);
    const words = ["purge", id, "--force", "--confirm", `PURGE web#${id}`, "--reason", "secret"];
    expect(await w.ok(words)).toBe(
      `${id} a purged: 1 comments, 0 links, 1 labels, 2 events\nBackups, exports and copies of the database (svc.db.before-…, svc_before_schema_…) made before still hold it: delete those that need not be kept.\n`,
    );
    expect((await w.refused(["show", id])).code).toBe(4);
    expect((await w.refused(["restore", id])).code).toBe(4);
  });

  test("purge prints the id for agents and with -q", async () => {
    const w = await projectWorld();
    const [a, b] = [await w.issue("a"), await w.issue("b")];
    const flags = (id: string) => ["purge", id, "--force", "--confirm", `PURGE web#${id}`];
    expect(await w.ok([...flags(a), "-q"])).toBe(`${a}\n`);
    expect(await w.ok([...flags(b), "--agent"])).toMatch(
      new RegExp(`^OK purge ${b}\nIssue: ${b} b\nStatus: purged\n`),
    );
  });
});

describe("the move command", () => {
  test("moves an issue, prints its new name and comments there", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    await w.ok(["projects", "create", "shop"]);
    expect(await w.ok(["move", id, "shop", "--dry-run"])).toBe(
      `web#${id} a would move to shop (dry run, nothing changed)\n`,
    );
    expect(await w.ok(["move", id, "shop", "--comment", "it is theirs"])).toBe(
      `moved to shop#${id}\n`,
    );
    expect(await w.ok(["show", `shop#${id}`])).toContain("it is theirs");
    expect((await w.refused(["show", id])).code).toBe(4);
    expect((await w.refused(["move", `shop#${id}`, "shop"])).code).toBe(3);
    expect(await w.ok(["move", `shop#${id}`, "web", "--agent"])).toBe(
      `OK move ${id}\nIssue: ${id} a\nStatus: open\nMoved-To: web#${id}\n`,
    );
  });
});

describe("the meta command", () => {
  test("sets, shows and removes values", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    expect(await w.ok(["meta", "get", id])).toBe("no metadata\n");
    expect(await w.ok(["meta", "set", id, "area", "ui"])).toBe(`meta set ${id} area rev-2\n`);
    expect(await w.ok(["meta", "set", id, "n", "[1,2]", "--json-value"])).toContain("rev-3");
    expect(await w.ok(["meta", "get", id])).toBe('area = "ui"\nn = [1,2]\n');
    expect(await w.ok(["meta", "get", id, "area"])).toBe("ui\n");
    const asText = await w.refused(["meta", "set", id, "someday", "true"]);
    expect(asText.err).toContain("hint: give --json-value");
    const wrong = await w.refused(["meta", "set", id, "someday", "soon"]);
    expect(wrong.err).not.toContain("--json-value");
    expect(JSON.parse(await w.ok(["meta", "get", id, "n", "--json"]))).toEqual({
      svc_api_version: 1,
      ref: `web#${id}`,
      revision: 3,
      key: "n",
      value: [1, 2],
    });
    expect(await w.ok(["meta", "unset", id, "n", "--if-match", "rev-3"])).toContain("rev-4");
    expect(await w.ok(["meta", "unset", id, "n"])).toContain("(no-op)");
    expect(await w.ok(["meta", "set", id, "area", "cli", "-q"])).toBe(`${id}\n`);
    expect(await w.ok(["meta", "set", id, "area", "api", "--agent"])).toBe(
      `OK meta set issue=${id} key=area revision=6 changed=true\n`,
    );
  });

  test.each([
    ["null as a value", ["set", "ID", "k", "null", "--json-value"], 3],
    ["what is no JSON", ["set", "ID", "k", "{", "--json-value"], 3],
    ["a blank revision", ["set", "ID", "k", "v", "--if-match", ""], 3],
    ["another revision", ["set", "ID", "k", "v", "--if-match", "7"], 6],
    ["a key that is not there", ["get", "ID", "k"], 4],
  ])("refuses %s", async (_, words, code) => {
    const w = await projectWorld();
    const id = await w.issue("a");
    const refused = await w.refused(["meta", ...words.map((word) => word.replace("ID", id))]);
    expect(refused.code).toBe(code);
  });
});

describe("projects", () => {
  test("are archived, restored and purged", async () => {
    const w = await projectWorld();
    await w.issue("a");
    await w.ok(["projects", "create", "trial"]);
    expect((await w.refused(["projects", "remove", "web"])).code).toBe(5);
    expect(await w.ok(["projects", "remove", "trial"])).toMatch(/^archived trial; svc projects/);
    expect(await w.ok(["projects", "restore", "trial"])).toBe("restored trial\n");
    expect(await w.ok(["projects", "restore", "trial"])).toContain("(no-op)");
    const purge = ["projects", "purge", "trial", "--force", "--confirm", "PURGE trial"];
    expect((await w.refused(purge)).code).toBe(5);
    await w.ok(["projects", "remove", "trial", "--force", "-q"]);
    expect(await w.ok(purge)).toMatch(/^purged trial: 0 issues/);
    expect((await w.refused(purge)).code).toBe(4);
  });

  test("are merged, and then .svc.toml names the remaining project", async () => {
    const w = await projectWorld();
    await w.issue("a");
    await w.ok(["projects", "create", "shop"]);
    expect(await w.ok(["projects", "merge", "web", "shop"])).toMatch(
      /^merged web into shop: 1 issues, \d+ repositories, \d+ events\n$/,
    );
    expect(readFileSync(`${w.work}/.svc.toml`, "utf8")).toContain("shop");
    expect(await w.ok(["list"])).toContain(" a ");
  });

  test("can replace an author's name, detach a folder, and have metadata of their own", async () => {
    const w = await projectWorld();
    await w.issue("a");
    expect(await w.ok(["projects", "rewrite-author", "--from", "ann", "--to", "bea"])).toBe(
      "rewritten: 1 issue authors, 0 issue owners, 0 comment authors, 0 link authors\n",
    );
    expect(
      await w.ok(["projects", "rewrite-author", "--from", "ann", "--to", "bea", "--agent"]),
    ).toBe(
      "OK rewrite-author changed=false issue_authors=0 issue_owners=0 comment_authors=0 link_authors=0\n",
    );
    expect(await w.ok(["projects", "meta", "--set", "role=inbox"])).toBe("meta of web rev-2\n");
    expect(await w.ok(["projects", "meta"])).toBe('role = "inbox"\n');
    expect(await w.ok(["projects", "meta", "--unset", "role", "--agent"])).toBe(
      "OK projects meta project=web revision=3 changed=true\n",
    );
    const { aliases } = JSON.parse(await w.ok(["projects", "show", "--json"]));
    const { alias_identity: alias } = aliases[0];
    expect((await w.refused(["projects", "detach", alias])).code).toBe(5);
    expect(await w.ok(["projects", "detach", alias, "--force"])).toBe(`detached ${alias}\n`);
  });
});
