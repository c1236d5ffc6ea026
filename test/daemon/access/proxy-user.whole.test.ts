import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { startWarnings } from "../../../src/config/start.ts";
import { userId } from "../../../src/config/users.ts";
import { PeerUsers } from "../../../src/daemon/access/peer-users.ts";
import { settingsFrom } from "../../../src/daemon/index.ts";
import { accessApp, openDoor } from "../../support/access-app.ts";
import { tempFolder, testDaemon } from "../../support/daemon.ts";
import { openPage, originOf } from "../../support/page.ts";
import { hasNginx, nginxAs } from "../../support/proxy-nginx.ts";
import { isRoot, STRANGER_UID } from "../../support/stranger.ts";

const LINUX = process.platform === "linux";
const PROXY_UID = 12_346;
const ANY_PORT = { host: "127.0.0.1", port: 0 };

/** A daemon without a token that trusts a proxy which runs as `user`. */
async function trusting(user?: number) {
  const proxy = { header: "x-user", listeners: ["127.0.0.1:0"] };
  const trusted = { ...proxy, ...(user === undefined ? {} : { user }) };
  return await testDaemon({ listen: ANY_PORT, rules: { allowedHosts: [], trusted } });
}

/** Sends what a proxy would send, from a program of this user. */
async function directly(uid: number, address: string, method: string, path: string) {
  const script = `
    const [url, method, name] = process.argv.slice(1);
    const headers = { "x-user": "mallory", "content-type": "application/json" };
    const body = method === "GET" ? undefined : JSON.stringify({ name });
    fetch(url, { method, headers, body }).then(async (answer) =>
      console.log(JSON.stringify([answer.status, (await answer.json()).error?.message])));`;
  const args = ["-e", script, `http://${address}/api/v1${path}`, method, `by-${uid}`];
  const run = { uid, gid: uid, cwd: "/", env: {} };
  return JSON.parse((await promisify(execFile)(process.execPath, args, run)).stdout) as unknown;
}

const ONLY_PROXY = [401, "this address answers only the proxy that is set up for it"];

describe.runIf(LINUX && isRoot)("a listener for a proxy that runs as a separate user", () => {
  test.runIf(hasNginx)("answers the proxy, and writes as the actor the proxy names", async () => {
    const { endpoint } = await trusting(PROXY_UID);
    const ask = await nginxAs(PROXY_UID, endpoint.address, "ann");
    expect((await ask("GET", "/projects")).status).toBe(200);
    const made = await ask("POST", "/projects", { name: "web", actor: "mallory" });
    expect(made.status).toBe(200);
    const { body } = await ask("GET", "/events?limit=10");
    expect(body["events"]).toMatchObject([{ type: "project.created", actor: "ann" }]);
    const unnamed = await nginxAs(PROXY_UID, endpoint.address);
    expect((await unnamed("GET", "/projects")).status).toBe(200);
    expect(await unnamed("POST", "/projects", { name: "cli", actor: "mallory" })).toMatchObject({
      status: 400,
      body: { error: { code: "actor_header_required" } },
    });
  });

  test.runIf(hasNginx)("refuses the same proxy if another user runs it", async () => {
    const { endpoint } = await trusting(PROXY_UID);
    const ask = await nginxAs(STRANGER_UID, endpoint.address, "ann");
    expect((await ask("GET", "/projects")).status).toBe(401);
    expect((await ask("POST", "/projects", { name: "web" })).status).toBe(401);
  });

  test("refuses every other user of the machine, including root, except for ping and health", async () => {
    const { address } = (await trusting(PROXY_UID)).endpoint;
    for (const uid of [STRANGER_UID, 0]) {
      expect(await directly(uid, address, "GET", "/projects")).toEqual(ONLY_PROXY);
      expect(await directly(uid, address, "GET", "/events/stream")).toEqual(ONLY_PROXY);
      expect(await directly(uid, address, "POST", "/projects")).toEqual(ONLY_PROXY);
      expect(await directly(uid, address, "GET", "/ping")).toEqual([200, null]);
    }
    expect(await directly(PROXY_UID, address, "POST", "/projects")).toEqual([200, null]);
  });

  test("answers every user of the machine if no user is configured for the proxy", async () => {
    const { address } = (await trusting()).endpoint;
    expect(await directly(STRANGER_UID, address, "POST", "/projects")).toEqual([200, null]);
  });
});

test.runIf(LINUX)(
  "a listener for a proxy's user refuses everybody if the kernel does not say who connected",
  async () => {
    const peers = new PeerUsers(silentLog, 0, async () => ({ tcp: undefined, tcp6: undefined }));
    const app = accessApp({ mode: "open", peers });
    const { ask } = await openDoor(app, "tcp", { trustedHeader: "x-user", proxyUser: PROXY_UID });
    const answer = await ask("GET", "/api/v1/read", ["X-User", "ann"]);
    expect([answer.status, answer.code]).toEqual([503, "unavailable"]);
  },
);

/** What a start with these settings says. */
async function configured(toml: string) {
  const home = tempFolder();
  writeFileSync(join(home, "config.toml"), toml, { mode: 0o600 });
  return await loadConfig({ env: { SVC_HOME: home }, cwd: home });
}

const TRUSTED = `[auth.proxy]\ntrusted_actor_header = "X-User"\ntrusted_proxy_listeners = ["127.0.0.1:7777"]\n`;
const WARNING = /every user of this machine can write at 127\.0\.0\.1:7777 as any actor/;

describe("the start of a daemon that trusts a proxy on loopback", () => {
  test.each([
    ["listen", `listen = "127.0.0.1:7777"\n${TRUSTED}`],
    ["listen beside another", `listen = ["127.0.0.1:7778", "127.0.0.1:7777"]\n${TRUSTED}`],
    ["[web] listen", `[web]\nlisten = "127.0.0.1:7777"\n${TRUSTED}`],
  ])("warns if neither a token nor the proxy's user is configured (%s)", async (_, toml) => {
    expect(startWarnings(await configured(toml))).toEqual([expect.stringMatching(WARNING)]);
    expect(startWarnings(await configured(`${toml}[auth]\ntoken = "0123456789abcdef"\n`))).toEqual(
      [],
    );
    const named = startWarnings(await configured(`${toml}proxy_user = "root"\n`));
    expect(named).toHaveLength(LINUX ? 0 : 1);
  });

  test("does not warn about a proxy on a Unix socket", async () => {
    const socket = TRUSTED.replace("127.0.0.1:7777", "unix:///run/p.sock");
    expect(startWarnings(await configured(`listen = "unix:///run/p.sock"\n${socket}`))).toEqual([]);
  });

  test.runIf(LINUX)("accepts the proxy's user by name or number, but no unknown name", async () => {
    const user = async (name: string) =>
      settingsFrom(
        await configured(`listen = "127.0.0.1:7777"\n${TRUSTED}proxy_user = "${name}"\n`),
        "1.2.3",
      ).rules?.trusted?.user;
    expect(await user("root")).toBe(0);
    expect(await user("4711")).toBe(4711);
    await expect(user("no-such-user")).rejects.toThrow(/proxy_user = no-such-user is no user/);
  });
});

test("a page that logs in through a trusted proxy still writes as the actor that the proxy names", async () => {
  const trusted = { header: "x-user", listeners: ["127.0.0.1:0"] };
  const token = "token-of-the-owner-0123456789";
  const daemon = await testDaemon({
    ...{ listen: ANY_PORT, rules: { allowedHosts: [], trusted } },
    authentication: { mode: "static", token },
  });
  const origin = await originOf(daemon);
  const page = await openPage(origin, "login", { token }, { origin });
  const named = await openPage(origin, "login", { token }, { origin, "x-user": "ann" });
  expect(page.opened.body).toMatchObject({ actor_policy: "identity" });
  expect(page.opened.body).not.toHaveProperty("actor");
  expect(named.opened.body).toMatchObject({ actor_policy: "identity", actor: "ann" });
  const make = async (name: string, more: object = {}) =>
    await page.ask("POST", "/projects", { origin, ...more }, { name, actor: "mallory" });
  expect((await make("one", { "x-user": "ann" })).status).toBe(200);
  const refused = await make("two");
  expect([refused.status, refused.body]).toEqual([
    400,
    expect.objectContaining({ error: expect.objectContaining({ code: "actor_header_required" }) }),
  ]);
  const { body } = await page.ask("GET", "/events?limit=10");
  expect(body["events"]).toMatchObject([{ type: "project.created", actor: "ann" }]);
});

test("the configured user of a proxy must match a whole name in the list of users", () => {
  const file = join(tempFolder(), "passwd");
  writeFileSync(file, "root:x:0:0:root:/root:/bin/sh\nwww-data:x:33:33:www:/var/www:/bin/false\n");
  expect([userId("www-data", file), userId("www", file), userId("", file)]).toEqual([
    33,
    undefined,
    undefined,
  ]);
});
