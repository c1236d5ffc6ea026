import { expect, test } from "vitest";
import { isLoopbackHost } from "../../../src/daemon/requests/loopback-host.ts";

test.each([
  ["localhost", true],
  ["Localhost:80", true],
  ["svc.localhost", true],
  ["127.0.0.1:7777", true],
  ["127.255.255.254", true],
  ["[::1]", true],
  ["[::1]:7777", true],
  [undefined, false],
  ["", false],
  [":80", false],
  ["::1", false],
  ["128.0.0.1", false],
  ["127.0.0.1:", false],
  ["localhost:999999", false],
  ["localhost.evil.example", false],
  ["evil.example/localhost", false],
  ["user@localhost", false],
])("the Host %j names this machine: %s", (host, own) => {
  expect(isLoopbackHost(host)).toBe(own);
});
