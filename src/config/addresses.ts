/**
 * Classifies an address by its literal form alone. Names are never resolved, because whoever answers DNS would decide
 * where a token goes (doc 3, Daemon listeners 3).
 */
export type AddressScope = "loopback" | "private" | "wildcard" | "public" | "name";

/** `host` as in a URL or a listen address; IPv6 may have brackets. */
export function scopeOfAddress(host: string): AddressScope {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  const v4 = parseV4(bare);
  if (v4 !== undefined) return scopeOfV4(v4);
  const v6 = parseV6(bare);
  return v6 === undefined ? "name" : scopeOfV6(v6);
}

/**
 * True for loopback, RFC 1918, carrier-grade NAT, link-local and unique-local literals, which no host on the internet
 * has.
 */
export function isNonPublicLiteral(host: string): boolean {
  const scope = scopeOfAddress(host);
  return scope === "loopback" || scope === "private";
}

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** `127.0.0.1:7777` or `[::1]:7777`, with a literal IP; `undefined` for anything else. `:7777` is the IPv4 wildcard. */
export function parseHostPort(text: string): HostPort | undefined {
  const parts = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  const port = Number(parts?.[3]);
  if (parts === null || port > 65_535) return undefined;
  if (parts[1] !== undefined) {
    return parseV6(parts[1]) === undefined ? undefined : { host: parts[1], port };
  }
  const host = parts[2] === "" ? "0.0.0.0" : (parts[2] ?? "");
  return parseV4(host) === undefined ? undefined : { host, port };
}

export function formatHostPort({ host, port }: HostPort): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

type Octets = readonly [number, number, number, number];

/** Dotted decimal only: parsers disagree on `127.1`, `0x7f.0.0.1` and `010.0.0.1`. */
function parseV4(text: string): Octets | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1);
  if (parts === undefined || parts.some((part) => /^0\d/.test(part) || Number(part) > 255)) {
    return undefined;
  }
  const [a = 0, b = 0, c = 0, d = 0] = parts.map(Number);
  return [a, b, c, d];
}

function scopeOfV4([a, b, c, d]: Octets): AddressScope {
  if (a === 127) return "loopback";
  if (a === 0) return b === 0 && c === 0 && d === 0 ? "wildcard" : "public";
  if (a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168)) return "private";
  if (a === 100 && b >= 64 && b <= 127) return "private";
  return a === 169 && b === 254 ? "private" : "public";
}

/** Eight groups of sixteen bits. A zone (`fe80::1%eth0`) is allowed and does not count. */
function parseV6(text: string): readonly number[] | undefined {
  const [address = "", zone] = text.split("%", 2);
  if (zone === "" || !address.includes(":")) return undefined;
  const halves = address.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(parseGroups);
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 8 ? head : undefined;
  if (tail === undefined || head.length + tail.length > 7) return undefined;
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

function parseGroups(text: string): readonly number[] | undefined {
  if (text === "") return [];
  const parts = text.split(":");
  const groups: number[] = [];
  for (const [place, part] of parts.entries()) {
    const v4 = place === parts.length - 1 ? parseV4(part) : undefined;
    if (v4 !== undefined) groups.push(v4[0] * 256 + v4[1], v4[2] * 256 + v4[3]);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

function scopeOfV6(groups: readonly number[]): AddressScope {
  const [first = 0, , , , , sixth = 0, seventh = 0, last = 0] = groups;
  const leading = groups.slice(0, 5).every((group) => group === 0);
  // ::ffff:10.0.0.1 is an IPv4 address written as IPv6.
  if (leading && sixth === 0xffff) {
    return scopeOfV4([seventh >> 8, seventh & 255, last >> 8, last & 255]);
  }
  if (leading && sixth === 0 && seventh === 0 && last === 1) return "loopback";
  if (groups.every((group) => group === 0)) return "wildcard";
  const uniqueLocal = (first & 0xfe00) === 0xfc00;
  const linkLocal = (first & 0xffc0) === 0xfe80;
  return uniqueLocal || linkLocal ? "private" : "public";
}
