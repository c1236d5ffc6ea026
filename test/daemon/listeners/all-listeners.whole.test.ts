import { existsSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readRecords } from "../../../src/client/record.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { settingsFrom, startDaemon } from "../../../src/daemon/index.ts";
import { FakeClock } from "../../support/clock.ts";
import { call, daemonSettings, openStream, tempFolder, testDaemon } from "../../support/daemon.ts";
import { attemptsInNetwork, hasPrivateNetwork, PRIVATE_4 } from "../../support/private-network.ts";
import { type Attempt, attempt, type Sent } from "../../support/start-attempt.ts";

const READ: Sent = { method: "GET", path: "/projects" };
const WRITE: Sent = { method: "POST", path: "/projects", body: { name: "web", actor: "ann" } };
const PORT = { host: "127.0.0.1", port: 0 } as const;

test("a daemon answers on all of its listeners, and its record names the first as its address", async () => {
  const folder = tempFolder();
  const path = join(folder, "proxy.sock");
  const { endpoints, settings } = await testDaemon({ folder, listen: [PORT, { path }, PORT] });
  expect(endpoints.map(({ network }) => network)).toEqual(["tcp", "unix", "tcp"]);
  for (const endpoint of endpoints)
    expect((await call(endpoint, "GET", "/ping")).body).toMatchObject({ ok: true });
  const [first, , third] = endpoints;
  expect(readRecords(settings.runtimeDir)).toMatchObject([
    {
      network: "tcp",
      address: first?.address,
      metadata: {
        listeners: [
          { address: first?.address },
          { address: `unix://${path}`, https: false },
          { address: third?.address, https: false, origin: `http://${third?.address}` },
        ],
      },
    },
  ]);
});

test("a daemon that cannot listen on one of its addresses listens on none of them", async () => {
  const folder = tempFolder();
  const path = join(folder, "first.sock");
  const server = createServer();
  onTestFinished(() => void server.close());
  const port = await new Promise<number>((resolve) => {
    server.listen(0, PORT.host, () => resolve((server.address() as { port: number }).port));
  });
  const settings = daemonSettings({ folder });
  const listen = [{ path }, { ...PORT, port }];
  await expect(startDaemon({ ...settings, listen })).rejects.toMatchObject({ fault: "address" });
  expect(existsSync(path)).toBe(false);
  await (await startDaemon(settings)).stop();
});

test("stopping a daemon ends the streams of all its listeners and frees their addresses", async () => {
  const folder = tempFolder();
  const path = join(folder, "second.sock");
  const daemon = await testDaemon({ folder, listen: [PORT, { path }] });
  const streams = await Promise.all(daemon.endpoints.map(async (at) => await openStream(at)));
  await daemon.stop();
  await Promise.all(streams.map(async ({ end }) => await end));
  expect(existsSync(path)).toBe(false);
  for (const endpoint of daemon.endpoints)
    await expect(call(endpoint, "GET", "/ping")).rejects.toThrow(/ENOENT|ECONNREFUSED/);
});

test("a daemon ends when the file of one of its sockets is deleted", async () => {
  const folder = tempFolder();
  const path = join(folder, "second.sock");
  const clock = new FakeClock();
  const daemon = await testDaemon({ folder, clock, listen: [PORT, { path }] });
  rmSync(path);
  clock.advance(5000);
  await expect(daemon.stopped).resolves.toBeUndefined();
});

test("the first local address of the settings replaces the default socket", async () => {
  const given = 'listen = ["unix://$HOME/a.sock", "127.0.0.1:0"]\n';
  const own = { ...READ, at: 0 };
  expect(await attempt({ file: given, requests: [own, READ] })).toMatchObject({
    addresses: ["$HOME/a.sock", "127.0.0.1"],
    answers: [200, 200],
  });
});

test("no proxy is trusted on the socket that commands use", async () => {
  const home = tempFolder();
  const env = { SVC_HOME: home, XDG_RUNTIME_DIR: home };
  const plain = await loadConfig({ env, cwd: home });
  const { socketPath } = settingsFrom(plain, "1.2.3");
  const proxy = {
    SVC_TRUSTED_ACTOR_HEADER: "X-User",
    SVC_TRUSTED_PROXY_LISTENERS: `unix://${socketPath}`,
  };
  const config = await loadConfig({ env: { ...env, ...proxy }, cwd: home });
  expect(() => settingsFrom(config, "1.2.3")).toThrow(`${socketPath}, which commands`);
});

test("a proxy's header is accepted only on the listeners that the settings list, and not on the daemon's own socket", async () => {
  const file = `listen = ["unix://$HOME/proxy.sock"]
[auth.proxy]
trusted_actor_header = "X-User"
trusted_proxy_listeners = ["unix://$HOME/proxy.sock"]
`;
  const headers = { "x-user": "bea" };
  const outcome = await attempt({
    file,
    requests: [
      { ...WRITE, at: 0 },
      { ...WRITE, at: 0, headers },
      WRITE,
      { ...WRITE, headers },
      { method: "GET", path: "/tokens", at: 0 },
      { method: "GET", path: "/tokens", headers },
    ],
  });
  expect(outcome).toEqual({
    idle: false,
    addresses: [expect.stringMatching(/^\$HOME\/svc\/.*daemon\.sock$/), "$HOME/proxy.sock"],
    answers: [200, 200, "actor_header_required", 200, 200, "token_admin_forbidden"],
  });
});

test("each listener is checked by the start rules, whatever listeners come before it", async () => {
  const attempts: readonly Attempt[] = [
    { file: 'listen = ["127.0.0.1:0", "0.0.0.0:0"]\n' },
    { file: 'listen = ["unix://$HOME/a.sock", "8.8.8.8:80"]\n' },
    {
      file: 'listen = ["10.0.0.5:80", "127.0.0.1:0"]\n[auth]\nallow_unauthenticated_private_network_writes = true\n',
    },
  ];
  const refused = [];
  for (const one of attempts) refused.push((await attempt(one)).refused?.message);
  expect(refused).toEqual([
    expect.stringContaining("0.0.0.0:0: everybody who reaches it could write"),
    expect.stringContaining("8.8.8.8:80: it is a public address"),
    expect.stringContaining("127.0.0.1:0: [auth] allow_unauthenticated"),
  ]);
});

test.skipIf(!hasPrivateNetwork)(
  "local commands use the socket of a daemon that listens only on private addresses, in the same access mode",
  () => {
    const listen = `listen = ["${PRIVATE_4}:0", "0.0.0.0:0"]\n`;
    const asked = [READ, WRITE].flatMap((sent) => [0, 1, 2].map((at) => ({ ...sent, at })));
    const socket = expect.stringMatching(/daemon\.sock$/);
    const token = '[auth]\ntoken = "t"\ntrust_private_network = true\n';
    const tokenless = "[auth]\nallow_unauthenticated_private_network_writes = true\n";
    const outcomes = attemptsInNetwork([
      { file: listen, flags: { insecureReadonly: "true" }, requests: asked },
      { file: `${listen}${token}`, requests: asked },
      {
        file: `listen = "${PRIVATE_4}:0"\n${tokenless}`,
        requests: asked.filter(({ at }) => at < 2),
      },
    ]);
    const no = "auth_required";
    expect(outcomes).toMatchObject([
      { addresses: [socket, PRIVATE_4, "0.0.0.0"], answers: [200, 200, 200, no, no, no] },
      { answers: [no, no, no, no, no, no] },
      { addresses: [socket, PRIVATE_4], answers: [200, 200, 200, 200] },
    ]);
  },
);
