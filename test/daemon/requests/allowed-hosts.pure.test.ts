import { expect, test } from "vitest";
import { parseHostPort } from "../../../src/config/addresses.ts";
import { allowedHosts, type HostSources } from "../../../src/daemon/requests/allowed-hosts.ts";

const LOOPBACK = ["127.0.0.1:7777", "[::1]:7777", "localhost:7777"];

function hosts(kind: HostSources["kind"], origin: string, bind: string, ...listed: string[]) {
  const place = parseHostPort(bind) ?? { host: "", port: 0 };
  return [...allowedHosts({ kind, origin, bind: place, listed })].toSorted();
}

test.each([
  ["http://127.0.0.1:7777", "127.0.0.1:7777", [], LOOPBACK],
  ["http://[::1]:7777", "[::1]:7777", [], LOOPBACK],
  ["http://127.0.0.5:7777", "127.0.0.5:7777", [], [...LOOPBACK, "127.0.0.5:7777"]],
  ["http://0.0.0.0:7777", "0.0.0.0:7777", [], [...LOOPBACK, "0.0.0.0:7777"]],
  ["http://[::]:7777", "[::]:7777", [], [...LOOPBACK, "[::]:7777"]],
  ["http://10.0.0.5:7777", "10.0.0.5:7777", [], ["10.0.0.5:7777"]],
  ["http://[FD00::5]:7777", "[fd00::5]:7777", [], ["[fd00::5]:7777"]],
  ["https://SVC.example", "10.0.0.5:7777", [], ["10.0.0.5:7777", "svc.example", "svc.example:443"]],
  ["https://svc.example:8443", "10.0.0.5:7", [], ["10.0.0.5:7", "svc.example:8443"]],
  ["http://10.0.0.5", "10.0.0.5:80", [], ["10.0.0.5", "10.0.0.5:80"]],
  ["http://10.0.0.5:7", "10.0.0.5:7", ["Box", "box:9"], ["10.0.0.5:7", "box", "box:9"]],
])(
  "the listener %s, bound to %s, accepts its own address and its aliases as the Host",
  (origin, bind, listed, expected) => {
    expect(hosts("shared-tcp", origin, bind, ...listed)).toEqual(expected.toSorted());
  },
);

test("a listener only for pages accepts only its own origin as the Host", () => {
  expect(hosts("browser", "https://svc.example", "127.0.0.1:7777", "box")).toEqual([
    "svc.example",
    "svc.example:443",
  ]);
});
