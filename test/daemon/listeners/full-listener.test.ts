import { once } from "node:events";
import { chmodSync, cpSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { parseHostPort } from "../../../src/config/addresses.ts";
import {
  MAX_TCP_CONNECTIONS,
  MAX_TCP_CONNECTIONS_OF_ADDRESS,
} from "../../../src/contract/limits.ts";
import { type Answer, call, openStream, tempFolder, testDaemon } from "../../support/daemon.ts";
import { ANY_PORT, browse, openPage, originOf, WITH_PAGES } from "../../support/page.ts";

const TOKEN = "token-of-the-owner-0123456789";
const STATIC = { authentication: { mode: "static", token: TOKEN } } as const;
const OWNER = { headers: { authorization: `Bearer ${TOKEN}` } };

type Begin = (host: string) => string;

const PING: Begin = (host) => `GET /api/v1/ping HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

/** What a peer without a credential can send, so that its connection stays open. */
const PEERS: readonly (readonly [string, Begin])[] = [
  ["send nothing", () => ""],
  ["send their header byte by byte", (host) => `GET /api/v1/ping HTTP/1.1\r\nHost: ${host}\r\nX`],
  ["are idle after a request that needs no credential", PING],
  [
    "send the body of a login byte by byte",
    (host) =>
      `POST /api/v1/ui/session/login HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  ],
];

function dial(address: string): Socket {
  const { host = "", port = 0 } = parseHostPort(address) ?? {};
  const socket = connect(port, host);
  onTestFinished(() => void socket.destroy());
  return socket.on("error", () => undefined);
}

/** Opens `count` connections, and returns when the daemon has accepted them and has read what was sent. */
async function fill(address: string, count: number, begin: Begin): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const more = Array.from({ length: Math.min(100, count - sockets.length) }, () => dial(address));
    await Promise.all(more.map(async (socket) => await once(socket, "connect")));
    for (const socket of more) socket.resume().write(begin(address));
    sockets.push(...more);
    await answered(more.at(-1), begin, address);
  }
  return sockets;
}

/** The daemon reads connections in the order in which they came, so the last one's answer comes last. */
async function answered(socket: Socket | undefined, begin: Begin, address: string): Promise<void> {
  if (begin === PING && socket !== undefined && socket.bytesRead === 0) await once(socket, "data");
  else await browse(`http://${address}`, "GET", "/ping", { connection: "close" });
}

async function closed(socket: Socket | undefined): Promise<void> {
  if (socket?.closed === false) await once(socket, "close");
}

async function statuses(count: number, ask: () => Promise<Answer>): Promise<readonly number[]> {
  const all: number[] = [];
  while (all.length < count) all.push((await ask()).status);
  return all;
}

test.each(PEERS)("a listener full of clients that %s still accepts the owner", async (_, begin) => {
  const daemon = await testDaemon({ listen: ANY_PORT, ...STATIC });
  const { address } = daemon.endpoint;
  await fill(address, MAX_TCP_CONNECTIONS, begin);
  const read = async () => await call(daemon.endpoint, "GET", "/projects", OWNER);
  expect(await statuses(10, read)).toEqual(Array.from({ length: 10 }, () => 200));
});

test("a full listener closes the connection that has waited longest to make room for a new one", async () => {
  const daemon = await testDaemon({ listen: ANY_PORT, ...STATIC });
  const { address } = daemon.endpoint;
  const [first, ...others] = await fill(address, MAX_TCP_CONNECTIONS - 1, () => "");
  // The new connection takes the last place, and the ping that follows it needs one more.
  const [one] = await fill(address, 1, () => "");
  await closed(first);
  for (const socket of [others[0], others.at(-1), one]) expect(socket?.readyState).toBe("open");
});

test("a full listener closes connections that have waited longer before one that was just answered", async () => {
  const daemon = await testDaemon({ listen: ANY_PORT, ...STATIC });
  const { address } = daemon.endpoint;
  const [first, second] = await fill(address, MAX_TCP_CONNECTIONS - 1, PING);
  first?.write(PING(address));
  if (first !== undefined) await once(first, "data");
  await fill(address, 2, PING);
  await closed(second);
  expect(first?.readyState).toBe("open");
});

test("a full listener keeps connections at work: a stream, and a request whose body is still arriving", async () => {
  const daemon = await testDaemon({ listen: ANY_PORT, ...STATIC });
  const { address } = daemon.endpoint;
  const stream = await openStream(daemon.endpoint, "/events/stream", OWNER.headers);
  const body = JSON.stringify({ name: "web", actor: "ann" });
  const upload = dial(address);
  upload.write(
    `POST /api/v1/projects HTTP/1.1\r\nHost: ${address}\r\nAuthorization: Bearer ${TOKEN}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  // The daemon has read the header.
  expect(String((await once(upload, "data"))[0])).toMatch(/^HTTP\/1.1 100 /);
  await call(daemon.endpoint, "GET", "/projects", OWNER);
  await fill(address, MAX_TCP_CONNECTIONS + 100, () => "GET ");
  upload.write(body);
  expect(String((await once(upload, "data"))[0])).toMatch(/^HTTP\/1.1 200 /);
  const [frame] = await stream.take(1);
  expect(frame?.event).toBe("project.created");
});

test("clients that reconnect each time they are disconnected do not shut others out of a full listener", async () => {
  const daemon = await testDaemon({ listen: ANY_PORT, ...STATIC });
  const { address } = daemon.endpoint;
  const slow = PEERS[1]?.[1] ?? PING;
  let ended = false;
  const again = (socket: Socket): void =>
    void socket.once("close", () => {
      if (ended) return;
      const next = dial(address).resume();
      next.write(slow(address));
      again(next);
    });
  for (const socket of await fill(address, MAX_TCP_CONNECTIONS, slow)) again(socket);
  onTestFinished(() => {
    ended = true;
  });
  const read = async () => await call(daemon.endpoint, "GET", "/projects", OWNER);
  expect(await statuses(20, read)).toEqual(Array.from({ length: 20 }, () => 200));
});

test("a full listener for pages still serves a page, and the daemon still serves its owner's socket", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  const origin = await originOf(daemon);
  const { host } = new URL(origin);
  await fill(host, MAX_TCP_CONNECTIONS, PEERS[1]?.[1] ?? PING);
  expect((await call(daemon.endpoint, "GET", "/projects")).status).toBe(200);
  const page = await openPage(origin);
  const read = async () => await page.ask("GET", "/projects");
  expect(await statuses(5, read)).toEqual([200, 200, 200, 200, 200]);
});

test("a full HTTPS listener closes connections without a handshake, so that others get in", async () => {
  const fixtures = tempFolder();
  cpSync(join(import.meta.dirname, "../fixtures"), fixtures, { recursive: true });
  const files = { certificate: join(fixtures, "certificate.pem"), key: join(fixtures, "key.pem") };
  // Of a file's mode, git stores only whether the file is executable.
  chmodSync(files.key, 0o600);
  const daemon = await testDaemon({ listen: ANY_PORT, certificate: files });
  const { address } = daemon.endpoint;
  const { host = "", port = 0 } = parseHostPort(address) ?? {};
  const ping = async (): Promise<string> => {
    const socket = connectTls({ host, port, rejectUnauthorized: false });
    onTestFinished(() => void socket.destroy());
    socket.write(PING(address));
    return String((await once(socket, "data"))[0]);
  };
  for (let at = 0; at < MAX_TCP_CONNECTIONS; at += 100) {
    const sockets = Array.from({ length: 100 }, () => dial(address).resume());
    await Promise.all(sockets.map(async (socket) => await once(socket, "connect")));
  }
  for (let count = 0; count < 5; count++) expect(await ping()).toMatch(/^HTTP\/1.1 200 /);
});

const [away] = Object.values(networkInterfaces())
  .flatMap((found = []) => found)
  .filter(({ internal, family }) => !internal && family === "IPv4");

/** A daemon on this machine's own address, which counts like one of another machine. */
const awayDaemon = async (settings: Parameters<typeof testDaemon>[0] = {}) =>
  await testDaemon({ listen: { host: away?.address ?? "", port: 0 }, ...settings });

test.runIf(away)(
  "a remote address that exceeds its share of a TCP listener's connections loses the one that has waited longest",
  async () => {
    const daemon = await awayDaemon();
    const { address } = daemon.endpoint;
    // The ping that follows the last connection needs one more.
    const [first, ...others] = await fill(address, MAX_TCP_CONNECTIONS_OF_ADDRESS, () => "");
    await closed(first);
    for (const socket of others) expect(socket.readyState).toBe("open");
  },
);

test.runIf(away).each(PEERS)(
  "clients that %s do not shut out other clients at the same remote address",
  async (_, begin) => {
    const daemon = await awayDaemon(STATIC);
    const { address } = daemon.endpoint;
    await fill(address, MAX_TCP_CONNECTIONS_OF_ADDRESS + 13, begin);
    const read = async () => await call(daemon.endpoint, "GET", "/projects", OWNER);
    expect(await statuses(10, read)).toEqual(Array.from({ length: 10 }, () => 200));
  },
);

test.runIf(away)("an open stream stays if its address uses up its connections", async () => {
  const daemon = await awayDaemon(STATIC);
  const { address } = daemon.endpoint;
  const stream = await openStream(daemon.endpoint, "/events/stream", OWNER.headers);
  await fill(address, MAX_TCP_CONNECTIONS_OF_ADDRESS + 13, () => "");
  const body = { name: "web", actor: "ann" };
  await call(daemon.endpoint, "POST", "/projects", { ...OWNER, body });
  const [frame] = await stream.take(1);
  expect(frame?.event).toBe("project.created");
});
