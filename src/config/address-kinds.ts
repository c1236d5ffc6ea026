import { formatHostPort, parseHostPort, scopeOfAddress } from "./addresses.ts";
import { type Kind, textual } from "./kinds.ts";

/**
 * `ip:port` or `unix:///path`, in canonical form. `localhost` becomes 127.0.0.1. Any other host name is accepted here:
 * the daemon refuses it when it starts (`judgeStart` in start-rows.ts), and can name the reason.
 */
const listenAddress: Kind<string> = textual(
  "ip:port (IPv6 in brackets, without a zone) or unix:///absolute/path",
  (value) => (SOCKET_ADDRESS.test(value) ? value : (hostPortText(value) ?? namedPortText(value))),
);

const SOCKET_ADDRESS = /^unix:\/\/\/[^\0]+$/;

/** With this value of `[web] listen` the daemon has no listener for pages. */
export const PAGES_OFF = "off";

export const listenAddresses: Kind<readonly string[]> = {
  ...listOf(listenAddress),
  expects: `${listenAddress.expects}, or a list of them`,
  fromToml: (value) => {
    const list = listOf(listenAddress).fromToml(typeof value === "string" ? [value] : value);
    return list?.length === 0 ? undefined : list;
  },
};

export const pagesAddress: Kind<string> = textual(`ip:port or ${PAGES_OFF}`, (value) =>
  value === PAGES_OFF ? value : (hostPortText(value) ?? namedPortText(value)),
);

function hostPortText(value: string): string | undefined {
  const parsed = parseHostPort(value.replace(/^localhost(?=:)/i, "127.0.0.1"));
  return parsed === undefined ? undefined : formatHostPort(parsed);
}

function namedPortText(value: string): string | undefined {
  const named = /^[\w.-]+:(\d{1,5})$/.exec(value);
  return named !== null && Number(named[1]) <= 65_535 ? value.toLowerCase() : undefined;
}

/**
 * Listeners on which a proxy is trusted. A wildcard address is refused: it would trust everybody who can reach the
 * machine (docs/contract/network-and-access.md#13-trusted-proxies).
 */
export const trustedListeners: Kind<readonly string[]> = listOf(
  textual("unix:///absolute/path or ip:port of one address", (value) => {
    if (SOCKET_ADDRESS.test(value)) return value;
    const text = hostPortText(value);
    const scope = scopeOfAddress(parseHostPort(text ?? "")?.host ?? "");
    return scope === "name" || scope === "wildcard" ? undefined : text;
  }),
);

/** Values of the `Host` header: a name or an address, with a port or without. */
export const hosts: Kind<readonly string[]> = listOf(
  textual("host or host:port", (value) =>
    /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(value) ? value.toLowerCase() : undefined,
  ),
);

export const origin: Kind<string> = textual(
  "an origin such as https://tracker.example.com",
  (value) =>
    URL.canParse(value) && /^https?:\/\/[^/?#@\\]+$/i.test(value)
      ? new URL(value).origin
      : undefined,
);

/**
 * Headers in which a proxy may not name the actor, because they have another meaning. Some contain a credential, which
 * svc would then show as the actor.
 */
const FORBIDDEN_HEADERS = [
  "authorization",
  "proxy-authorization",
  "cookie",
  "host",
  "origin",
  "content-type",
];

/** The name of a header, in lower case; empty text means that no header is set. */
export const headerName: Kind<string> = textual(
  "the name of a header such as X-Forwarded-User",
  (value) => {
    const name = value.toLowerCase();
    return /^[!#$%&'*+.^`|~\w-]*$/.test(name) && !FORBIDDEN_HEADERS.includes(name)
      ? name
      : undefined;
  },
);

/** A list of entries: a list in TOML, text with commas in an environment variable. */
export function listOf(entry: Kind<string>): Kind<readonly string[]> {
  const read = (values: readonly unknown[]): readonly string[] | undefined => {
    const found = values.map((value) => entry.fromToml(value));
    return found.every((value) => value !== undefined) ? [...new Set(found)] : undefined;
  };
  return {
    expects: `a list of ${entry.expects}`,
    fromText: (value) => read(value.split(",").map((part) => part.trim())),
    fromToml: (value) => (Array.isArray(value) ? read(value) : undefined),
  };
}
