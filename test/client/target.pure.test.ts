import { describe, expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { Client } from "../../src/client/client.ts";
import {
  requireAllowed,
  requireTrusted,
  selectTarget,
  type Target,
  tokenFor,
} from "../../src/client/target.ts";
import { type Config, loadConfig } from "../../src/config/load.ts";
import { parseOrigin } from "../../src/config/origins.ts";
import { changeTrusted } from "../../src/config/trusted.ts";
import { readWorkspace } from "../../src/config/workspace.ts";
import { health } from "../../src/contract/health.ts";
import { folderWith } from "../config/folder.ts";
import { refusalOf, throws } from "../config/refusal.ts";

const CATALOG = `
[[daemon]]
name = "here"
local = true
[[daemon]]
name = "work"
url = "https://work.example"
token = "work-token"
[[daemon]]
name = "broken"
url = "https://broken.example"
token_env = "NOT_SET"
[[daemon]]
name = "plain"
url = "http://tracker.lan"
[[daemon]]
name = "opted"
url = "http://tracker.lan"
allow_insecure = true
[[daemon]]
name = "behind"
url = "https://proxy.example/svc/"
[[daemon]]
name = "link"
url = "http://[fe80::1%eth0]:7777/svc"
[[daemon]]
name = "none"
url = "https://none.example"
`;

const NO_WORKSPACE = { file: undefined, overlay: undefined, server: undefined, warnings: [] };
const PROGRAM = { version: "1.2.3", launcher: undefined };

interface Settings {
  /** Origins trusted by `svc daemon trust`. */
  readonly trusted?: readonly string[];
  readonly file?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly local?: string;
  readonly daemon?: string;
}

async function selected({
  file = "",
  env = {},
  local,
  daemon,
  trusted = [],
}: Settings): Promise<{ config: Config; target: Target }> {
  const home = folderWith({ "config.toml": `${file}\n${CATALOG}` });
  for (const url of trusted) await changeTrusted(home, parseOrigin(url, "the test"), "add");
  const config = await loadConfig({ env: { SVC_HOME: home, ...env }, cwd: home });
  const workspace = await readWorkspace(
    folderWith({
      ".git/HEAD": "",
      ...(local === undefined ? {} : { ".svc.local.toml": `version = 1\n[server]\n${local}\n` }),
    }),
    {},
  );
  return { config, target: selectTarget(config, workspace, daemon) };
}

const text = (target: Target): string => (target.kind === "local" ? "local" : target.origin.text);

describe("the first configured source of a target takes effect", () => {
  const all = {
    daemon: "work",
    env: { SVC_SERVER: "https://env.example" },
    local: 'url = "https://workspace.example"',
    file: 'active_daemon = "broken"',
  };
  const { daemon: _daemon, ...noFlag } = all;
  const { env: _env, ...noEnv } = noFlag;
  const { local: _local, ...onlyActive } = noEnv;

  test.each<[string, Settings, string, string]>([
    ["--daemon", all, "https://work.example", "daemon_flag"],
    ["SVC_SERVER", noFlag, "https://env.example", "configured"],
    ["[server] of the workspace", noEnv, "https://workspace.example", "configured"],
    ["active_daemon", onlyActive, "https://broken.example", "configured"],
    ["nothing", {}, "local", "local_default"],
    ["--daemon with a local entry", { ...all, daemon: "here" }, "local", "daemon_flag"],
    ["active_daemon with a local entry", { file: 'active_daemon = "here"' }, "local", "configured"],
    ["an empty SVC_SERVER", { env: { SVC_SERVER: "" } }, "local", "local_default"],
  ])("with $0 the target is $2, from the source $3", async (_name, given, where, source) => {
    const { target } = await selected(given);
    expect([text(target), target.source]).toEqual([where, source]);
  });
});

test.each([
  ["behind", "https://proxy.example", "/svc"],
  ["link", "http://[fe80::1%25eth0]:7777", "/svc"],
  ["work", "https://work.example", undefined],
])(
  "the URL of a [[daemon]] entry may have a path: the entry %s has the origin %s and the path %s",
  async (daemon, origin, path) => {
    const env = { SVC_TRUST_PRIVATE_NETWORK: "1" };
    const { target } = await selected({ daemon, env });
    expect(target).toMatchObject({ kind: "remote", origin: { text: origin } });
    expect("path" in target ? target.path : undefined).toBe(path);
  },
);

describe("a target that cannot be selected is refused, and nothing else is used instead", () => {
  test.each<[string, Settings, string]>([
    ["an unknown name", { daemon: "wrok", env: { SVC_SERVER: "https://x.example" } }, '"wrok"'],
    ["a SVC_SERVER with a path", { env: { SVC_SERVER: "https://x.example/api" } }, "SVC_SERVER"],
    [
      "a SVC_SERVER without a scheme",
      { env: { SVC_SERVER: "x.example" }, file: 'active_daemon = "work"' },
      "SVC_SERVER",
    ],
    ["plain http to a name", { daemon: "plain" }, "http://tracker.lan"],
  ])("a target with %s is refused", async (_name, given, word) => {
    await expect(selected(given)).rejects.toMatchObject({
      code: "validation",
      message: expect.stringContaining(word) as string,
    });
  });
});

describe("plain http to a target", () => {
  const trust = { SVC_TRUST_PRIVATE_NETWORK: "1" };
  const insecure = { SVC_ALLOW_INSECURE: "1" };

  // One row for each line of docs/contract/network-and-access.md#91-where-plain-http-may-go: is plain HTTP allowed
  // without an opt-in, with trust, and with allow_insecure?
  test.each<[string, boolean, boolean, boolean]>([
    ["https://tracker.example.com", true, true, true],
    ["https://8.8.8.8", true, true, true],
    ["http://localhost:7777", true, true, true],
    ["http://127.0.0.1:7777", true, true, true],
    ["http://127.255.255.255", true, true, true],
    ["http://2130706433:7777", true, true, true],
    ["http://[::1]:7777", true, true, true],
    ["http://10.0.0.5:7777", false, true, true],
    ["http://172.31.255.255", false, true, true],
    ["http://172.32.0.0", false, false, true],
    ["http://192.168.1.1", false, true, true],
    ["http://100.64.0.1", false, true, true],
    ["http://100.128.0.0", false, false, true],
    ["http://169.254.1.1", false, true, true],
    ["http://[fe80::1]:7777", false, true, true],
    ["http://[fe80::1%25eth0]:7777", false, true, true],
    ["http://[fd00::1]:7777", false, true, true],
    ["http://0.0.0.0:80", false, true, true],
    ["http://[::]:80", false, true, true],
    ["http://[::ffff:127.0.0.1]", true, true, true],
    ["http://[::ffff:10.0.0.5]", false, true, true],
    ["http://[::ffff:8.8.8.8]", false, false, true],
    ["http://8.8.8.8", false, false, true],
    ["http://[2001:db8::1]", false, false, true],
    ["http://tracker.lan", false, false, true],
    ["http://localhost.lan", false, false, true],
    ["http://127.0.0.1.nip.io", false, false, true],
    ["ftp://127.0.0.1", false, false, false],
    ["unix:///tmp/s", false, false, false],
    ["http://", false, false, false],
    ["http:///127.0.0.1", false, false, false],
    ["http://:7777", false, false, false],
  ])(
    "the target %s is allowed: %s, with SVC_TRUST_PRIVATE_NETWORK: %s, with SVC_ALLOW_INSECURE: %s",
    async (url, ...allowed) => {
      for (const [place, env] of [{}, trust, insecure].entries()) {
        const { config } = await selected({ env });
        const settings = { ...config.settings, server: url };
        const select = () => selectTarget({ ...config, settings }, { server: undefined });
        expect(throws(select)).toBe(!(allowed[place] ?? true));
      }
    },
  );

  test("is checked again for each request and each new client, however the target was selected", async () => {
    const { config, target } = await selected({ env: { SVC_SERVER: "http://10.0.0.5", ...trust } });
    const distrustful = {
      ...config,
      settings: { ...config.settings, trustPrivateNetwork: false },
    };
    expect(throws(() => requireAllowed(config, target))).toBe(false);
    expect(refusalOf(() => requireAllowed(distrustful, target)).hint).toContain(
      "SVC_TRUST_PRIVATE_NETWORK=1",
    );
    const selection = { workspace: NO_WORKSPACE, target, program: PROGRAM, warnings: [] };
    const settings = { ...config.settings };
    const client = new Client({ config: { ...config, settings }, ...selection }, true);
    expect(throws(() => new Client({ config: distrustful, ...selection }, true))).toBe(true);
    settings.trustPrivateNetwork = false;
    await expect(call(client, health, {})).rejects.toMatchObject({ code: "validation" });
  });

  test("is not allowed by SVC_ALLOW_INSECURE for a [[daemon]] entry or for a workspace's server", async () => {
    await expect(selected({ daemon: "plain", env: insecure })).rejects.toMatchObject({
      code: "validation",
    });
    await expect(
      selected({ local: 'url = "http://tracker.lan"', env: insecure }),
    ).rejects.toMatchObject({ code: "validation" });
    expect(text((await selected({ daemon: "opted" })).target)).toBe("http://tracker.lan");
  });
});

describe("the token that is sent to the selected daemon", () => {
  const fromFile = '[auth]\ntoken = "own-token"';
  const env = { SVC_AUTH_TOKEN: "env-token" };

  test.each<[string, Settings, string | undefined]>([
    ["that of its catalog entry", { daemon: "work", file: fromFile }, "work-token"],
    [
      "that of its catalog entry rather than the environment's",
      { daemon: "work", file: fromFile, env },
      "work-token",
    ],
    [
      "that of its catalog entry rather than the environment's for a workspace's server",
      { env, local: 'url = "https://work.example"' },
      "work-token",
    ],
    [
      "the environment's for SVC_SERVER",
      { file: fromFile, env: { ...env, SVC_SERVER: "https://work.example" } },
      "env-token",
    ],
    [
      "not that of config.toml for an entry without a token",
      { daemon: "opted", file: fromFile },
      undefined,
    ],
    ["the environment's for an entry without a token", { daemon: "opted", env }, "env-token"],
    [
      "that of the entry with the same origin for SVC_SERVER",
      { file: fromFile, env: { SVC_SERVER: "https://WORK.example:443/" } },
      "work-token",
    ],
    [
      "that of the entry with the same origin for a workspace's server",
      { file: fromFile, local: 'url = "https://work.example"' },
      "work-token",
    ],
    [
      "not that of an entry with another port",
      { env: { SVC_SERVER: "https://work.example:444" } },
      undefined,
    ],
    [
      "not that of an entry with another scheme",
      { env: { SVC_SERVER: "http://work.example:443", SVC_ALLOW_INSECURE: "1" } },
      undefined,
    ],
    [
      "that of config.toml for SVC_SERVER",
      { file: fromFile, env: { SVC_SERVER: "https://x.example" } },
      "own-token",
    ],
    ["that of config.toml for this machine's daemon", { file: fromFile }, "own-token"],
    ["that of config.toml for a local entry", { daemon: "here", file: fromFile }, "own-token"],
    ["the environment's rather than config.toml's", { file: fromFile, env }, "env-token"],
    ["none", {}, undefined],
    [
      "that of the variable in token_env",
      { daemon: "broken", env: { NOT_SET: "now-set" } },
      "now-set",
    ],
  ])("the token that is sent to the selected daemon is %s", async (_name, given, token) => {
    const { config, target } = await selected(given);
    expect(tokenFor(config, target)?.text).toBe(token);
  });

  test.each([{}, { NOT_SET: "" }, env])(
    "a token_env whose variable is unset or empty makes the call fail, but not the selection of the daemon: %j",
    async (more) => {
      const { config, target } = await selected({ daemon: "broken", env: more });
      expect(text(target)).toBe("https://broken.example");
      expect(() => tokenFor(config, target)).toThrow("NOT_SET");
    },
  );
});

test.each(["svc_Zm9vYmFyYmF6cXV4", "ghp_x-y", "two words", "v4l"])(
  "a token that was put into token_env by mistake is not repeated in the refusal: %s",
  async (secret) => {
    const file = `[[daemon]]\nname = "odd"\nurl = "https://odd.example"\ntoken_env = "${secret}"\n`;
    const { config, target } = await selected({ daemon: "odd", file });
    const { message, hint } = refusalOf(() => tokenFor(config, target));
    expect(message).toContain('[[daemon]] "odd"');
    expect(hint).toContain("the name of a variable");
    expect(`${message} ${hint}`).not.toContain(secret);
  },
);

describe("a server that only a workspace's file names", () => {
  const tokens: [string, Settings][] = [
    ["[auth] token", { file: '[auth]\ntoken = "own-token"' }],
    ["SVC_AUTH_TOKEN", { env: { SVC_AUTH_TOKEN: "env-token" } }],
  ];
  const local = 'url = "https://evil.example"';

  test.each(tokens)(
    "gets no %s, and the refusal names the command to trust it",
    async (_name, given) => {
      const { config, target } = await selected({ ...given, local });
      const attempt = (): unknown => tokenFor(config, target);
      expect(attempt).toThrow("the token is not sent to https://evil.example");
      expect(refusalOf(attempt)).toMatchObject({
        code: "validation",
        hint: "if it is yours: svc daemon trust https://evil.example",
      });
      expect(throws(() => requireTrusted(config, target))).toBe(true);
    },
  );

  test("gets requests without a token if no token is configured", async () => {
    const { config, target } = await selected({ local });
    expect(tokenFor(config, target)).toBeUndefined();
  });

  test.each(tokens)("gets %s once it is trusted", async (_name, given) => {
    const trusted = ["https://evil.example"];
    const { config, target } = await selected({ ...given, local, trusted });
    expect(tokenFor(config, target)?.text).toMatch(/-token$/);
  });

  test.each(tokens)("gets %s if it is in the catalog", async (_name, given) => {
    const { config, target } = await selected({ ...given, local: 'url = "https://none.example"' });
    expect(tokenFor(config, target)?.text).toMatch(/^(own|env)-token$/);
  });

  test("cannot allow plain http for itself", async () => {
    const insecure = 'url = "http://evil.example"\nallow_insecure = true';
    await expect(selected({ local: insecure })).rejects.toMatchObject({
      code: "validation",
      hint: "if it is yours: svc daemon trust http://evil.example",
    });
    const { target } = await selected({ local: insecure, trusted: ["http://evil.example"] });
    expect(text(target)).toBe("http://evil.example");
    const own = 'url = "http://tracker.lan"\nallow_insecure = true';
    expect(text((await selected({ local: own })).target)).toBe("http://tracker.lan");
  });

  test("may not use plain http merely because it is trusted", async () => {
    const url = "http://evil.example";
    await expect(selected({ local: `url = "${url}"`, trusted: [url] })).rejects.toMatchObject({
      message: expect.stringContaining("it is no private IP address") as string,
    });
  });
});
