import { describe, expect, test } from "vitest";
import { baseOf } from "../../src/outgoing/place.ts";

const PLACE = { from: "[hub] url", trustsPrivateNetwork: false, allowsInsecure: false };

/**
 * docs/contract/network-and-access.md#91-where-plain-http-may-go: without trust, with trust in private networks, with
 * `allow_insecure`.
 */
const LADDER: readonly (readonly [url: string, string, string, string])[] = [
  ["https://hub.example", "ok", "ok", "ok"],
  ["https://8.8.8.8", "ok", "ok", "ok"],
  ["https://10.0.0.1", "ok", "ok", "ok"],
  ["http://localhost:7777", "ok", "ok", "ok"],
  ["http://LOCALHOST", "ok", "ok", "ok"],
  ["http://127.0.0.1", "ok", "ok", "ok"],
  ["http://127.255.255.255", "ok", "ok", "ok"],
  ["http://2130706433", "ok", "ok", "ok"],
  ["http://[::1]", "ok", "ok", "ok"],
  ["http://[::ffff:127.0.0.1]", "ok", "ok", "ok"],
  ["http://126.255.255.255", "refused", "refused", "ok"],
  ["http://128.0.0.0", "refused", "refused", "ok"],
  ["http://[::2]", "refused", "refused", "ok"],
  ["http://10.0.0.0", "refused", "ok", "ok"],
  ["http://10.255.255.255", "refused", "ok", "ok"],
  ["http://9.255.255.255", "refused", "refused", "ok"],
  ["http://11.0.0.0", "refused", "refused", "ok"],
  ["http://172.16.0.0", "refused", "ok", "ok"],
  ["http://172.31.255.255", "refused", "ok", "ok"],
  ["http://172.15.255.255", "refused", "refused", "ok"],
  ["http://172.32.0.0", "refused", "refused", "ok"],
  ["http://192.168.0.0", "refused", "ok", "ok"],
  ["http://192.168.255.255", "refused", "ok", "ok"],
  ["http://192.167.255.255", "refused", "refused", "ok"],
  ["http://192.169.0.0", "refused", "refused", "ok"],
  ["http://100.64.0.0", "refused", "ok", "ok"],
  ["http://100.127.255.255", "refused", "ok", "ok"],
  ["http://100.63.255.255", "refused", "refused", "ok"],
  ["http://100.128.0.0", "refused", "refused", "ok"],
  ["http://169.254.169.254", "refused", "ok", "ok"],
  ["http://169.253.255.255", "refused", "refused", "ok"],
  ["http://169.255.0.0", "refused", "refused", "ok"],
  ["http://[fe80::1]", "refused", "ok", "ok"],
  ["http://[febf::1]", "refused", "ok", "ok"],
  ["http://[fe7f::1]", "refused", "refused", "ok"],
  ["http://[fec0::1]", "refused", "refused", "ok"],
  ["http://[fc00::1]", "refused", "ok", "ok"],
  ["http://[fdff::1]", "refused", "ok", "ok"],
  ["http://[fbff::1]", "refused", "refused", "ok"],
  ["http://[fe00::1]", "refused", "refused", "ok"],
  ["http://0.0.0.0", "refused", "ok", "ok"],
  ["http://[::]", "refused", "ok", "ok"],
  ["http://[::ffff:10.0.0.1]", "refused", "ok", "ok"],
  ["http://[::ffff:8.8.8.8]", "refused", "refused", "ok"],
  ["http://8.8.8.8", "refused", "refused", "ok"],
  ["http://[2001:db8::1]", "refused", "refused", "ok"],
  ["http://hub.example", "refused", "refused", "ok"],
  ["http://hub.localhost", "refused", "refused", "ok"],
  ["http://localhost.", "refused", "refused", "ok"],
  ["http://localhost.evil.example", "refused", "refused", "ok"],
  ["http://127.0.0.1.nip.io", "refused", "refused", "ok"],
  ["ftp://127.0.0.1", "refused", "refused", "refused"],
  ["file:///etc/passwd", "refused", "refused", "refused"],
  ["unix:///run/svc.sock", "refused", "refused", "refused"],
  ["http://", "refused", "refused", "refused"],
  ["http:///path", "refused", "refused", "refused"],
  ["hub.example", "refused", "refused", "refused"],
  ["", "refused", "refused", "refused"],
];

describe("the address of a remote server", () => {
  test.each(LADDER)(
    "%s without trust is %s, with trust: %s, with trust and allow_insecure: %s",
    (url, ...wanted) => {
      const found = [
        {},
        { trustsPrivateNetwork: true },
        { trustsPrivateNetwork: true, allowsInsecure: true },
      ].map((allowed) => {
        try {
          baseOf({ ...PLACE, ...allowed, url });
          return "ok";
        } catch (error) {
          expect(error).toMatchObject({ code: "validation" });
          return "refused";
        }
      });
      expect(found).toEqual(wanted);
    },
  );

  test.each([
    ["https://svc:geheim@hub.example", "user information"],
    ["https://geheim@hub.example/x", "user information"],
    ["https://hub.example/?key=geheim", "a query"],
    ["https://hub.example/x?", "a query"],
    ["https://hub.example/x#geheim", "a fragment"],
  ])("%s is refused because of %s, and the error does not show that part", (url, what) => {
    const made = () => baseOf({ ...PLACE, url });
    expect(made).toThrow(what);
    expect(made).not.toThrow("geheim");
  });

  test.each([
    ["https://hub.example", "https://hub.example/"],
    ["https://hub.example/svc", "https://hub.example/svc/"],
    ["https://hub.example/svc/", "https://hub.example/svc/"],
    ["HTTPS://HUB.example:443/api/v3", "https://hub.example/api/v3/"],
  ])("paths relative to %s are below %s", (url, base) => {
    expect(baseOf({ ...PLACE, url }).href).toBe(base);
  });
});
