import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConnectorFile, readEntry } from "../../src/config/connectors.ts";
import { parseToml } from "../../src/config/toml.ts";
import { folderWith } from "./folder.ts";

const fail = (what: string): never => {
  throw new Error(what);
};

async function entryOf(toml: string) {
  return readEntry(await parseToml(toml, "config.toml"), fail);
}

const LEAST = 'id = "files"\ncommand = "/bin/connector"\n';

describe("an entry of a connector", () => {
  test("has 30 seconds, no arguments, no variables and no settings, unless it says so", async () => {
    expect(await entryOf(LEAST)).toEqual({
      ...{ id: "files", command: "/bin/connector", args: [], timeoutMs: 30_000 },
      ...{ env: {}, settings: {} },
    });
  });

  test("has its id in lower case and its time in milliseconds", async () => {
    const entry = await entryOf(
      [
        'id = " Files.2_a-b "\ncommand = " /bin/connector "\nargs = ["a", ""]',
        'timeout_seconds = 0.5\nenv = { TOKEN = "TRACKER_TOKEN" }',
        "settings = { folder = '/x', deep = [{ at = 1.5, on = true }] }",
      ].join("\n"),
    );
    expect(entry).toEqual({
      ...{ id: "files.2_a-b", command: "/bin/connector", args: ["a", ""], timeoutMs: 500 },
      env: { TOKEN: "TRACKER_TOKEN" },
      settings: { folder: "/x", deep: [{ at: 1.5, on: true }] },
    });
  });

  test.each([
    [`${LEAST}timeout_seconds = 0`, 30_000],
    [`${LEAST}timeout_seconds = 300`, 300_000],
  ])("may have the time limit of %j", async (toml, ms) => {
    expect((await entryOf(toml)).timeoutMs).toBe(ms);
  });

  test("may have 64 arguments", async () => {
    const args = Array.from({ length: 64 }, () => '"a"').join(",");
    expect((await entryOf(`${LEAST}args = [${args}]`)).args).toHaveLength(64);
  });

  const tooDeep = `${"[".repeat(64)}${"]".repeat(64)}`;
  test.each([
    ['command = "/bin/connector"', "id is required"],
    ['id = ""\ncommand = "/bin/connector"', "invalid id"],
    ['id = "-a"\ncommand = "/bin/connector"', "invalid id"],
    [`id = "${"a".repeat(65)}"\ncommand = "/bin/connector"`, "invalid id"],
    ['id = "a b"\ncommand = "/bin/connector"', "invalid id"],
    ['id = 7\ncommand = "/bin/connector"', "invalid id"],
    ['id = "files"', "command must be absolute"],
    ['id = "files"\ncommand = "connector"', "command must be absolute"],
    ['id = "files"\ncommand = "./connector"', "command must be absolute"],
    [`${LEAST}args = [${Array.from({ length: 65 }, () => '"a"').join(",")}]`, "at most 64 args"],
    [`${LEAST}args = "a"`, "list of texts as args"],
    [`${LEAST}args = [1]`, "list of texts as args"],
    [`${LEAST}timeout_seconds = 301`, "must be between 0 and 300"],
    [`${LEAST}timeout_seconds = -1`, "must be between 0 and 300"],
    [`${LEAST}timeout_seconds = "30"`, "must be between 0 and 300"],
    [`${LEAST}timeout_seconds = nan`, "must be between 0 and 300"],
    [`${LEAST}env = { "A-B" = "C" }`, "invalid environment name"],
    [`${LEAST}env = { A = "1C" }`, "invalid environment name"],
    [`${LEAST}env = { A = "" }`, "invalid environment name"],
    [`${LEAST}env = "A"`, "a table as env"],
    [`${LEAST}settings = [1]`, "settings must be JSON-compatible"],
    [`${LEAST}settings = { at = 2026-01-01 }`, "settings must be JSON-compatible"],
    [`${LEAST}settings = { at = 10:00:00 }`, "settings must be JSON-compatible"],
    [`${LEAST}settings = { at = [inf] }`, "settings must be JSON-compatible"],
    [`${LEAST}settings = { at = ${tooDeep} }`, "settings must be JSON-compatible"],
    [`${LEAST}path = "/x"`, 'unknown key "path"'],
  ])("is refused: %s", async (toml, problem) => {
    await expect(entryOf(toml)).rejects.toThrow(problem);
  });
});

describe("the file of svc connector test", () => {
  async function read(text: string) {
    const path = join(folderWith({ "one.toml": text }), "one.toml");
    return await readConnectorFile(path, "/bin/tested");
  }

  test.each([
    ["keys alone", 'args = ["a"]\n[test]\nroot = "one"\n'],
    [
      "a whole entry",
      '[[connector]]\nid = "x"\nargs = ["a"]\ncommand = "old"\n[test]\nroot = "one"\n',
    ],
  ])("may have %s, and tests the command that was named", async (_, text) => {
    expect(await read(text)).toMatchObject({
      ...{ command: "/bin/tested", args: ["a"], test: { root: "one" } },
    });
  });

  test("is not needed", async () => {
    expect(await readConnectorFile(undefined, "/bin/tested")).toMatchObject({ args: [], test: {} });
  });

  test.each([
    ["[[connector]]\n[[connector]]\n", "not exactly one [[connector]]"],
    ["connector = 1\n", "not exactly one [[connector]]"],
    ['more = 1\n[[connector]]\nargs = ["a"]\n', 'unknown key "more"'],
    ["more = 1\n", 'unknown key "more"'],
    ["test = 1\n", "[test] as a table"],
    ["[test]\nmore = 1\n", 'unknown key "test.more"'],
    ['[test]\nroot = " "\n', "text as root"],
    ['[test]\nfixture = "a"\n', "an absolute path"],
    ['[test]\nfixture = ["a"]\n', "an absolute path"],
    ["[test]\nfixture = []\n", "an absolute path"],
    ["= \n", "is not valid TOML"],
  ])("is refused: %j", async (text, problem) => {
    await expect(read(text)).rejects.toThrow(problem);
  });
});
