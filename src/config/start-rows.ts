import { invariant } from "../base/invariant.ts";
import type { AddressScope } from "./addresses.ts";

/** The facts that decide whether a daemon may listen on an address. */
export interface StartFacts {
  readonly listen: "socket" | AddressScope;
  /** Whether `[auth] token` is set. */
  readonly token: boolean;
  /** `[auth] trust_private_network`. */
  readonly trust: boolean;
  /** `[auth] allow_unauthenticated_private_network_writes`. */
  readonly tokenless: boolean;
  /** `[auth] require_token_identity`. */
  readonly identity: boolean;
  /** `--insecure-readonly`. */
  readonly readonly: boolean;
  readonly encrypted: boolean;
  /** Whether a proxy is trusted on the address and every user of this machine could pretend to be the proxy. */
  readonly anyProxy?: boolean;
}

/** What a row of `ROWS` below decides. In the texts, `{address}` is replaced by the address. */
interface Result {
  readonly warning?: string;
  readonly refusal?: string;
  readonly cure?: string;
}

export interface StartVerdict extends Result {
  /** The number of the row of the start-up table (`ROWS` below) that decided. */
  readonly row: number;
}

type Conditions = { readonly [K in Exclude<keyof StartFacts, "listen">]?: boolean } & {
  readonly listen?: readonly StartFacts["listen"][];
};

const TOKENLESS = "[auth] allow_unauthenticated_private_network_writes";
const IDENTITY = "[auth] require_token_identity";

const REFUSED_WITH_TOKEN: Result = {
  refusal: `${TOKENLESS} lets everybody write without a token, and a token is set`,
  cure: `remove [auth] token (SVC_AUTH_TOKEN), or ${TOKENLESS}`,
};
const REFUSED_WITH_IDENTITY: Result = {
  refusal: `${TOKENLESS} lets everybody write without a token, and ${IDENTITY} asks for one`,
  cure: `remove ${IDENTITY}, or ${TOKENLESS}`,
};
const REFUSED_WITH_READONLY: Result = {
  refusal: `${TOKENLESS} lets everybody write, and --insecure-readonly lets nobody`,
  cure: `start without --insecure-readonly, or remove ${TOKENLESS}`,
};
const IDENTITY_ALONE: Result = {
  refusal: `${IDENTITY} needs a token that administers the tokens of persons`,
  cure: "set [auth] token in config.toml, or SVC_AUTH_TOKEN",
};
const IDENTITY_READONLY: Result = {
  refusal: `--insecure-readonly asks nobody for a token, and ${IDENTITY} asks everybody`,
  cure: `start without --insecure-readonly, or remove ${IDENTITY}`,
};
const OPEN_TO_WRITES: Result = {
  warning: "everybody who reaches {address} can write there without a token, as any actor",
};
const NOT_PRIVATE: Result = {
  refusal: `cannot listen on {address}: ${TOKENLESS} is for literal private addresses only`,
  cure: `set listen to this machine's address on the private network, such as 10.0.0.5:7777, or remove ${TOKENLESS}`,
};
const ANY_PROXY: Result = {
  warning:
    "every user of this machine can write at {address} as any actor, without a token: set [auth.proxy] proxy_user to the user whom the proxy runs as, or [auth] token",
};
const LEAD_THERE =
  "listen on 127.0.0.1:7777 or a literal private address; clients elsewhere come by HTTPS through a reverse proxy, or by SSH";
const HOST_NAME: Result = {
  refusal: "cannot listen on {address}: it is a host name and no literal IP address",
  cure: LEAD_THERE,
};
const PUBLIC: Result = {
  refusal: "cannot listen on {address}: it is a public address",
  cure: LEAD_THERE,
};
const CLEAR_TOKEN: Result = {
  warning: "tokens travel to {address} in clear: whoever reads along on that network can use them",
};
const NOT_TRUSTED: Result = {
  refusal: "cannot listen on {address}: tokens would travel there in clear",
  cure: "if everybody on that network may read along, set [auth] trust_private_network = true (SVC_TRUST_PRIVATE_NETWORK=1); otherwise [tls] cert and key, for HTTPS",
};
const UNPROTECTED: Result = {
  refusal: "cannot listen on {address}: everybody who reaches it could write without a token",
  cure: `set [auth] token and trust_private_network, or start with --insecure-readonly, or set ${TOKENLESS}; 127.0.0.1:7777 needs none of them`,
};

/**
 * The start-up table, which decides whether a daemon may listen on an address
 * (docs/contract/network-and-access.md#11-the-start-up-table). The first row that matches decides. A fact that a row
 * leaves out may have any value.
 * - Rows 1 to 5 refuse settings that contradict each other. The other rows judge the address.
 * - Row 9 has two lines, because a trusted proxy needs a warning.
 * - Row 10 has two lines with different refusals.
 * - Row 11 has two lines, because the warning about a token in clear text does not apply to HTTPS.
 */
const ROWS: readonly (readonly [row: number, when: Conditions, then: Result])[] = [
  [1, { token: true, tokenless: true }, REFUSED_WITH_TOKEN],
  [2, { tokenless: true, identity: true }, REFUSED_WITH_IDENTITY],
  [3, { tokenless: true, readonly: true }, REFUSED_WITH_READONLY],
  [4, { token: false, identity: true }, IDENTITY_ALONE],
  [5, { identity: true, readonly: true }, IDENTITY_READONLY],
  [6, { listen: ["private"], tokenless: true }, OPEN_TO_WRITES],
  [7, { tokenless: true }, NOT_PRIVATE],
  [8, { listen: ["socket"] }, {}],
  [9, { listen: ["loopback"], token: false, readonly: false, anyProxy: true }, ANY_PROXY],
  [9, { listen: ["loopback"] }, {}],
  [10, { listen: ["name"] }, HOST_NAME],
  [10, { listen: ["public"] }, PUBLIC],
  [11, { token: true, encrypted: true }, {}],
  [11, { token: true, trust: true }, CLEAR_TOKEN],
  [12, { token: true }, NOT_TRUSTED],
  [13, { readonly: true }, {}],
  [14, {}, UNPROTECTED],
];

export function judgeStart(facts: StartFacts, address: string): StartVerdict {
  const found = ROWS.find(([, when]) => isMatch(when, facts));
  invariant(found !== undefined, "the last row fits everything");
  const [row, , { warning, refusal, cure }] = found;
  return {
    row,
    ...(warning === undefined ? {} : { warning: warning.replace("{address}", address) }),
    ...(refusal === undefined ? {} : { refusal: refusal.replace("{address}", address) }),
    ...(cure === undefined ? {} : { cure }),
  };
}

function isMatch({ listen, ...flags }: Conditions, facts: StartFacts): boolean {
  if (listen !== undefined && !listen.includes(facts.listen)) return false;
  return Object.entries(flags).every(([name, value]) => facts[name as keyof StartFacts] === value);
}
