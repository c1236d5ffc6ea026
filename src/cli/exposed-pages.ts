import type { RecordedListener } from "../client/record.ts";
import { scopeOfAddress } from "../config/addresses.ts";
import type { Config } from "../config/load.ts";
import { parseOrigin } from "../config/origins.ts";
import { pagesAddressOf } from "../config/start.ts";
import { localSessionOn } from "../domain/access/browser.ts";
import type { Mode } from "../domain/access/modes.ts";
import type { Surroundings } from "./exposed-listener.ts";

/**
 * Who can open a page. `owner`: the user who runs the daemon. `machine`: every user of the machine. `daemon_token` and
 * `person_token`: whoever has such a token. `proxy`: whoever a trusted proxy names. `everybody`: whoever reaches the
 * listener.
 */
export type Opener = "owner" | "machine" | "daemon_token" | "person_token" | "proxy" | "everybody";

export interface ExposedPages {
  readonly address: string;
  readonly origin?: string;
  readonly opened_by: readonly Opener[];
  readonly warnings: readonly string[];
}

type Listed = Pick<RecordedListener, "address" | "origin" | "trusted_header">;

export function exposedPages(
  { address, origin, trusted_header }: Listed,
  mode: Mode,
  { platform }: Surroundings,
): ExposedPages {
  const host = address.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  const local =
    scopeOfAddress(host) === "loopback" &&
    (origin === undefined || isLoopback(origin)) &&
    trusted_header === undefined;
  const offers = localSessionOn({ kind: "browser", mode, pagesLocal: local }) !== "never";
  const alone = platform === "linux";
  return {
    address,
    ...(origin === undefined ? {} : { origin }),
    opened_by: [
      ...(mode === "readonly" ? (["everybody"] as const) : []),
      ...(offers ? [alone ? ("owner" as const) : ("machine" as const)] : []),
      ...(trusted_header === undefined ? [] : (["proxy"] as const)),
      ...(mode === "static" || mode === "identity" ? (["daemon_token"] as const) : []),
      ...(mode === "identity" ? (["person_token"] as const) : []),
    ],
    warnings:
      offers && !alone && mode !== "readonly"
        ? [
            `every user of this machine can read and write on the pages at ${address} without a token`,
          ]
        : [],
  };
}

export function plannedPages(
  config: Pick<Config, "settings" | "sources">,
  mode: Mode,
  around: Surroundings,
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
  return exposedPages(listed, mode, around);
}

function isLoopback(origin: string): boolean {
  const { host } = parseOrigin(origin, "[web] public_origin");
  return host === "localhost" || scopeOfAddress(host) === "loopback";
}
