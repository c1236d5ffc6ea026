import { PAGES_OFF } from "./address-kinds.ts";
import { parseHostPort, scopeOfAddress } from "./addresses.ts";
import type { Config } from "./load.ts";
import { parseOrigin } from "./origins.ts";
import type { Settings } from "./settings.ts";
import { judgeStart, type StartFacts, type StartVerdict } from "./start-rows.ts";

export interface JudgedAddress extends StartVerdict {
  /** The address as it is written in the settings; absent for the socket of the database, which needs no setting. */
  readonly address?: string;
}

/**
 * How a daemon with these settings authenticates requests, and what the table in start-rows.ts decides about each of
 * its addresses.
 */
export interface Start {
  readonly mode: "open" | "tokenless" | "readonly" | "static" | "identity";
  readonly listeners: readonly JudgedAddress[];
  /** `[web] listen`, if a proxy is trusted there. */
  readonly pages?: JudgedAddress;
  /** Why the settings of `[web]` are refused; absent if they are valid. */
  readonly web?: Pick<StartVerdict, "refusal" | "cure">;
}

export function startOf({ settings, sources }: Pick<Config, "settings" | "sources">): Start {
  const facts = factsOf(settings);
  const addresses = addressesOf(settings);
  const listeners = addresses.map((address) => {
    // The socket of the database is always allowed beside other addresses, as row 8 of the table in start-rows.ts says.
    if (address === undefined && addresses.length > 1) return { row: 8 };
    const verdict = judgeStart(
      { ...facts, listen: scopeOf(address), anyProxy: trustsAnybody(settings, address) },
      address ?? "its own socket",
    );
    return address === undefined ? verdict : { address, ...verdict };
  });
  const web = webFault(settings, sources.webListen !== "default", facts);
  const pages = proxyPages(settings, facts);
  return {
    mode: modeOf(settings),
    listeners,
    ...(pages === undefined ? {} : { pages }),
    ...(web === undefined ? {} : { web }),
  };
}

/**
 * Returns the addresses of `--listen` or of the setting `listen`. Without them, returns the address of PORT, except for
 * a daemon that a command starts automatically. `undefined` means the socket of the database
 * (docs/contract/command-line.md#46-listeners).
 */
function listenOf({
  listen,
  port,
  autostarted,
}: Pick<Settings, "listen" | "port" | "autostarted">): readonly string[] | undefined {
  if (listen !== undefined) return listen;
  return port === undefined || autostarted ? undefined : [`0.0.0.0:${port}`];
}

/**
 * Returns all addresses. Commands on this machine use the first one; `undefined` stands for the socket of the database.
 */
export function addressesOf(settings: Settings): readonly (string | undefined)[] {
  const listen = listenOf(settings);
  if (listen === undefined) return [undefined];
  const local = localAddress(settings, listen);
  return [local, ...listen.filter((address) => address !== local)];
}

/**
 * Returns the first address that only this machine can reach and at which no proxy is trusted. Commands on this machine
 * use it. If there is none, the daemon also listens on the socket of its database.
 */
export function localAddress(
  { trustedActorHeader, trustedProxyListeners }: Settings,
  addresses: readonly string[],
): string | undefined {
  const trusted = trustedActorHeader === "" ? [] : trustedProxyListeners;
  return addresses.find((address) => {
    const scope = scopeOf(address);
    return (scope === "socket" || scope === "loopback") && !trusted.includes(address);
  });
}

/**
 * Returns the address of the daemon's listener for pages, by default on loopback. `required` is true if the settings
 * name the address. Returns `undefined` in these cases:
 * - The settings say that there is no such listener.
 * - The settings name no address, and the daemon listens on TCP. TCP listeners serve pages too.
 */
export function pagesAddressOf({
  settings,
  sources,
}: Pick<Config, "settings" | "sources">):
  | { readonly address: string; readonly required: boolean }
  | undefined {
  const { webListen: address } = settings;
  const required = sources.webListen !== "default";
  if (address === PAGES_OFF) return undefined;
  if (!required && addressesOf(settings).some((one) => scopeOf(one) !== "socket")) return undefined;
  return { address, required };
}

/** Warnings about what others may do with the daemon. They do not prevent its start. */
export function startWarnings(config: Pick<Config, "settings" | "sources">): readonly string[] {
  return addressesWithWarnings(startOf(config)).flatMap(({ warning }) => warning ?? []);
}

/** The addresses that `startWarnings` warns of, including the address of the pages. */
export function addressesWithWarnings({ listeners, pages }: Start): readonly JudgedAddress[] {
  const all = pages === undefined ? listeners : [...listeners, pages];
  return all.filter(({ warning }) => warning !== undefined);
}

function proxyPages(
  settings: Settings,
  facts: Omit<StartFacts, "listen">,
): JudgedAddress | undefined {
  const { webListen: address } = settings;
  const anyProxy = trustsAnybody(settings, address);
  if (!anyProxy) return undefined;
  return { address, ...judgeStart({ ...facts, listen: scopeOf(address), anyProxy }, address) };
}

/**
 * Whether a proxy is trusted on the address, and the daemon cannot find out whether the proxy's user opened a
 * connection.
 */
function trustsAnybody(
  { trustedActorHeader, trustedProxyListeners, trustedProxyUser }: Settings,
  address: string | undefined,
): boolean {
  if (trustedActorHeader === "" || !trustedProxyListeners.includes(address ?? "")) return false;
  return trustedProxyUser === undefined || process.platform !== "linux";
}

/**
 * How the daemon authenticates requests. With a token set, every request needs the token, so `--insecure-readonly` has
 * no effect (docs/contract/network-and-access.md#11-the-start-up-table).
 */
function modeOf(settings: Settings): Start["mode"] {
  if (settings.authToken !== undefined)
    return settings.requireTokenIdentity ? "identity" : "static";
  if (settings.allowUnauthenticatedPrivateNetworkWrites) return "tokenless";
  return settings.insecureReadonly ? "readonly" : "open";
}

function factsOf(settings: Settings): Omit<StartFacts, "listen"> {
  return {
    token: settings.authToken !== undefined,
    trust: settings.trustPrivateNetwork,
    tokenless: settings.allowUnauthenticatedPrivateNetworkWrites,
    identity: settings.requireTokenIdentity,
    readonly: settings.insecureReadonly,
    encrypted: settings.tlsCertificate !== undefined,
  };
}

function scopeOf(address: string | undefined): StartFacts["listen"] {
  if (address === undefined || address.startsWith("unix://")) return "socket";
  return scopeOfAddress(parseHostPort(address)?.host ?? "");
}

/**
 * Returns why the settings `[web]` are refused, or `undefined` if they are valid.
 * - `listen` may be a loopback address, or any other address that `judgeStart` allows, except a wildcard.
 * - `public_origin` must be https or on this machine, unless private networks are trusted.
 */
function webFault(
  { webListen, webPublicOrigin }: Settings,
  configured: boolean,
  facts: Omit<StartFacts, "listen">,
): Start["web"] {
  const off = webListen === PAGES_OFF;
  const listen = off ? "loopback" : scopeOf(webListen);
  if (configured && listen === "wildcard")
    return {
      refusal: `[web] listen = ${webListen} is a wildcard`,
      cure: "set it to one literal address, such as 127.0.0.1:7780",
    };
  const verdict = judgeStart({ ...facts, listen }, webListen);
  if (configured && listen !== "loopback" && verdict.refusal !== undefined)
    return { ...verdict, refusal: `[web] listen: ${verdict.refusal}` };
  if (webPublicOrigin === undefined || facts.trust) return undefined;
  const { scheme, host } = parseOrigin(webPublicOrigin, "[web] public_origin");
  if (scheme === "https" || host === "localhost" || scopeOfAddress(host) === "loopback")
    return undefined;
  return {
    refusal: `[web] public_origin = ${webPublicOrigin} is plain http beyond this machine`,
    cure: "use https, or set [auth] trust_private_network where everybody may read along",
  };
}
