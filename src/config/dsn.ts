import { isAbsolute, resolve } from "node:path";
import { SvcError } from "../contract/errors.ts";
import { reachOf } from "./addresses.ts";

/** Where the data is (facts cli-and-config 7). */
export type Dsn = SqliteDsn | PostgresDsn;

export interface SqliteDsn {
  readonly dialect: "sqlite";
  readonly path: string;
  /** What may be shown and logged. */
  readonly display: string;
}

export interface PostgresDsn {
  readonly dialect: "postgres";
  /** With credentials: for the driver only. */
  readonly url: string;
  readonly schema: string;
  readonly display: string;
  /** Server and database without credentials: the same text for every way to write them. */
  readonly identity: string;
}

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//;

/** A bare path or `sqlite://` path (relative to `base`), or `postgres://`. The text is never repeated: it can hold a password. */
export function parseDsn(text: string, base: string, schema = "svc"): Dsn {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === "postgres" || scheme === "postgresql") return parsePostgres(text, schema);
  if (scheme !== undefined && scheme !== "sqlite") {
    throw bad(`has the unknown scheme ${scheme}://`);
  }
  const path = scheme === undefined ? text : text.slice("sqlite://".length);
  if (path.trim() === "" || path.includes("\0")) throw bad("names no file");
  const absolute = isAbsolute(path) ? resolve(path) : resolve(base, path);
  return { dialect: "sqlite", path: absolute, display: absolute };
}

function parsePostgres(text: string, schema: string): PostgresDsn {
  if (!URL.canParse(text)) throw bad("is not a postgres:// URL");
  if (schema === "public") {
    throw new SvcError(
      "validation",
      {},
      {
        message: "storage.postgres.schema must not be public",
        hint: "svc keeps its tables in a schema of their own; the default is svc",
      },
    );
  }
  const url = new URL(text);
  const { host, port, database } = serverOf(url);
  const identity = `postgres://${host}:${port}/${database}`;
  return { dialect: "postgres", url: text, schema, display: displayOf(url), identity };
}

export function hasPassword(dsn: Dsn): boolean {
  if (dsn.dialect === "sqlite") return false;
  const { password, searchParams } = new URL(dsn.url);
  return password !== "" || searchParams.has("password");
}

function displayOf(url: URL): string {
  return `postgres://${url.host}${url.pathname}`;
}

/** Query parameters outrank the URL's own parts, as they do for PostgreSQL's drivers. */
function serverOf(url: URL): {
  readonly host: string;
  readonly port: string;
  readonly database: string;
} {
  const query = url.searchParams;
  const inPath = decoded(url.pathname.slice(1));
  return {
    host: (query.get("host") ?? decoded(url.hostname)).toLowerCase() || "localhost",
    port: query.get("port") ?? (url.port || "5432"),
    database: query.get("dbname") ?? (inPath || decoded(url.username)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A server on another machine must prove who it is, unless the owner says otherwise. */
export function requireSafePostgres(dsn: PostgresDsn, allowInsecure: boolean): void {
  const url = new URL(dsn.url);
  const { host } = serverOf(url);
  const local = host.startsWith("/") || host === "localhost" || reachOf(host) === "loopback";
  if (local || allowInsecure || url.searchParams.get("sslmode") === "verify-full") return;
  throw new SvcError(
    "validation",
    {},
    {
      message: "a PostgreSQL server on another machine needs sslmode=verify-full",
      hint: "add ?sslmode=verify-full to the address, or set storage.postgres.allow_insecure",
    },
  );
}

function bad(what: string): SvcError {
  const hint = "give a path, sqlite://path or postgres://host/database";
  return new SvcError("validation", {}, { message: `the database address ${what}`, hint });
}
