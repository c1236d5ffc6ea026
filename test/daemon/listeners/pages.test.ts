import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readRecords } from "../../../src/client/record.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { settingsFrom } from "../../../src/daemon/index.ts";
import { folderWith } from "../../config/folder.ts";
import { call, tempFolder, testDaemon } from "../../support/daemon.ts";
import { ANY_PORT, browse, openPage, originOf, WITH_PAGES } from "../../support/page.ts";

const LATE = { pages: { place: ANY_PORT, required: false } } as const;

async function takenPort(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  return await portOf(server);
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

async function portOf(server: Server): Promise<number> {
  return await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
}

test.each([
  ["named by the settings", WITH_PAGES],
  ["opened after the start", LATE],
] as const)("the listener for pages, %s, is in the record with its origin", async (_how, given) => {
  const daemon = await testDaemon(given);
  const origin = await originOf(daemon);
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(daemon.endpoints.map(({ network }) => network)).toEqual(["unix"]);
  expect(readRecords(daemon.settings.runtimeDir)).toMatchObject([
    {
      network: "unix",
      metadata: {
        listeners: [
          { kind: "socket" },
          { kind: "browser", address: origin.slice("http://".length), https: false, origin },
        ],
        web_origin: origin,
        web_origin_stable: false,
      },
    },
  ]);
  expect((await browse(origin, "GET", "/ping")).status).toBe(200);
});

test("a page is told that its origin is stable if the port is fixed or there is a public origin", async () => {
  const publicOrigin = "https://tracker.example.com";
  const rules = { publicOrigin, allowedHosts: [] };
  const authentication = { mode: "static", token: "token-of-the-origin-0123456789" } as const;
  const fixed = { place: { ...ANY_PORT, port: await freePort() }, required: true };
  for (const [given, stable] of [
    [WITH_PAGES, false],
    [{ pages: fixed }, true],
    [{ ...WITH_PAGES, rules, authentication }, true],
  ] as const) {
    const daemon = await testDaemon(given);
    const origin = await originOf(daemon);
    const [listener] =
      readRecords(daemon.settings.runtimeDir)[0]?.metadata?.listeners?.slice(1) ?? [];
    const there = `http://${listener?.address}`;
    const host = { host: new URL(origin).host, origin };
    const page =
      origin === publicOrigin
        ? await openPage(there, "login", { token: authentication.token }, host)
        : await openPage(there);
    const { body } = await page.ask("GET", "/ui/snapshot", { host: host.host });
    expect(body).toMatchObject({ origin, origin_stable: stable });
  }
});

test("a restarted daemon serves pages on the same port again, and on another only if that port is taken", async () => {
  const folder = tempFolder();
  const first = await testDaemon({ folder, ...LATE });
  const origin = await originOf(first);
  const page = await openPage(origin);
  await first.stop();
  await expect(browse(origin, "GET", "/ping")).rejects.toThrow(/ECONNREFUSED/);

  const second = await testDaemon({ folder, ...LATE });
  expect(await originOf(second)).toBe(origin);
  expect((await page.ask("GET", "/projects")).code).toBe("web_session_required");
  await second.stop();

  const port = await takenPort();
  const file = join(second.settings.runtimeDir, "web-port");
  writeFileSync(file, `${port}\n`);
  const third = await testDaemon({ folder, ...LATE });
  const other = await originOf(third);
  expect(other).not.toContain(`:${port}`);
  expect(readFileSync(file, "utf8")).toBe(`${new URL(other).port}\n`);
});

test.each(["", "x", "70000", "-1", "0"])("a remembered port %j is ignored", async (text) => {
  const folder = tempFolder();
  const { settings, stop } = await testDaemon({ folder });
  await stop();
  writeFileSync(join(settings.runtimeDir, "web-port"), text);
  expect(await originOf(await testDaemon({ folder, ...LATE }))).toMatch(/:\d+$/);
});

test("a daemon starts without the default listener for pages if its port is taken, but not without a configured one", async () => {
  const place = { host: "127.0.0.1", port: await takenPort() };
  const folder = tempFolder();
  await expect(testDaemon({ folder, pages: { place, required: true } })).rejects.toMatchObject({
    fault: "address",
  });
  const daemon = await testDaemon({ folder, pages: { place, required: false } });
  expect(await daemon.webOrigin()).toBeUndefined();
  expect((await call(daemon.endpoint, "GET", "/ping")).status).toBe(200);
});

test("a TCP listener of the daemon serves pages itself, unless it is a wildcard", async () => {
  const shared = await testDaemon({ listen: ANY_PORT });
  expect(await shared.webOrigin()).toEqual({
    origin: `http://${shared.endpoint.address}`,
    stable: false,
  });
  const wildcard = await testDaemon({ listen: { host: "0.0.0.0", port: 0 } });
  expect(await wildcard.webOrigin()).toBeUndefined();
  expect(await (await testDaemon()).webOrigin()).toBeUndefined();
});

describe("the listener for pages", () => {
  const pagesOf = async (file: string) => {
    const home = folderWith({ "config.toml": file });
    const config = await loadConfig({ env: { SVC_HOME: home, XDG_RUNTIME_DIR: home }, cwd: home });
    return settingsFrom(config, "1.2.3").pages;
  };

  test.each([
    ["", { place: ANY_PORT, required: false }],
    ['listen = "unix:///tmp/a.sock"', { place: ANY_PORT, required: false }],
    ['listen = "127.0.0.1:0"', undefined],
    ['[web]\nlisten = "off"', undefined],
    ['[web]\nlisten = "127.0.0.1:7780"', { place: { ...ANY_PORT, port: 7780 }, required: true }],
    [
      'listen = "127.0.0.1:0"\n[web]\nlisten = "[::1]:7780"',
      { place: { host: "::1", port: 7780 }, required: true },
    ],
  ])("is where the settings say: %j", async (file, pages) => {
    expect(await pagesOf(file)).toEqual(pages);
  });

  test("can be behind a trusted proxy", async () => {
    const pages = 'listen = "127.0.0.1:7780"\n';
    const proxy =
      '[auth.proxy]\ntrusted_actor_header = "X-User"\ntrusted_proxy_listeners = ["127.0.0.1:7780"]\n';
    expect(await pagesOf(`[web]\n${pages}${proxy}`)).toMatchObject({ required: true });
  });
});
