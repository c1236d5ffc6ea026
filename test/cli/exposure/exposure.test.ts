import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type ExposedListener,
  exposed,
  type MachineNetwork,
} from "../../../src/cli/exposure/listener.ts";
import { openersOf } from "../../../src/cli/exposure/pages.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { judgeStart, type StartFacts } from "../../../src/config/start-rows.ts";
import { startDaemon } from "../../../src/daemon/index.ts";
import { recordPath } from "../../../src/daemon/listeners/record.ts";
import { settingsFrom } from "../../../src/daemon/settings.ts";
import type { Mode } from "../../../src/domain/access/modes.ts";
import { FakeClock } from "../../support/clock.ts";
import { tempFolder } from "../../support/daemon.ts";
import { type Ran, runCommand } from "../harness.ts";

const TOKEN = "svc_the-secret-of-the-team";

interface Reported {
  readonly source: string;
  readonly mode: string;
  readonly listeners: readonly ExposedListener[];
  readonly after_restart?: { readonly mode: string; readonly listeners: readonly unknown[] };
  readonly unchecked: readonly string[];
}

interface Home {
  readonly folder: string;
  readonly record: string;
  svc(...words: string[]): Promise<Ran>;
  report(): Promise<Reported>;
  /** Starts a daemon of the settings. */
  start(more?: Readonly<Record<string, string>>): Promise<{ readonly address: string }>;
}

function homeWith(toml: string, own: Readonly<Record<string, string>> = {}): Home {
  const folder = tempFolder();
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, "config.toml"), toml, { mode: 0o600 });
  const env = { SVC_HOME: home, HOME: folder, XDG_RUNTIME_DIR: folder, ...own };
  const svc = async (...words: string[]): Promise<Ran> => {
    const ran = await runCommand(words, { env, cwd: folder });
    expect(ran.out + ran.err).not.toContain(TOKEN);
    return ran;
  };
  let record = "";
  return {
    folder,
    get record() {
      return record;
    },
    svc,
    report: async () => JSON.parse((await svc("daemon", "exposure", "--json")).out),
    start: async (more = {}) => {
      const config = await loadConfig({ env: { ...env, ...more }, cwd: folder });
      const settings = settingsFrom(config, "1.2.3");
      const daemon = await startDaemon({ ...settings, clock: new FakeClock() });
      onTestFinished(async () => await daemon.stop());
      record = recordPath(settings.runtimeDir, process.pid);
      return { address: daemon.endpoint.address };
    },
  };
}

const LINUX: MachineNetwork = {
  platform: "linux",
  addresses: ["127.0.0.1", "10.77.0.1", "::1", "fd00::1"],
  nowMs: 0,
};

const FACTS: StartFacts = {
  ...{ listen: "socket", token: false, trust: false, tokenless: false, identity: false },
  ...{ readonly: false, encrypted: false },
};

function listener(
  address: string,
  mode: Mode,
  facts: Partial<StartFacts>,
  around: MachineNetwork = LINUX,
  trusted_header?: string,
): ExposedListener {
  const verdict = judgeStart({ ...FACTS, ...facts }, address);
  const https = facts.encrypted === true;
  return exposed(
    { mode, verdict, listener: { address, https, ...(trusted_header && { trusted_header }) } },
    around,
  );
}

describe("the description of a listener's exposure", () => {
  test.each<[string, Mode, Partial<StartFacts>, Partial<ExposedListener>]>([
    ["unix:///nowhere/s", "open", {}, { row: 8, reach: "user", warnings: [] }],
    ["127.0.0.1:7777", "open", { listen: "loopback" }, { row: 9, reach: "user", warnings: [] }],
    [
      "127.0.0.1:7777",
      "static",
      { listen: "loopback", token: true },
      { row: 9, reach: "machine", write: ["daemon_token"], warnings: [] },
    ],
    [
      "10.77.0.1:7777",
      "tokenless",
      { listen: "private", tokenless: true },
      {
        ...{ row: 6, reach: "network", write: ["none"], administer: [] },
        warnings: [expect.stringContaining("everybody who reaches 10.77.0.1:7777 can write")],
      },
    ],
    [
      "10.77.0.1:7777",
      "static",
      { listen: "private", token: true, trust: true },
      { row: 11, reach: "network", warnings: [expect.stringContaining("in clear")] },
    ],
    [
      "10.77.0.1:7777",
      "identity",
      { listen: "private", token: true, identity: true, encrypted: true },
      { row: 11, https: true, write: ["person_token"], writes_as: "token", warnings: [] },
    ],
    [
      "10.77.0.1:7777",
      "static",
      { listen: "private", token: true },
      { row: 12, refusal: expect.stringContaining("in clear"), cure: expect.any(String) },
    ],
    [
      "0.0.0.0:7777",
      "readonly",
      { listen: "wildcard", readonly: true },
      {
        ...{ row: 13, read: ["none"], follow: [], write: [], administer: [] },
        reached_by: "every machine that can send to any address of this one: 10.77.0.1",
        warnings: ["everybody who reaches 0.0.0.0:7777 can read there without a token"],
      },
    ],
    [
      "[::]:7777",
      "open",
      { listen: "wildcard" },
      { row: 14, reached_by: expect.stringContaining("10.77.0.1, fd00::1") },
    ],
  ])(
    "the description of %s in the mode %s says who can read and write",
    (address, mode, facts, said) => {
      expect(listener(address, mode, facts)).toMatchObject(said);
    },
  );

  test("says that a wildcard address on a machine with a public address is open to the internet", () => {
    const around = { ...LINUX, addresses: ["203.0.113.5", "10.77.0.1"] };
    const facts = { listen: "wildcard", token: true, encrypted: true } as const;
    expect(listener("0.0.0.0:443", "static", facts, around)).toMatchObject({
      reach: "internet",
      warnings: [expect.stringContaining("open to the internet")],
    });
  });

  test("says that loopback is open to every user if the system cannot tell who owns a connection", () => {
    const around = { ...LINUX, platform: "darwin" } as const;
    expect(listener("127.0.0.1:1", "open", { listen: "loopback" }, around)).toMatchObject({
      reach: "machine",
      warnings: ["every user of this machine can read and write at 127.0.0.1:1 without a token"],
    });
  });

  test("says that a proxy's header can be forged by anyone who reaches the listener directly", () => {
    const said = listener("127.0.0.1:1", "open", { listen: "loopback" }, LINUX, "x-actor");
    expect(said).toMatchObject({ reach: "machine", writes_as: "header", administer: [] });
    expect(said.warnings).toEqual([
      "everybody who reaches 127.0.0.1:1 without the proxy can write as anybody, by the header x-actor",
    ]);
  });
});

const REFUSED = { read: "refused", write: "refused", administer: "refused" };
const ANSWERED = { read: "answered", write: "answered", administer: "answered" };

describe("who can open a page", () => {
  const opened = (
    kind: "browser" | "shared-tcp",
    mode: "open" | "tokenless" | "readonly" | "static" | "identity",
    more: {
      readonly address?: string;
      readonly origin?: string;
      readonly trusted_header?: string;
    } = {},
    platform: NodeJS.Platform = "linux",
  ) => openersOf({ address: "127.0.0.1:7420", kind, ...more }, mode, platform);

  test.each([
    ["browser", "open", {}, ["owner", "forwarder"]],
    ["browser", "static", {}, ["owner_by_code", "daemon_token"]],
    ["browser", "identity", {}, ["daemon_token", "person_token"]],
    ["browser", "readonly", {}, ["everybody", "owner", "forwarder"]],
    ["browser", "open", { trusted_header: "x-actor" }, ["proxy"]],
    ["browser", "open", { origin: "https://svc.example.org" }, []],
    ["browser", "open", { origin: "http://localhost:7420" }, ["owner", "forwarder"]],
    ["shared-tcp", "open", {}, ["owner_by_code"]],
    ["shared-tcp", "static", {}, ["owner_by_code", "daemon_token"]],
    ["shared-tcp", "open", { address: "10.1.2.3:7420" }, []],
  ] as const)(
    "a page on a listener of kind %s in mode %s with %j can be opened by %j",
    (kind, mode, more, openers) => {
      expect(opened(kind, mode, more)).toEqual(openers);
    },
  );

  test("includes every user of the machine if the user of a connection cannot be found", () => {
    expect(opened("browser", "open", {}, "darwin")).toEqual(["machine", "forwarder"]);
    expect(opened("browser", "static", {}, "darwin")).toEqual(["owner_by_code", "daemon_token"]);
  });
});

describe("svc daemon exposure", () => {
  test.each([
    ["", {}, "open", 8, ANSWERED],
    ['listen = "127.0.0.1:0"\n', {}, "open", 9, ANSWERED],
    ['listen = "127.0.0.1:0"\n', { SVC_AUTH_TOKEN: TOKEN }, "static", 9, REFUSED],
    ["[auth]\nrequire_token_identity = true\n", { SVC_AUTH_TOKEN: TOKEN }, "identity", 8, REFUSED],
    [
      'listen = "127.0.0.1:0"\n[auth.proxy]\ntrusted_actor_header = "x-actor"\ntrusted_proxy_listeners = ["127.0.0.1:0"]\n',
      {},
      "open",
      9,
      { read: "answered", write: "refused", administer: "refused" },
    ],
  ])(
    "says the same as the running daemon for the settings %j and the environment %j",
    async (toml, env, mode, row, saw) => {
      const home = homeWith(toml, env);
      const planned = await home.report();
      const proxied = toml.includes("x-actor");
      // Where the settings name a listener of a proxy alone, the daemon's own socket comes before it.
      const listeners = proxied ? [{ row: 8, warnings: [] }, { row }] : [{ row }];
      expect(planned).toMatchObject({ source: "settings", mode, listeners });
      const { address } = await home.start();
      const report = await home.report();
      expect(report).toMatchObject({ source: "daemon", mode, listeners });
      expect(report.listeners[0]?.address).toContain(address);
      const last = report.listeners.at(-1);
      expect(last?.without_token).toEqual(saw);
      expect(last?.warnings).toHaveLength(proxied ? 1 : 0);
      expect(planned.listeners.at(-1)?.warnings).toHaveLength(proxied ? 1 : 0);
      expect(report.after_restart).toBeUndefined();
    },
  );

  test("says what the present settings would change at a restart, and what it cannot check", async () => {
    const home = homeWith('listen = "127.0.0.1:0"\n');
    await home.start({ SVC_AUTH_TOKEN: TOKEN });
    const report = await home.report();
    expect(report).toMatchObject({ mode: "static", after_restart: { mode: "open" } });
    expect(report.unchecked).toContain("who has the tokens");
    const { out } = await home.svc("daemon", "exposure");
    expect(out).toContain("writes       whoever has [auth] token, as any actor");
    expect(out).toContain("by the settings, after svc daemon restart: no token is asked for");
    expect((await home.svc("daemon", "exposure", "--agent")).out).toMatch(
      /^OK exposure source=daemon pid=\d+ mode=static after_restart=open\n- address=/,
    );
  });

  test("expects another port after a restart only if the settings name one", async () => {
    const home = homeWith('listen = "127.0.0.1:1"\n');
    const config = readFileSync(join(home.folder, "home", "config.toml"), "utf8");
    const rewrite = (port: number): void =>
      writeFileSync(join(home.folder, "home", "config.toml"), config.replace(":1", `:${port}`));
    rewrite(0);
    await home.start();
    expect((await home.report()).after_restart).toBeUndefined();
    rewrite(1);
    expect((await home.report()).after_restart).toMatchObject({
      listeners: [{ address: "127.0.0.1:1" }],
    });
  });

  test("ignores PORT except for a daemon that is started in the foreground", async () => {
    const { listeners } = await homeWith("", { PORT: "3000" }).report();
    expect(listeners).toMatchObject([{ row: 8, warnings: [] }]);
  });

  test("warns if the daemon behaves differently from its record", async () => {
    const home = homeWith("");
    const { address } = await home.start();
    const text = readFileSync(home.record, "utf8");
    writeFileSync(home.record, text.replace('"mode":"open"', '"mode":"static"'));
    const [first] = (await home.report()).listeners;
    expect(first?.warnings).toEqual(
      ["read", "write", "administer"].map(
        (right) =>
          `unix://${address} answered a request to ${right} without a token, against what is said here`,
      ),
    );
  });

  test("says that a certificate expires soon, and that the last reload was refused", async () => {
    const home = homeWith('listen = "127.0.0.1:0"\n[tls]\ncert = "c.pem"\nkey = "k.pem"\n');
    const folder = join(import.meta.dirname, "..", "..", "daemon", "fixtures");
    const own = (await home.report()).listeners[0];
    expect(own).toMatchObject({ https: true });
    const at = (name: string): string => join(home.folder, "home", name);
    copyFileSync(join(folder, "certificate.pem"), at("c.pem"));
    copyFileSync(join(folder, "key.pem"), at("k.pem"));
    chmodSync(at("k.pem"), 0o600);
    await home.start();
    const text = readFileSync(home.record, "utf8");
    const tls = '"valid_until":"2020-01-01T00:00:00.000Z","fault":"k.pem is cut",';
    writeFileSync(home.record, text.replace(/"valid_until":"[^"]*",/, tls));
    const [first] = (await home.report()).listeners;
    expect(first).toMatchObject({ https: true, without_token: ANSWERED });
    expect(first?.warnings).toEqual([
      "the last svc daemon reload was refused: k.pem is cut",
      "the certificate ended at 2020-01-01T00:00:00.000Z: renew it and run svc daemon reload",
    ]);
  });
});

interface Diagnosed {
  readonly checks: readonly { readonly id: string }[];
}

test.runIf(process.platform === "linux")(
  "svc daemon exposure says whom a listener for a proxy answers, by the settings and by the running daemon",
  async () => {
    const toml =
      'listen = ["127.0.0.1:0", "127.0.0.1:7797"]\n[auth.proxy]\ntrusted_actor_header = "x-user"\ntrusted_proxy_listeners = ["127.0.0.1:7797"]\nproxy_user = "4711"\n';
    const planned = {
      ...{ address: "127.0.0.1:7797", trusted_header: "x-user", proxy_user: 4711, reach: "user" },
      reached_by: expect.stringContaining("the user with id 4711"),
      warnings: [],
    };
    const home = homeWith(toml);
    expect((await home.report()).listeners).toContainEqual(expect.objectContaining(planned));
    await home.start();
    const running = await home.report();
    expect(running.source).toBe("daemon");
    expect(running.listeners).toContainEqual(expect.objectContaining(planned));
    expect(running).not.toHaveProperty("after_restart");
    expect((await home.svc("daemon", "exposure", "--agent")).out).toContain("proxy_user=4711");
  },
);

describe("what svc doctor says of exposure", () => {
  async function checked({ svc }: Home): Promise<unknown> {
    const { checks }: Diagnosed = JSON.parse((await svc("doctor", "--json")).out);
    return checks.find(({ id }) => id === "daemon.exposure");
  }

  test("is that the owner's socket exposes nothing", async () => {
    const home = homeWith("");
    await home.start();
    expect(await checked(home)).toMatchObject({ status: "ok" });
  });

  test("is a warning for everything that is exposed", async () => {
    const toml =
      'listen = "10.77.0.1:0"\n[auth]\nallow_unauthenticated_private_network_writes = true\n';
    expect(await checked(homeWith(toml))).toMatchObject({
      status: "warning",
      summary: expect.stringContaining("can write there without a token"),
      fix: "svc daemon exposure shows who can do what",
    });
  });

  test("is a warning for a running daemon that would not start again", async () => {
    const home = homeWith("");
    await home.start();
    const toml = '[web]\npublic_origin = "http://tracker.example"\n';
    writeFileSync(join(home.folder, "home", "config.toml"), toml);
    expect(await checked(home)).toMatchObject({
      status: "warning",
      summary: expect.stringMatching(/^no daemon would start again by the settings: \[web\]/),
    });
  });

  test("is a failure if no daemon would start, with the remedy", async () => {
    const home = homeWith('[web]\npublic_origin = "http://tracker.example"\n');
    expect(await checked(home)).toMatchObject({
      status: "failed",
      summary: expect.stringContaining("plain http beyond this machine"),
      fix: expect.stringContaining("use https"),
    });
    expect((await home.svc("daemon", "exposure")).out).toMatch(
      /\n {4}! does not start: \[web\] public_origin .*\n {6}use https, /,
    );
    expect(await checked(homeWith('listen = "0.0.0.0:0"\n'))).toMatchObject({
      status: "failed",
      summary: expect.stringContaining("everybody who reaches it could write without a token"),
      fix: expect.stringContaining("[auth] token"),
    });
  });
});
