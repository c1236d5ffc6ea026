import type { RecordedListener } from "../../client/record.ts";
import { scopeOfAddress } from "../../config/addresses.ts";
import type { Config } from "../../config/load.ts";
import { parseOrigin } from "../../config/origins.ts";
import { pagesAddressOf } from "../../config/start.ts";
import { localSessionRequirement } from "../../domain/access/browser.ts";
import type { Mode } from "../../domain/access/modes.ts";

/**
 * Who can open a page:
 * - `owner`: the user who runs the daemon.
 * - `owner_by_code`: the same user, with a code of `svc ui`.
 * - `machine`: every user of the machine.
 * - `forwarder`: whoever uses a program of the daemon's user that forwards the port.
 * - `daemon_token`, `person_token`: whoever has such a token.
 * - `proxy`: whoever a trusted proxy names.
 * - `everybody`: whoever reaches the listener.
 */
export type Opener =
  | "owner"
  | "owner_by_code"
  | "machine"
  | "forwarder"
  | "daemon_token"
  | "person_token"
  | "proxy"
  | "everybody";

export interface ExposedPages {
  readonly address: string;
  readonly origin?: string;
  readonly opened_by: readonly Opener[];
  readonly warnings: readonly string[];
}

/** A TCP listener that serves pages, whether or not it serves programs too. */
interface PageListener extends Pick<RecordedListener, "origin" | "trusted_header"> {
  /** `ip:port` */
  readonly address: string;
  readonly kind: "browser" | "shared-tcp";
}

/** Returns who can open a page on a listener. */
export function openersOf(
  { address, kind, origin, trusted_header }: PageListener,
  mode: Mode,
  platform: NodeJS.Platform,
): readonly Opener[] {
  const host = address.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  const pagesLocal =
    scopeOfAddress(host) === "loopback" &&
    (origin === undefined || isLoopback(origin)) &&
    trusted_header === undefined;
  return [
    ...(mode === "readonly" ? (["everybody"] as const) : []),
    ...OPENERS_BY_SESSION[localSessionRequirement({ kind, mode, pagesLocal })](platform),
    ...(trusted_header === undefined ? [] : (["proxy"] as const)),
    ...(mode === "static" || mode === "identity" ? (["daemon_token"] as const) : []),
    ...(mode === "identity" ? (["person_token"] as const) : []),
  ];
}

/**
 * Who can open a session without a token, for each requirement of a local session. Only on Linux can the daemon find
 * out which user opened a connection.
 */
const OPENERS_BY_SESSION: Readonly<
  Record<
    ReturnType<typeof localSessionRequirement>,
    (platform: NodeJS.Platform) => readonly Opener[]
  >
> = {
  nothing: (platform) => [platform === "linux" ? "owner" : "machine", "forwarder"],
  proof: () => ["owner_by_code"],
  never: () => [],
};

const OPENER_TEXTS: Readonly<Record<Opener, string>> = {
  owner: "the daemon's user on this machine",
  owner_by_code: "the daemon's user on this machine, by svc ui",
  machine: "every user of this machine",
  forwarder:
    "whoever comes through a program of the daemon's user that forwards the port (an SSH tunnel, a proxy)",
  daemon_token: "whoever has [auth] token",
  person_token: "whoever has a token of svc tokens create",
  proxy: "whom the proxy names",
  everybody: "for reading, whoever reaches it",
};

export function openersText(openers: readonly Opener[]): string {
  return openers.length === 0 ? "nobody" : openers.map((one) => OPENER_TEXTS[one]).join(", or ");
}

export function exposedPages(
  { address, origin, trusted_header }: Omit<PageListener, "kind">,
  mode: Mode,
  platform: NodeJS.Platform,
): ExposedPages {
  const listener = {
    address,
    kind: "browser",
    ...(origin === undefined ? {} : { origin }),
    ...(trusted_header === undefined ? {} : { trusted_header }),
  } as const;
  const opened_by = openersOf(listener, mode, platform);
  const isOpen = opened_by.includes("machine") && mode !== "readonly";
  return {
    address,
    ...(origin === undefined ? {} : { origin }),
    opened_by,
    warnings: isOpen
      ? [`every user of this machine can read and write on the pages at ${address} without a token`]
      : [],
  };
}

export function plannedPages(
  config: Pick<Config, "settings" | "sources">,
  mode: Mode,
  platform: NodeJS.Platform,
): ExposedPages | undefined {
  const { webPublicOrigin: origin, trustedActorHeader, trustedProxyListeners } = config.settings;
  const address = pagesAddressOf(config)?.address;
  if (address === undefined) return undefined;
  const trusted = trustedActorHeader !== "" && trustedProxyListeners.includes(address);
  const listed = {
    address,
    ...(origin === undefined ? {} : { origin }),
    ...(trusted ? { trusted_header: trustedActorHeader } : {}),
  };
  return exposedPages(listed, mode, platform);
}

function isLoopback(origin: string): boolean {
  const { host } = parseOrigin(origin, "[web] public_origin");
  return host === "localhost" || scopeOfAddress(host) === "loopback";
}
