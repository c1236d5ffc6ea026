import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { HOST_NAMES, HOSTS, scopesOf } from "../../../src/cli/agent-hosts/hosts.ts";
import { folderWith } from "../../config/folder.ts";
import { runCommand } from "../harness.ts";

const SECRET = "the-bearer-of-ann";
const SERVER = "https://t.example.com";
const TEAM = `[[daemon]]\nname = "team"\nurl = "${SERVER}"\ntoken_env = "TEAM_TOKEN"\n`;

interface Files {
  readonly config?: string;
  readonly local?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The entry that `svc mcp config` prints in an environment, or why it prints none. */
async function configured(
  words: readonly string[],
  { config = TEAM, local, env = {} }: Files = {},
) {
  const home = folderWith({ ".svc/config.toml": config });
  const work = folderWith({
    ".git/HEAD": "",
    ".svc.toml": 'version = 1\n[project]\nname = "web"\n',
    ...(local === undefined ? {} : { ".svc.local.toml": local }),
  });
  const { out, err, code } = await runCommand(["mcp", "config", ...words, "--json"], {
    cwd: work,
    env: { PATH: process.env["PATH"], HOME: home, ...env },
  });
  return { out, err, code, home, work, ...(code === 0 ? { found: JSON.parse(out) } : {}) };
}

const codex = ["--client", "codex", "--scope", "user"];

describe("the settings that svc mcp config writes for a server", () => {
  test.each(HOST_NAMES.filter((name) => scopesOf(HOSTS[name]).some((scope) => scope === "user")))(
    "include the server, the trust in it and SVC_HOME, with their values, in the user's own file of %s",
    async (client) => {
      const env = {
        SVC_SERVER: "http://team.lan:7777",
        SVC_ALLOW_INSECURE: "1",
        SVC_HOME: "elsewhere",
        SVC_AUTHOR: "ann",
      };
      const words = ["--client", client, "--scope", "user", "--all-projects"];
      const { found, err, work } = await configured(words, { env });
      expect(err).toBe("");
      const values = { ...env, SVC_HOME: join(work, "elsewhere") };
      expect(found.env).toEqual(values);
      const document = found.format === "toml" ? parse(found.text) : JSON.parse(found.text);
      const { env: inFile, environment } = document[HOSTS[client].servers].svc;
      expect(inFile ?? environment).toEqual(values);
    },
  );

  test("include only the address of the server, and nothing personal, in the file of a project", async () => {
    const env = { SVC_SERVER: SERVER, SVC_AUTHOR: "ann", SVC_TEAMMATE: "bot" };
    const { found } = await configured(["--client", "claude-code"], { env });
    expect(found.env).toEqual({ SVC_SERVER: SERVER });
  });

  test.each([
    ["SVC_HOME", {}],
    ["SVC_ALLOW_INSECURE", { SVC_SERVER: "http://team.lan:7777" }],
    ["SVC_TRUST_PRIVATE_NETWORK", { SVC_SERVER: "http://10.0.0.5:7777" }],
    ["NODE_EXTRA_CA_CERTS", { SVC_SERVER: SERVER }],
  ])(
    "are refused for the file of a project if the personal variable %s is set",
    async (name, more) => {
      const env = { [name]: "1", ...more };
      const refused = await configured(["--client", "claude-code"], { env });
      expect(refused).toMatchObject({ code: 3, out: "" });
      const { error } = JSON.parse(refused.err);
      expect(error.message).toContain(`${name} is set`);
      expect(error.hint).toContain("--scope user");
      const user = await configured(["--client", "claude-code", "--scope", "user"], { env });
      expect(user.found.env).toHaveProperty(name);
    },
  );

  test.each([
    ["SVC_AUTH_TOKEN", { SVC_AUTH_TOKEN: SECRET, SVC_SERVER: SERVER }, TEAM],
    ["TEAM_TOKEN", { SVC_SERVER: SERVER, TEAM_TOKEN: SECRET }, TEAM],
    ["TEAM_TOKEN", { TEAM_TOKEN: SECRET }, `active_daemon = "team"\n\n${TEAM}`],
    ["SVC_DSN", { SVC_DSN: `postgres://ann:${SECRET}@db/svc` }, TEAM],
    ["SVC_DB", { SVC_DB: `postgres://ann:${SECRET}@db/svc` }, TEAM],
  ])(
    "include only the name of the variable %s, and not its secret value",
    async (name, env, config) => {
      const { found, out } = await configured(codex, { env, config });
      expect(found.env_names).toEqual([name]);
      const { svc } = parse(found.text)["mcp_servers"] as { readonly svc: object };
      expect(svc).toMatchObject({ env_vars: [name] });
      expect(out).not.toContain(SECRET);
      const desktop = await configured(["--client", "claude-desktop", "--all-projects"], {
        env,
        config,
      });
      expect(desktop).toMatchObject({ code: 3, out: "" });
      expect(desktop.err).toContain(name);
      expect(desktop.err).not.toContain(SECRET);
    },
  );

  test("leave out the server and token of the environment if --daemon names another server", async () => {
    const env = { SVC_SERVER: "https://other.example.com", SVC_AUTH_TOKEN: SECRET };
    const { found } = await configured([...codex, "--daemon", "team"], { env });
    expect([found.env, found.env_names]).toEqual([{}, ["TEAM_TOKEN"]]);
    expect(found.args.slice(-2)).toEqual(["--daemon", "team"]);
  });

  test("include the project of SVC_PROJECT, unless --workspace is given", async () => {
    const env = { SVC_PROJECT: "api" };
    expect((await configured(codex, { env })).found.args.slice(-2)).toEqual(["--project", "api"]);
    const { found, work } = await configured([...codex, "--workspace", "."], { env });
    expect(found.args.slice(-2)).toEqual(["--workspace", work]);
  });

  test("are refused if the workspace names a daemon that the server would not find", async () => {
    const local = `version = 1\n[server]\nurl = "${SERVER}"\n`;
    const zed = ["--client", "zed"];
    const refused = await configured([...zed, "--all-projects"], { local });
    expect(refused).toMatchObject({ code: 3, out: "" });
    expect(refused.err).toContain(`${SERVER}`);
    expect((await configured([...zed, "--workspace", "."], { local })).code).toBe(0);
    expect((await configured(codex, { local })).code).toBe(0);
  });

  test.each([
    ["gemini", "/home/a$b"],
    ["claude-code", "/home/${HOME}"],
    ["opencode", "/home/{env:HOME}"],
  ])("are refused if the host %s would replace a part of the value %s", async (client, path) => {
    const words = ["--client", client, "--scope", "user"];
    const refused = await configured(words, { env: { SVC_HOME: path } });
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining("would replace") });
    expect((await configured(codex, { env: { SVC_HOME: path } })).code).toBe(0);
  });
});
