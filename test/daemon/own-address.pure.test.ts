import { describe, expect, test } from "vitest";
import { leadsHere } from "../../src/daemon/own-address.ts";

const here = (url: string, host: string): boolean =>
  leadsHere(new URL(url), [{ host, port: 7777 }], []);

describe("a URL leads to this daemon", () => {
  test.each([
    ["127.0.0.1", true],
    ["127.9.9.9", true],
    ["[::1]", true],
    ["localhost", true],
    ["localhost.", true],
    ["web.localhost.", true],
    ["0.0.0.0", true],
    ["[::]", true],
    ["[::ffff:127.0.0.1]", true],
    ["[::ffff:0.0.0.0]", true],
    ["hub.example", false],
    ["localhost.example", false],
    ["10.1.2.3", false],
  ])(
    "a URL with the host %s leads to a daemon on loopback or on all addresses: %s",
    (host, expected) => {
      for (const listens of ["127.0.0.1", "0.0.0.0", "::"])
        expect(here(`http://${host}:7777`, listens)).toBe(expected);
      expect(here(`http://${host}:7778`, "127.0.0.1")).toBe(false);
    },
  );

  test.each([
    ["10.1.2.3", true],
    ["[::ffff:10.1.2.3]", true],
    ["10.1.2.4", false],
    ["localhost", false],
    ["0.0.0.0", false],
  ])("a URL with the host %s leads to a daemon on 10.1.2.3: %s", (host, expected) => {
    expect(here(`http://${host}:7777`, "10.1.2.3")).toBe(expected);
  });
});
