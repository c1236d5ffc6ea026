import { once } from "node:events";
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { connect as connectTcp } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { HttpClient } from "../../src/client/http/client.ts";
import { ping } from "../../src/client/ping.ts";
import { addressOf, readRecords } from "../../src/client/record.ts";
import { parseHostPort } from "../../src/config/addresses.ts";
import { loadConfig } from "../../src/config/load.ts";
import { settingsFrom } from "../../src/daemon/settings.ts";
import { FakeClock } from "../support/clock.ts";
import { tempFolder, testDaemon } from "../support/daemon.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const certificate = join(fixtures, "certificate.pem");
const key = join(fixtures, "key.pem");
const otherKey = join(fixtures, "other-key.pem");
// git keeps of a file's mode only whether it is executable.
for (const file of [key, otherKey]) chmodSync(file, 0o600);
const PEM = readFileSync(certificate, "utf8");
const LISTEN = { host: "127.0.0.1", port: 0 };

test("a TCP listener with a certificate speaks HTTPS, also for a stream of events", async () => {
  const { endpoint } = await testDaemon({ listen: LISTEN, certificate: { certificate, key } });
  const { port = 0 } = parseHostPort(endpoint.address) ?? {};
  const socket = connect({ ...LISTEN, port, ca: PEM, checkServerIdentity: () => undefined });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  let text = "";
  socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  const send = (path: string, header: string) =>
    socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: ${endpoint.address}\r\n${header}\r\n\r\n`);
  send("/ping", "Accept: */*");
  await once(socket, "data");
  expect(text).toMatch(/^HTTP\/1.1 200 .*"service":"svc"/s);
  send("/events/stream", "Accept: text/event-stream");
  while (!text.includes(": connected")) await once(socket, "data");
});

test("clients of this machine read of the certificate in the record, and trust that one alone", async () => {
  const { settings } = await testDaemon({ listen: LISTEN, certificate: { certificate, key } });
  const [record] = readRecords(settings.runtimeDir);
  if (record === undefined) throw new Error("the daemon is announced");
  const address = addressOf(record);
  expect(address).toMatchObject({ network: "tcp", tls: true, certificate: PEM });
  expect(await ping(address, record.address)).toMatchObject({ state: "svc" });
  const { certificate: _pem, ...unknown } = address as { certificate?: string } & typeof address;
  expect(await ping(unknown, record.address)).toMatchObject({ state: "gone" });
  const http = new HttpClient(addressOf({ network: "tcp", address: record.address }));
  const request = { method: "GET", target: "/api/v1/ping", headers: { Host: record.address } };
  await expect(http.request(request, 2000)).rejects.toMatchObject({ name: "TransportFault" });
});

test("plain HTTP gets no answer from it", async () => {
  const { endpoint } = await testDaemon({ listen: LISTEN, certificate: { certificate, key } });
  const { port = 0 } = parseHostPort(endpoint.address) ?? {};
  const socket = connectTcp({ ...LISTEN, port });
  let text = "";
  socket.on("data", (piece) => (text += String(piece))).on("error", () => undefined);
  socket.write("GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "close");
  expect(text).not.toContain("svc");
});

test("a header that does not end is cut there too, after ten seconds", async () => {
  const clock = new FakeClock();
  const files = { certificate, key };
  const { endpoint } = await testDaemon({ listen: LISTEN, certificate: files, clock });
  const address = addressOf(endpoint);
  const { port = 0 } = parseHostPort(endpoint.address) ?? {};
  const socket = connect({ ...LISTEN, port, ca: PEM, checkServerIdentity: () => undefined });
  await once(socket, "secureConnect");
  let text = "";
  let closed = false;
  socket.on("data", (piece) => (text += String(piece))).once("close", () => (closed = true));
  socket.write("GET /api/v1/ping HT");
  let ms = 0;
  for (; !closed && ms < 60_000; ms += 1000) {
    clock.advance(1000);
    await ping(address, endpoint.address);
  }
  expect([text, ms >= 10_000, ms <= 14_000]).toEqual([
    expect.stringMatching(/^HTTP\/1.1 408 /),
    true,
    true,
  ]);
});

test.each([
  ["has not begun", ""],
  ["has begun", "\x16\x03\x01\x02\x00\x01"],
])(
  "a handshake that %s is cut after ten seconds, and one that is done is not",
  async (_, begun) => {
    const clock = new FakeClock();
    const files = { certificate, key };
    const { endpoint } = await testDaemon({ listen: LISTEN, certificate: files, clock });
    const address = addressOf(endpoint);
    const { port = 0 } = parseHostPort(endpoint.address) ?? {};
    const done = connect({ ...LISTEN, port, ca: PEM, checkServerIdentity: () => undefined });
    onTestFinished(() => void done.destroy());
    await once(done, "secureConnect");
    done.write(`GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(done, "data");
    const socket = connectTcp({ ...LISTEN, port });
    await once(socket, "connect");
    let closed = false;
    socket.on("error", () => undefined).once("close", () => (closed = true));
    socket.resume().write(begun, "latin1");
    await ping(address, endpoint.address);
    let ms = 0;
    for (; !closed && ms < 60_000; ms += 1000) {
      clock.advance(1000);
      await ping(address, endpoint.address);
    }
    expect([ms >= 10_000, ms <= 14_000, done.destroyed]).toEqual([true, true, false]);
  },
);

test("a TCP listener shows its address as a code when it is asked to, and a socket has none", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: unknown) => void lines.push(String(line)));
  onTestFinished(() => void vi.restoreAllMocks());
  const { endpoint, showCode } = await testDaemon({ listen: LISTEN });
  expect(lines).toEqual([]);
  await showCode?.();
  expect(lines.join("")).toContain(`http://${endpoint.address}/`);
  expect(lines.join("")).toMatch(/[▀▄█]{6}/);
  expect((await testDaemon()).showCode).toBeUndefined();
});

test.each([
  ["is not there", "nowhere.pem", key, /nowhere.pem \(listen_certificate\) .*ENOENT/],
  ["is none", key, key, /\(listen_certificate\) cannot be read as PEM/],
  ["has another key", certificate, otherKey, /is not the key of/],
])("a daemon whose certificate %s does not start", async (_what, file, keyFile, message) => {
  const files = { certificate: file, key: keyFile };
  await expect(testDaemon({ listen: LISTEN, certificate: files })).rejects.toThrow(message);
});

test("a key that every user can read is refused, one of a group is taken", async () => {
  const open = join(tempFolder(), "key.pem");
  copyFileSync(key, open);
  chmodSync(open, 0o644);
  const files = { certificate, key: open };
  const started = testDaemon({ listen: LISTEN, certificate: files });
  await expect(started).rejects.toThrow(`chmod o= ${open}`);
  chmodSync(open, 0o640);
  expect((await testDaemon({ listen: LISTEN, certificate: files })).endpoint.network).toBe("tcp");
});

test("config.toml names both files from the home, or neither", async () => {
  const home = tempFolder();
  const env = { SVC_HOME: home };
  const read = async (lines: string) => {
    writeFileSync(join(home, "config.toml"), lines);
    return settingsFrom(await loadConfig({ env, cwd: home }), "1.0.0").certificate;
  };
  expect(await read("")).toBeUndefined();
  expect(await read('listen_certificate = "c.pem"\nlisten_key = "/etc/k.pem"')).toEqual({
    certificate: join(home, "c.pem"),
    key: "/etc/k.pem",
  });
  await expect(read('listen_key = "k.pem"')).rejects.toThrow("has no listen_certificate");
});
