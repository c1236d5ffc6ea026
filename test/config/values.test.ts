import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, parseDuration } from "../../src/base/durations.ts";
import {
  formatHostPort,
  isLinkLocal,
  parseHostPort,
  scopeOfAddress,
} from "../../src/config/addresses.ts";
import { hostHeaderOf, parseOrigin } from "../../src/config/origins.ts";
import { sha256Hex } from "../../src/config/sha256.ts";
import { isZone } from "../../src/config/zones.ts";
import { refusalOf } from "./refusal.ts";

describe("a duration is read in h, m, s and ms", () => {
  test.each([
    ["5m0s", 300_000],
    ["1h30m", 5_400_000],
    ["250ms", 250],
    ["1.5h", 5_400_000],
    ["0s", 0],
    ["0", 0],
    ["1m1ms", 60_001],
  ])("%s is read as a duration of %d ms", (text, ms) => expect(parseDuration(text)).toBe(ms));

  test.each(["", "5", "-1s", "1d", "1 s", "s", "1m 2s", "1e3s", "99999999999999999h"])(
    "%j is no duration",
    (text) => expect(parseDuration(text)).toBeUndefined(),
  );

  test.each([
    [0, "0s"],
    [250, "250ms"],
    [1000, "1s"],
    [18_312, "18.312s"],
    [300_000, "5m0s"],
    [3_600_000, "1h0m0s"],
  ])("%d ms is written as %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

  test("a duration that svc has written is read back as the same duration", () => {
    fc.assert(
      fc.property(fc.nat(10 ** 10), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });
});

describe("the scope of a literal address", () => {
  test.each([
    ["127.0.0.1", "loopback"],
    ["127.255.255.255", "loopback"],
    ["126.255.255.255", "public"],
    ["128.0.0.0", "public"],
    ["10.0.0.0", "private"],
    ["10.255.255.255", "private"],
    ["9.255.255.255", "public"],
    ["11.0.0.0", "public"],
    ["172.15.255.255", "public"],
    ["172.16.0.0", "private"],
    ["172.31.255.255", "private"],
    ["172.32.0.0", "public"],
    ["192.167.255.255", "public"],
    ["192.168.0.0", "private"],
    ["192.169.0.0", "public"],
    ["100.63.255.255", "public"],
    ["100.64.0.0", "private"],
    ["100.127.255.255", "private"],
    ["100.128.0.0", "public"],
    ["169.253.255.255", "public"],
    ["169.254.0.0", "private"],
    ["169.255.0.0", "public"],
    ["0.0.0.0", "wildcard"],
    ["0.0.0.1", "public"],
    ["8.8.8.8", "public"],
    ["::1", "loopback"],
    ["[::1]", "loopback"],
    ["::2", "public"],
    ["::", "wildcard"],
    ["fbff::1", "public"],
    ["fc00::1", "private"],
    ["fdff::1", "private"],
    ["fe00::1", "public"],
    ["fe7f::1", "public"],
    ["fe80::1", "private"],
    ["fe80::1%eth0", "private"],
    ["febf::1", "private"],
    ["fec0::1", "public"],
    ["2001:db8::1", "public"],
    ["::ffff:10.0.0.1", "private"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:8.8.8.8", "public"],
    ["::ffff:a00:1", "private"],
    ["1:2:3:4:5:6:7:8", "public"],
    ["localhost", "name"],
    ["tracker.example.com", "name"],
    ["127.1", "name"],
    ["0x7f.0.0.1", "name"],
    ["010.0.0.1", "name"],
    ["256.0.0.1", "name"],
    ["1:2:3:4:5:6:7", "name"],
    ["1:2:3:4:5:6:7:8:9", "name"],
    ["1::2::3", "name"],
    ["::12345", "name"],
    ["fe80::1%", "name"],
    ["", "name"],
  ])("the scope of the host %s is %s", (host, scope) => {
    expect(scopeOfAddress(host)).toBe(scope);
  });

  test.each([
    ["169.254.169.254", true],
    ["169.253.255.255", false],
    ["[fe80::1]", true],
    ["::ffff:169.254.0.1", true],
    ["[2002:a9fe:a9fe::]", true],
    ["[2002:a9fd:a9fe::]", false],
    ["64:ff9b::a9fe:a9fe", true],
    ["64:ff9b:1::a9fe:a9fe", true],
    ["64:ff9b:1::a9fd:a9fe", false],
    ["168.63.129.16", true],
    ["168.63.129.17", false],
    ["hub.example", false],
  ])("the host %s is link-local, or leads to credentials of this machine: %s", (host, expected) => {
    expect(isLinkLocal(host)).toBe(expected);
  });

  test.each([
    ["127.0.0.1:7777", { host: "127.0.0.1", port: 7777 }],
    ["[::1]:0", { host: "::1", port: 0 }],
    [":80", { host: "0.0.0.0", port: 80 }],
    ["10.0.0.1:65535", { host: "10.0.0.1", port: 65_535 }],
    ["10.0.0.1:65536", undefined],
    ["localhost:80", undefined],
    ["::1:80", undefined],
    ["127.0.0.1", undefined],
    ["[127.0.0.1]:80", undefined],
    ["127.0.0.1:", undefined],
    ["[FD00:0:0::0:5]:80", { host: "fd00::5", port: 80 }],
    ["[::ffff:10.0.0.5]:80", { host: "10.0.0.5", port: 80 }],
    ["[::FFFF:7f00:1]:80", { host: "127.0.0.1", port: 80 }],
    ["[FE80::0:1]:80", { host: "fe80::1", port: 80 }],
    ["[fe80::1%eth0]:80", undefined],
    ["[::1%lo]:80", undefined],
  ])("parsing %s as a listen address gives %j", (text, expected) => {
    expect(parseHostPort(text)).toEqual(expected);
  });
});

test.each(["127.0.0.1:7777", "[::1]:0"])(
  "the listen address %s is written as it was read",
  (text) => {
    const parsed = parseHostPort(text);
    expect(parsed === undefined ? "" : formatHostPort(parsed)).toBe(text);
  },
);

describe("a daemon's URL", () => {
  test.each([
    ["https://tracker.example.com", "https://tracker.example.com", "tracker.example.com", 443],
    ["https://Tracker.Example.com:443/", "https://tracker.example.com", "tracker.example.com", 443],
    ["http://10.0.0.1:7777", "http://10.0.0.1:7777", "10.0.0.1", 7777],
    ["http://[::1]:7777", "http://[::1]:7777", "::1", 7777],
    ["http://10.0.0.1", "http://10.0.0.1", "10.0.0.1", 80],
    ["http://[FE80::1%eth0]:7777", "http://[fe80::1%25eth0]:7777", "fe80::1%eth0", 7777],
    ["http://[fe80::1%25eth0]", "http://[fe80::1%25eth0]", "fe80::1%eth0", 80],
  ])("%s is read as %s", (given, text, host, port) => {
    expect(parseOrigin(given, "SVC_SERVER")).toMatchObject({ text, host, port });
  });

  test.each([
    ["https://ann:hunter2@tracker.example.com", "user information"],
    ["https://hunter2@tracker.example.com", "user information"],
    ["https://tracker.example.com/hunter2", "path"],
    ["https://tracker.example.com?hunter2", "query"],
    ["https://tracker.example.com/?", "query"],
    ["https://tracker.example.com#hunter2", "fragment"],
    ["https://tracker.example.com#", "fragment"],
    ["ftp://hunter2", "http"],
    ["hunter2", "URL"],
    ["http:hunter2", "host"],
    ["http:///hunter2", "host"],
    ["http:\\\\hunter2", "host"],
    ["http://[fd00::1%25hunter2]", "URL"],
  ])("%s is refused, and the error does not repeat its secrets", (given, word) => {
    const refusal = refusalOf(() => parseOrigin(given, "SVC_SERVER"));
    expect(refusal).toMatchObject({ code: "validation" });
    expect(refusal.message).toContain(word);
    expect(`${refusal.message} ${refusal.hint}`).not.toContain("hunter2");
  });
});

test("the zone of an address is not sent in the Host header", () => {
  const origin = parseOrigin("http://[fe80::1%25eth0]:7777", "SVC_SERVER");
  expect(hostHeaderOf(origin)).toBe("[fe80::1]:7777");
  expect(hostHeaderOf(parseOrigin("https://a.example", "SVC_SERVER"))).toBe("a.example");
});

test("svc's own SHA-256 agrees with that of Node for random texts and for every length up to 200", () => {
  for (let length = 0; length <= 200; length++) {
    const text = "ä".repeat(length >> 1) + "x".repeat(length & 1);
    expect(sha256Hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
  }
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
      const expected = createHash("sha256").update(Buffer.from(text)).digest("hex");
      expect(sha256Hex(text)).toBe(expected);
    }),
  );
});

test.each([
  ["UTC", true],
  ["Europe/Paris", true],
  ["America/Argentina/Buenos_Aires", true],
  ["Mars/Olympus", false],
  ["+02:00", false],
  ["", false],
])("%s is a known time zone: %s", (name, known) => expect(isZone(name)).toBe(known));
