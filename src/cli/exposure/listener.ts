import { networkInterfaces } from "node:os";
import { instantToMs } from "../../base/clock.ts";
import type { Probe } from "../../client/probe.ts";
import type { RecordedListener } from "../../client/record.ts";
import { type AddressScope, parseHostPort, scopeOfAddress } from "../../config/addresses.ts";
import { socketFault } from "../../config/private-path.ts";
import type { StartVerdict } from "../../config/start-rows.ts";
import { type Exposure, exposureOf } from "../../domain/access/exposure.ts";
import type { Mode } from "../../domain/access/modes.ts";
import { type Opener, openersOf } from "./pages.ts";

/** Who can do what through one listener of a daemon. */
export interface ExposedListener extends Exposure {
  /** `unix:///path`, or `ip:port`. */
  readonly address: string;
  readonly https: boolean;
  /** The number of the row of the start-up table (`src/config/start-rows.ts`) that applies to the listener. */
  readonly row: number;
  readonly rule: string;
  /** From how far away the listener can be reached, unless a firewall prevents it. */
  readonly reach: "user" | "machine" | "network" | "internet";
  readonly reached_by: string;
  readonly trusted_header?: string;
  /** The id of the only user whom the listener answers, because the trusted proxy runs as this user. */
  readonly proxy_user?: number;
  /** Who can open a page here; absent for a socket, because a socket serves no pages. */
  readonly pages_opened_by?: readonly Opener[];
  readonly warnings: readonly string[];
  /** Why a daemon with these settings does not start; absent if it starts. */
  readonly refusal?: string;
  /** How to change the settings so that a daemon starts; absent if it starts. */
  readonly cure?: string;
  readonly without_token?: Probe;
}

export interface MachineNetwork {
  readonly platform: NodeJS.Platform;
  readonly addresses: readonly string[];
  readonly nowMs: number;
}

export function machineNetwork(nowMs: number): MachineNetwork {
  const addresses = Object.values(networkInterfaces()).flatMap((found = []) =>
    found.map(({ address }) => address),
  );
  return { platform: process.platform, addresses, nowMs };
}

interface JudgedListener {
  readonly mode: Mode;
  readonly listener: RecordedListener;
  readonly verdict: StartVerdict;
}

export function exposed(
  { mode, listener, verdict }: JudgedListener,
  around: MachineNetwork,
): ExposedListener {
  const { address, https, trusted_header, proxy_user } = listener;
  const { row, refusal, cure, warning } = verdict;
  const proxied = trusted_header !== undefined;
  const reached =
    proxy_user === undefined
      ? reachOf(address, mode === "open" && !proxied, around)
      : ofUser(proxy_user);
  return {
    address,
    https,
    row,
    rule: START_ROW_CASES[row] ?? "",
    ...reached,
    ...exposureOf(mode, proxied),
    ...(proxied ? { trusted_header } : {}),
    ...(proxy_user === undefined ? {} : { proxy_user }),
    ...(isSocket(address)
      ? {}
      : { pages_opened_by: openersOf({ ...listener, kind: "shared-tcp" }, mode, around.platform) }),
    warnings: [
      ...(warning === undefined ? [] : [warning]),
      ...accessWarnings({ mode, listener, verdict }, reached.reach),
    ],
    ...(refusal === undefined ? {} : { refusal }),
    ...(cure === undefined || refusal === undefined ? {} : { cure }),
  };
}

/** Maps the number of each row of the start-up table (`src/config/start-rows.ts`) to the case that the row is about. */
const START_ROW_CASES: Readonly<Record<number, string>> = {
  1: "settings that contradict each other",
  2: "settings that contradict each other",
  3: "settings that contradict each other",
  4: "settings that contradict each other",
  5: "settings that contradict each other",
  6: "a private address where writes need no token",
  7: "writes without a token, and no private address",
  8: "a Unix socket",
  9: "a loopback address",
  10: "a host name or a public address",
  11: "beyond this machine with a token",
  12: "beyond this machine with a token in clear",
  13: "beyond this machine for reads without a token",
  14: "beyond this machine without a token",
};

function ofUser(user: number): Pick<ExposedListener, "reach" | "reached_by"> {
  const reached_by = `programs of the user with id ${user} on this machine, such as the proxy, as it refuses other users`;
  return { reach: "user", reached_by };
}

/**
 * Returns who can reach the address. `checksUsers` is true if requests to the address need no token and the daemon
 * trusts no proxy there. At a loopback address the daemon then refuses other users of the machine, but only on Linux
 * (`src/daemon/access/peer-users.ts`).
 */
function reachOf(
  address: string,
  checksUsers: boolean,
  { platform, addresses }: MachineNetwork,
): Pick<ExposedListener, "reach" | "reached_by"> {
  switch (scopeOf(address)) {
    case "socket":
      return { reach: "user", reached_by: "programs of your user and root on this machine" };
    case "loopback":
      return checksUsers && platform === "linux"
        ? {
            reach: "user",
            reached_by: "programs of your user and root on this machine, as it refuses other users",
          }
        : { reach: "machine", reached_by: "every user and program of this machine" };
    case "private":
      return {
        reach: "network",
        reached_by: "every machine that can send to this address, and this one",
      };
    case "wildcard": {
      const v4 = address.startsWith("0.0.0.0:");
      const others = addresses.filter(
        (other) => scopeOfAddress(other) !== "loopback" && !(v4 && other.includes(":")),
      );
      const at = others.length === 0 ? "" : `: ${others.join(", ")}`;
      const reach = others.some(isPublic) ? "internet" : "network";
      return { reach, reached_by: `every machine that can send to any address of this one${at}` };
    }
    case "public":
    case "name":
      return { reach: "internet", reached_by: "every machine that can send to this address" };
  }
}

function isPublic(address: string): boolean {
  return scopeOfAddress(address) === "public";
}

/**
 * Returns warnings about access that the start-up table (`src/config/start-rows.ts`) allows without a warning, although
 * a person may not expect it.
 */
function accessWarnings(
  { mode, listener: { address, trusted_header }, verdict: { row, warning } }: JudgedListener,
  reach: ExposedListener["reach"],
): readonly string[] {
  const fault = isSocket(address) ? socketFault(address.slice("unix://".length)) : undefined;
  const open = mode === "open" || mode === "tokenless";
  return [
    ...(fault === undefined ? [] : [`${fault.path} ${fault.what}: ${fault.hint}`]),
    ...(row === 13 ? [`everybody who reaches ${address} can read there without a token`] : []),
    ...(mode === "open" && reach === "machine" && trusted_header === undefined
      ? [`every user of this machine can read and write at ${address} without a token`]
      : []),
    // The warning of the start-up table says the same of a loopback address.
    ...(open && reach !== "user" && trusted_header !== undefined && warning === undefined
      ? [
          `everybody who reaches ${address} without the proxy can write as anybody, by the header ${trusted_header}`,
        ]
      : []),
    ...(reach === "internet" && row !== 10
      ? [`${address} is open to the internet, by public addresses of this machine`]
      : []),
  ];
}

const SOON_MS = 14 * 86_400_000;

export function certificateWarnings(
  until: string,
  fault: string | undefined,
  { nowMs }: MachineNetwork,
): readonly string[] {
  const kept = fault === undefined ? [] : [`the last svc daemon reload was refused: ${fault}`];
  if (instantToMs(until) > nowMs + SOON_MS) return kept;
  const ends = instantToMs(until) > nowMs ? "ends" : "ended";
  return [...kept, `the certificate ${ends} at ${until}: renew it and run svc daemon reload`];
}

/**
 * Compares the report about a listener with the daemon's answers to real requests, because the report is made from the
 * daemon's record, which may be wrong. Returns a sentence for each right (read, write, administer) on which they
 * differ.
 */
export function contradictions(
  { address, trusted_header, ...rights }: ExposedListener,
  probed: Probe,
): readonly string[] {
  if (trusted_header !== undefined) return [];
  return (["read", "write", "administer"] as const).flatMap((right) => {
    const expected = rights[right].includes("none") ? "answered" : "refused";
    const seen = probed[right];
    if (seen === "unknown" || seen === expected) return [];
    return [`${address} ${seen} a request to ${right} without a token, against what is said here`];
  });
}

export function scopeOf(address: string): "socket" | AddressScope {
  return isSocket(address) ? "socket" : scopeOfAddress(parseHostPort(address)?.host ?? "");
}

export function isSocket(address: string): boolean {
  return address.startsWith("unix://");
}
