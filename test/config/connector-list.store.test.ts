import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { secretVariables } from "../../src/config/secret-variables.ts";
import { settingsFrom } from "../../src/daemon/settings.ts";
import { folderWith } from "./folder.ts";

async function configOf(file: string) {
  const home = folderWith({ "config.toml": file });
  return await loadConfig({ cwd: home, env: { SVC_HOME: home, HOME: home } });
}

const entry = (id: string, more = "") =>
  `[[connector]]\nid = "${id}"\ncommand = "/opt/${id}"\n${more}\n`;

test("connectors are read in the order of config.toml, with the settings that each of them names", async () => {
  const more = [
    'args = ["--folder", "notes"]',
    "timeout_seconds = 5",
    'env = { KEY = "TICKETS_KEY" }',
    'settings = { board = "a", lists = ["x", { of = 2 }] }',
  ].join("\n");
  const { connectors } = await configOf(`${entry("tickets", more)}${entry("files")}`);
  expect(connectors).toEqual([
    {
      ...{ id: "tickets", command: "/opt/tickets", args: ["--folder", "notes"], timeoutMs: 5000 },
      ...{ env: { KEY: "TICKETS_KEY" }, settings: { board: "a", lists: ["x", { of: 2 }] } },
    },
    { id: "files", command: "/opt/files", args: [], timeoutMs: 30_000, env: {}, settings: {} },
  ]);
});

test("a daemon gets the connectors of config.toml and its environment, and one without connectors gets none", async () => {
  const config = await configOf(entry("files"));
  expect(settingsFrom(config, "1.0.0")).toMatchObject({
    connectors: { entries: config.connectors, environment: config.env },
  });
  expect(settingsFrom(await configOf(""), "1.0.0")).not.toHaveProperty("connectors");
});

test("only the setting for it lets tokens of persons administer connectors", async () => {
  const auth = '[auth]\ntoken = "own-secret-0123456789"\nrequire_token_identity = true\n';
  const allow = "allow_identity_connector_administration = true\n";
  const authenticationOf = async (file: string) =>
    settingsFrom(await configOf(file), "1.0.0").authentication;
  const identity = { mode: "identity", token: "own-secret-0123456789" };
  expect(await authenticationOf(auth)).toEqual(identity);
  expect(await authenticationOf(`${auth}${allow}`)).toEqual({
    ...identity,
    tokensAdministerConnectors: true,
  });
});

test("programs that svc starts do not get the variables of connectors, but they get PATH", async () => {
  const config = await configOf(entry("files", 'env = { KEY = "FILES_KEY", PATH = "PATH" }'));
  expect(secretVariables(config)).toContain("FILES_KEY");
  expect(secretVariables(config)).not.toContain("PATH");
});

describe("a connector is refused, so that no daemon starts with it", () => {
  test.each([
    ["that is a table", '[connector]\nid = "a"\n', "must write a connector as [[connector]]"],
    ["that is a text", 'connector = "a"\n', "must write a connector as [[connector]]"],
    [
      "without id",
      '[[connector]]\ncommand = "/opt/a"\n',
      "in [[connector]] number 1 has no id: id is required",
    ],
    [
      "with a relative command, named by its place and id",
      `${entry("files")}[[connector]]\nid = "tickets"\ncommand = "bin/tickets"\n`,
      'in [[connector]] number 2 ("tickets") has another command than an absolute path: command must be absolute',
    ],
    [
      "with the id of another one in other letters",
      `${entry("files")}${entry("tickets")}${entry("Files")}`,
      'has the duplicate id "files" in [[connector]] number 1 and [[connector]] number 3',
    ],
    ["that may take longer than 300 seconds", entry("a", "timeout_seconds = 301"), "0 and 300"],
    ["with an unknown key", entry("a", 'folder = "b"'), 'has the unknown key "folder"'],
  ])("%s", async (_what, file, text) => {
    await expect(configOf(file)).rejects.toMatchObject({
      code: "validation",
      message: expect.stringContaining(text),
    });
  });

  test("but not at the limit of 300 seconds", async () => {
    const { connectors } = await configOf(entry("a", "timeout_seconds = 300"));
    expect(connectors).toMatchObject([{ timeoutMs: 300_000 }]);
  });
});
