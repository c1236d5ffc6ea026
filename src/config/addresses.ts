import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/**
 * The scope of an address, which follows from its literal form alone. Names are never resolved, because whoever answers
 * DNS would decide where a token goes (docs/contract/network-and-access.md#1-listeners-and-modes).
 */
export type AddressScope = "loopback" | "private" | "wildcard" | "public" | "name";

/**
 * The address ranges of each scope. Those of `private` are RFC 1918, carrier-grade NAT, link-local and unique-local.
 */
const RANGES: readonly (readonly [AddressScope, string])[] = [
  ["loopback", "127.0.0.0/8 ::1/128"],
  ["wildcard", "0.0.0.0/32 ::/128"],
  [
    "private",
    "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 169.254.0.0/16 fc00::/7 fe80::/10",
  ],
];

/**
 * `RANGES` as block lists of Node, which check addresses. They are made when the first address is classified, because
 * making them takes milliseconds that most commands need not spend.
 */
let lists: readonly (readonly [AddressScope, BlockList])[] | undefined;

function rangesOf(ranges: string): BlockList {
  const list = new BlockList();
  for (const range of ranges.split(" ")) {
    const [start = "", bits] = range.split("/");
    list.addSubnet(start, Number(bits), familyOf(start));
  }
  return list;
}

/** Returns the scope of a host as written in a URL or a listen address; IPv6 may have brackets and a zone. */
export function scopeOfAddress(host: string): AddressScope {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  if (isIP(bare) === 0) return "name";
  const [address = ""] = bare.split("%", 1);
  lists ??= RANGES.map(([scope, ranges]) => [scope, rangesOf(ranges)]);
  const found = lists.find(([, list]) => list.check(address, familyOf(address)));
  return found?.[0] ?? "public";
}

/**
 * Link-local addresses and similar ones: those at which clouds offer a machine's credentials to its programs (AWS by
 * IPv6, Alibaba, Oracle and Azure), and the IPv6 addresses that lead to 169.254.0.0/16 by 6to4 and NAT64.
 */
const LINK_LOCAL =
  "169.254.0.0/16 fe80::/10 2002:a9fe::/32 64:ff9b::a9fe:0/112 64:ff9b:1::a9fe:0/112 fd00:ec2::254/128 100.100.100.200/32 192.0.0.192/32 168.63.129.16/32";

let linkLocal: BlockList | undefined;

/** Whether the host, as written in a URL, is one of the addresses of `LINK_LOCAL`. False for a name. */
export function isLinkLocal(host: string): boolean {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  const [address = ""] = bare.split("%", 1);
  if (isIP(address) === 0) return false;
  linkLocal ??= rangesOf(LINK_LOCAL);
  return linkLocal.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/**
 * Parses `127.0.0.1:7777` or `[::1]:7777` and returns the literal IP in its canonical form; `undefined` for anything
 * else. `:7777` is the IPv4 wildcard.
 */
export function parseHostPort(text: string): HostPort | undefined {
  const parts = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  const port = Number(parts?.[3]);
  if (parts === null || port > 65_535) return undefined;
  if (parts[1] !== undefined) {
    const host = canonicalIPv6(parts[1]);
    return host === undefined ? undefined : { host, port };
  }
  const host = parts[2] === "" ? "0.0.0.0" : (parts[2] ?? "");
  return isIPv4(host) ? { host, port } : undefined;
}

/**
 * Converts an IPv6 address to its short form in lower case, so that each address has one spelling. An IPv4-mapped
 * address becomes the IPv4 address. An address with a zone (`fe80::1%eth0`, where the zone names a network card) is
 * refused, because the daemon cannot listen on it.
 */
export function canonicalIPv6(text: string): string | undefined {
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const short = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const bytes = [high, low].flatMap((part) => {
    const value = Number.parseInt(part, 16);
    return [value >> 8, value & 255];
  });
  return bytes.join(".");
}

export function formatHostPort({ host, port }: HostPort): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
