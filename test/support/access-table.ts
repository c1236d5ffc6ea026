import type { Mode } from "../../src/domain/access/modes.ts";
import type { Right } from "../../src/domain/access/rights.ts";

/**
 * The right and method, then the answers without a token, with a wrong one, with the daemon's own, and with one of the
 * database.
 */
type Case = readonly [Right, "GET" | "POST", none: string, wrong: string, own: string, db: string];

const all = (right: Right, method: "GET" | "POST", answer: string): Case => [
  ...([right, method, answer, answer, answer, answer] as const),
];
export const [NONE, TOKEN, NOT_IT, UNKNOWN] = [
  "none",
  "auth_required",
  "auth_invalid",
  "token_invalid",
] as const;
export const [SIGNED, ADMIN, INTEGRATION] = [
  "bootstrap_token_write_forbidden",
  "token_admin_forbidden",
  "integration_administration_forbidden",
] as const;

/** The table of docs/contract/network-and-access.md#12-who-a-request-is, row by row. */
const TABLE: Readonly<Record<Mode, readonly Case[]>> = {
  open: [
    all("open", "GET", NONE),
    all("read", "GET", NONE),
    all("read", "POST", NONE),
    all("stream", "GET", NONE),
    all("write", "POST", NONE),
    all("tokens", "GET", NONE),
    all("tokens", "POST", NONE),
    all("connectors", "GET", NONE),
    all("connectors", "POST", NONE),
    all("profile", "GET", NONE),
  ],
  tokenless: [
    all("open", "GET", NONE),
    all("read", "GET", NONE),
    all("read", "POST", NONE),
    all("stream", "GET", NONE),
    all("write", "POST", NONE),
    all("tokens", "GET", TOKEN),
    all("tokens", "POST", TOKEN),
    all("connectors", "GET", INTEGRATION),
    all("connectors", "POST", INTEGRATION),
    all("profile", "GET", TOKEN),
  ],
  readonly: [
    all("open", "GET", NONE),
    all("read", "GET", NONE),
    all("read", "POST", TOKEN),
    all("stream", "GET", TOKEN),
    all("write", "POST", TOKEN),
    all("tokens", "GET", TOKEN),
    all("tokens", "POST", TOKEN),
    all("connectors", "GET", INTEGRATION),
    all("connectors", "POST", INTEGRATION),
    all("profile", "GET", TOKEN),
  ],
  static: [
    all("open", "GET", NONE),
    ["read", "GET", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["read", "POST", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["stream", "GET", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["write", "POST", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["tokens", "GET", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["tokens", "POST", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["connectors", "GET", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["connectors", "POST", TOKEN, NOT_IT, "static_token", NOT_IT],
    ["profile", "GET", TOKEN, NOT_IT, "static_token", NOT_IT],
  ],
  identity: [
    all("open", "GET", NONE),
    ["read", "GET", TOKEN, UNKNOWN, "bootstrap", "db_token"],
    ["read", "POST", TOKEN, UNKNOWN, "bootstrap", "db_token"],
    ["stream", "GET", TOKEN, UNKNOWN, "bootstrap", "db_token"],
    ["write", "POST", TOKEN, UNKNOWN, SIGNED, "db_token"],
    ["tokens", "GET", TOKEN, UNKNOWN, "bootstrap", ADMIN],
    ["tokens", "POST", TOKEN, UNKNOWN, "bootstrap", ADMIN],
    ["connectors", "GET", TOKEN, UNKNOWN, INTEGRATION, INTEGRATION],
    ["connectors", "POST", TOKEN, UNKNOWN, INTEGRATION, INTEGRATION],
    ["profile", "GET", TOKEN, UNKNOWN, "bootstrap", "db_token"],
  ],
};

export const BEARERS = ["none", "wrong", "configured", "database"] as const;
export const MODES = Object.keys(TABLE) as readonly Mode[];
export const CELLS = MODES.flatMap((mode) =>
  TABLE[mode].flatMap(([right, method, ...answers]) =>
    BEARERS.map((bearer, at) => ({ mode, right, method, bearer, answer: answers[at] ?? "" })),
  ),
);
