import { execFileSync } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connect } from "node:tls";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { createLog } from "../../../src/base/log.ts";
import { HttpClient } from "../../../src/client/http/client.ts";
import { ping } from "../../../src/client/ping.ts";
import { addressOf, readRecords, recordKey } from "../../../src/client/record.ts";
import { parseHostPort } from "../../../src/config/addresses.ts";
import { loadConfig } from "../../../src/config/load.ts";
import type { CertificateFiles } from "../../../src/daemon/listeners/certificate.ts";
import { settingsFrom } from "../../../src/daemon/settings.ts";
import { FakeClock } from "../../support/clock.ts";
import { type TestDaemon, tempFolder, testDaemon } from "../../support/daemon.ts";
import { isRoot, STRANGER_UID } from "../../support/stranger.ts";

/** The repository may be in a folder that a group may write to, whose files svc would not trust. */
const fixtures = mkdtempSync(join(tmpdir(), "svc-tls-"));
cpSync(join(import.meta.dirname, "../fixtures"), fixtures, { recursive: true });
afterAll(() => rmSync(fixtures, { recursive: true }));
const certificate = join(fixtures, "certificate.pem");
const key = join(fixtures, "key.pem");
const otherKey = join(fixtures, "other-key.pem");
// Of a file's mode, git stores only whether the file is executable.
for (const file of readdirSync(fixtures)) chmodSync(join(fixtures, file), 0o600);
const PEM = readFileSync(certificate, "utf8");
/** A certificate for the other key. */
const RENEWED = readFileSync(join(fixtures, "renewed.pem"), "utf8");
const LISTEN = { host: "127.0.0.1", port: 0 };

test("a TCP listener with a certificate speaks HTTPS, including a stream of events", async () => {
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

test("local clients read the daemon's certificate from its record, and trust no other", async () => {
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

test("an HTTPS listener gives plain HTTP no answer", async () => {
  const { endpoint } = await testDaemon({ listen: LISTEN, certificate: { certificate, key } });
  const { port = 0 } = parseHostPort(endpoint.address) ?? {};
  const socket = connectTcp({ ...LISTEN, port });
  let text = "";
  socket.on("data", (piece) => (text += String(piece))).on("error", () => undefined);
  socket.write("GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "close");
  expect(text).not.toContain("svc");
});

test("an unfinished header on an HTTPS listener is cut after ten seconds", async () => {
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
])("a handshake that %s is cut after ten seconds, but a finished one is not", async (_, begun) => {
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
});

test("a TCP listener shows its address as a QR code on request, but a socket does not", async () => {
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

/** Copies a certificate and a key, so that a test can change them. */
function copies(): CertificateFiles {
  const folder = tempFolder();
  const files = { certificate: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  copyFileSync(certificate, files.certificate);
  copyFileSync(key, files.key);
  return files;
}

type Change = (files: CertificateFiles) => void;
const cutOff = (path: string) => writeFileSync(path, readFileSync(path, "utf8").slice(0, 100));

/** Files that prevent a start and that a reload refuses, with the reason that is given. */
const UNUSABLE: readonly (readonly [string, Change, RegExp])[] = [
  ["is not there", (files) => rmSync(files.certificate), /cert.pem \(\[tls\] cert\) .*ENOENT/],
  ["has a key that is not there", ({ key: file }) => rmSync(file), /\(\[tls\] key\) .*ENOENT/],
  [
    "has the key of another certificate",
    (files) => copyFileSync(key, files.certificate),
    /\(\[tls\] cert\) is not a PEM certificate/,
  ],
  [
    "has the key of another certificate",
    (files) => copyFileSync(otherKey, files.key),
    /key.pem \(\[tls\] key\) is not the key of .*cert.pem/,
  ],
  ["is cut off", (files) => cutOff(files.certificate), /cert\) is not a PEM certificate/],
  ["has a key that is cut off", (files) => cutOff(files.key), /key\) is not a PEM private key/],
  [
    "has a chain that is cut off",
    (files) => appendFileSync(files.certificate, PEM.slice(0, 300)),
    /cert\) is not a PEM certificate/,
  ],
  ["is empty", (files) => writeFileSync(files.certificate, ""), /is not a PEM certificate/],
  [
    "is a folder",
    (files) => {
      rmSync(files.certificate);
      mkdirSync(files.certificate);
    },
    /\(\[tls\] cert\) is no file/,
  ],
  [
    "is a device without an end",
    (files) => {
      rmSync(files.certificate);
      symlinkSync("/dev/zero", files.certificate);
    },
    /\(\[tls\] cert\) is no file/,
  ],
  [
    "is a pipe that nobody writes to",
    (files) => {
      rmSync(files.key);
      execFileSync("mkfifo", ["-m", "600", files.key]);
    },
    /\(\[tls\] key\) is no file/,
  ],
  [
    "is larger than a certificate may be",
    (files) => writeFileSync(files.certificate, "x".repeat(2 ** 20 + 1)),
    /\(\[tls\] cert\) is larger than/,
  ],
  [
    "has expired",
    (files) => copyFileSync(join(fixtures, "expired.pem"), files.certificate),
    /cert.pem \(\[tls\] cert\) has expired: it was valid until 2024-06-01T00:00:00.000Z/,
  ],
  [
    "has a key that every user can read",
    (files) => chmodSync(files.key, 0o644),
    /open to every user of this machine: run chmod o= .*key.pem/,
  ],
  [
    "has a key that another user can change",
    (files) => {
      chmodSync(dirname(files.key), 0o755);
      chmodSync(files.key, 0o620);
    },
    /key.pem \(\[tls\] key\) can be written to by other users/,
  ],
  [
    "is in a folder that another user can change",
    (files) => chmodSync(dirname(files.certificate), 0o777),
    /cert.pem \(\[tls\] cert\) is not used: .* can be written to by other users/,
  ],
  [
    "has an RSA key of 1024 bits",
    (files) => {
      copyFileSync(join(fixtures, "weak.pem"), files.certificate);
      copyFileSync(join(fixtures, "weak-key.pem"), files.key);
    },
    /cert.pem \(\[tls\] cert\) is too weak for TLS: its key \(RSA, 1024 bits\)/,
  ],
  [
    "was signed with an RSA key of 1024 bits",
    (files) => {
      copyFileSync(join(fixtures, "weak-signer.pem"), files.certificate);
      copyFileSync(join(fixtures, "weak-signer-key.pem"), files.key);
    },
    /is too weak for TLS: the key of a certificate that signed it/,
  ],
  [
    "has an encrypted key",
    (files) => {
      const format = { type: "pkcs8", format: "pem", cipher: "aes256", passphrase: "x" } as const;
      writeFileSync(files.key, createPrivateKey(readFileSync(key)).export(format));
    },
    /key.pem \(\[tls\] key\) is encrypted, and svc asks for no passphrase/,
  ],
];

test.each(UNUSABLE)("a daemon whose certificate %s does not start", async (_what, change, said) => {
  const files = copies();
  change(files);
  await expect(testDaemon({ listen: LISTEN, certificate: files })).rejects.toThrow(said);
});

test.runIf(isRoot)(
  "a daemon whose certificate belongs to another user does not start",
  async () => {
    const files = copies();
    chownSync(files.certificate, STRANGER_UID, STRANGER_UID);
    await expect(testDaemon({ listen: LISTEN, certificate: files })).rejects.toThrow(
      `cert.pem ([tls] cert) belongs to another user (uid ${STRANGER_UID})`,
    );
  },
);

test("a daemon whose certificate is not valid yet does not start", async () => {
  const clock = new FakeClock("2024-12-31T23:59:59.000Z");
  const started = testDaemon({ listen: LISTEN, certificate: { certificate, key }, clock });
  await expect(started).rejects.toThrow("is not valid before 2025-01-01T00:00:00.000Z");
});

test("a group-readable key is accepted, and text before a certificate is ignored", async () => {
  const files = copies();
  chmodSync(files.key, 0o640);
  writeFileSync(files.certificate, `Subject: CN = svc.test\n${PEM}`);
  const { endpoint } = await testDaemon({ listen: LISTEN, certificate: files });
  expect(endpoint).toMatchObject({ network: "tcp", certificate: PEM });
});

describe("reloading the certificate", () => {
  /** Returns the certificate that a new connection gets. */
  async function shownBy({ endpoint }: Pick<TestDaemon, "endpoint">): Promise<string> {
    const { port = 0 } = parseHostPort(endpoint.address) ?? {};
    const socket = connect({ ...LISTEN, port, rejectUnauthorized: false });
    onTestFinished(() => void socket.destroy());
    await once(socket, "secureConnect");
    return socket.getPeerX509Certificate()?.toString() ?? "";
  }

  test("serves the new certificate to new connections and puts it in the daemon's record", async () => {
    const clock = new FakeClock();
    const files = copies();
    const daemon = await testDaemon({ listen: LISTEN, certificate: files, clock });
    const [before] = readRecords(daemon.settings.runtimeDir);
    if (before === undefined) throw new Error("the daemon is announced");
    const http = new HttpClient(addressOf(before));
    const request = { method: "GET", target: "/api/v1/ping", headers: { Host: before.address } };
    await http.request(request, 2000);
    clock.advance(1000);
    // The chain has a second certificate, which local clients do not trust by itself.
    writeFileSync(files.certificate, RENEWED + PEM);
    copyFileSync(otherKey, files.key);
    await daemon.reload();
    expect(await shownBy(daemon)).toBe(RENEWED);
    const [after] = readRecords(daemon.settings.runtimeDir);
    expect(after).toEqual({
      ...before,
      certificate: RENEWED,
      metadata: {
        ...before.metadata,
        tls: {
          certificate: RENEWED,
          valid_until: "2125-01-01T00:00:00.000Z",
          read_at: "2026-01-01T00:00:01.000Z",
        },
      },
    });
    if (after === undefined) return;
    expect(await ping(addressOf(after), after.address)).toMatchObject({ state: "svc" });
    expect((await http.request(request, 2000)).status).toBe(200);
    http.close();
    expect(await ping(addressOf(before), before.address)).toMatchObject({
      state: "gone",
      what: expect.stringContaining("another certificate"),
    });
    expect(recordKey(after)).not.toBe(recordKey(before));
  });

  test.each(UNUSABLE)(
    "keeps the old certificate if the new one %s",
    async (_what, change, said) => {
      const files = copies();
      const lines: string[] = [];
      const sink = { write: (line: string) => void lines.push(line), reopen() {}, close() {} };
      const log = createLog(sink, systemClock);
      const daemon = await testDaemon({ listen: LISTEN, certificate: files, log });
      change(files);
      await daemon.reload();
      expect(await shownBy(daemon)).toBe(PEM);
      const [record] = readRecords(daemon.settings.runtimeDir);
      expect(record).toMatchObject({
        certificate: PEM,
        metadata: {
          tls: {
            certificate: PEM,
            valid_until: "2125-01-01T00:00:00.000Z",
            fault: expect.stringMatching(said),
          },
        },
      });
      expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
        expect.objectContaining({
          event: "certificate.kept",
          level: "error",
          reason: expect.stringMatching(said),
        }),
      );
      if (record !== undefined)
        expect(await ping(addressOf(record), record.address)).toMatchObject({ state: "svc" });
    },
  );

  test("changes nothing on a daemon that listens only on a socket", async () => {
    const files = copies();
    const daemon = await testDaemon({ certificate: files });
    const before = readRecords(daemon.settings.runtimeDir);
    expect(before).toHaveLength(1);
    writeFileSync(files.certificate, RENEWED);
    copyFileSync(otherKey, files.key);
    await daemon.reload();
    expect(readRecords(daemon.settings.runtimeDir)).toEqual(before);
  });
});

test("a certificate that expires while the daemon runs does not lock out the commands of its home", async () => {
  const files = copies();
  copyFileSync(join(fixtures, "expired.pem"), files.certificate);
  const clock = new FakeClock("2024-03-01T00:00:00.000Z");
  const daemon = await testDaemon({ listen: LISTEN, certificate: files, clock });
  const [record] = readRecords(daemon.settings.runtimeDir);
  if (record === undefined) throw new Error("the daemon is announced");
  expect(await ping(addressOf(record), record.address)).toMatchObject({ state: "svc" });
});

test("config.toml must name both the certificate and the key, relative to the home, or neither of them", async () => {
  const home = tempFolder();
  const env = { SVC_HOME: home };
  const read = async (lines: string) => {
    writeFileSync(join(home, "config.toml"), lines);
    return settingsFrom(await loadConfig({ env, cwd: home }), "1.0.0").certificate;
  };
  expect(await read("")).toBeUndefined();
  expect(await read('[tls]\ncert = "c.pem"\nkey = "/etc/k.pem"')).toEqual({
    certificate: join(home, "c.pem"),
    key: "/etc/k.pem",
  });
  await expect(read('tls.key = "k.pem"')).rejects.toThrow("[tls] in config.toml has no cert");
  await expect(read('tls.cert = "c.pem"')).rejects.toThrow("[tls] in config.toml has no key");
});
