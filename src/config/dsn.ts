import { isIPv6 } from "node:net";
import { isAbsolute, resolve } from "node:path";
import {
  type Conninfo,
  type PostgresHost,
  parseConninfo,
  shownConninfo,
} from "../base/conninfo.ts";
import { ConninfoError, isConninfo } from "../base/conninfo-text.ts";
import { invalid, type SvcError } from "../contract/errors.ts";
import { scopeOfAddress } from "./addresses.ts";

/** Location of the database (docs/contract/command-line.md#7-postgresql). */
export type Dsn = SqliteDsn | PostgresDsn;

export interface SqliteDsn {
  readonly dialect: "sqlite";
  readonly path: string;
  /** Safe to show and log. */
  readonly display: string;
}

export interface PostgresDsn {
  readonly dialect: "postgres";
  /** The DSN as given, a URI or a list of name=value. Contains credentials, so only `store` may get it. */
  readonly url: string;
  readonly schema: string;
  readonly display: string;
  /** Server and database without credentials, normalized, so that all spellings of one database give the same text. */
  readonly identity: string;
}

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//;

/**
 * Parses the address of a database: a path, `sqlite://` and a path, or a connection string of PostgreSQL (a
 * `postgres://` URI or `host=… dbname=…`). A relative path is resolved against `base`. Errors never repeat the text,
 * which can contain a password.
 */
export function parseDsn(text: string, base: string, schema = "svc"): Dsn {
  if (isConninfo(text)) return parsePostgres(text, schema);
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "sqlite") {
    throw dsnError(`has the unknown scheme ${scheme}://`);
  }
  if (looksLikeServer(text))
    throw dsnError(
      "looks like one of a database server, but svc cannot read it as such; a file whose name has a colon in it needs ./ in front",
    );
  const path = scheme === undefined ? text : text.slice("sqlite://".length);
  if (path.trim() === "" || path.includes("\0")) throw dsnError("names no file");
  const absolute = isAbsolute(path) ? resolve(path) : resolve(base, path);
  return { dialect: "sqlite", path: absolute, display: absolute };
}

/**
 * Detects a misspelt server address: if it were read as a file name, messages would show its password. A text with
 * `://` or a connection setting (`host=…`) is never a path. A text with `scheme:` or `user:password@` is a path only if
 * it starts with `/`, `./` or `../`.
 */
function looksLikeServer(text: string): boolean {
  const path = text.replace(/^sqlite:\/\//i, "");
  if (path.includes("://") || CONNECTION_SETTING.test(path)) return true;
  if (/^(?:\/(?!\/)|\.\.?\/)/.test(path)) return false;
  if (isDrive(path)) return false;
  return (
    /^\W*[A-Za-z][A-Za-z0-9+.-]*:/.test(path) ||
    /^\W*postgres\w*\W*\/\//i.test(path) ||
    /:[^@/]*@/.test(path)
  );
}

const CONNECTION_SETTING =
  /(?:^|[\s;&?'"])(?:host|hostaddr|port|user|password|pwd|uid|dbname|database|server|sslmode|passfile|service)\s*=/i;

function isDrive(path: string): boolean {
  return process.platform === "win32" && /^[A-Za-z]:[\\/]/.test(path);
}

function parsePostgres(text: string, schema: string): PostgresDsn {
  if (schema === "public") {
    throw invalid(
      "storage.postgres.schema must not be public",
      "svc keeps its tables in a schema of their own; the default is svc",
    );
  }
  const conninfo = readConninfo(text);
  return {
    dialect: "postgres",
    url: text,
    schema,
    display: shownConninfo(conninfo),
    identity: identityOf(conninfo),
  };
}

function readConninfo(text: string): Conninfo {
  try {
    return parseConninfo(text);
  } catch (error) {
    throw error instanceof ConninfoError ? dsnError(error.message, error.hint) : error;
  }
}

/**
 * A text that is equal for DSNs of the same database: the order of the hosts and the case of their names do not matter.
 */
function identityOf({ hosts, database, user }: Conninfo): string {
  const servers = hosts.map(
    ({ host, port }) => `${isIPv6(host) ? `[${host}]` : host.toLowerCase()}:${port}`,
  );
  return `postgres://${servers.sort().join(",")}/${database ?? user ?? ""}`;
}

export function hasPassword(dsn: Dsn): boolean {
  return dsn.dialect === "postgres" && readConninfo(dsn.url).password !== undefined;
}

/** Requires verified TLS for each server on another machine, unless the user allowed insecure connections. */
export function requireSafePostgres(dsn: PostgresDsn, allowInsecure: boolean): void {
  const { hosts, settings } = readConninfo(dsn.url);
  if (allowInsecure || settings.sslmode === "verify-full" || hosts.every(isLocal)) return;
  throw invalid(
    "a PostgreSQL server on another machine needs sslmode=verify-full",
    "add sslmode=verify-full to the address, or set storage.postgres.allow_insecure",
  );
}

function isLocal({ host }: PostgresHost): boolean {
  return (
    host.startsWith("/") ||
    host.toLowerCase() === "localhost" ||
    scopeOfAddress(host) === "loopback"
  );
}

function dsnError(
  what: string,
  hint = "give a path, sqlite://path or postgres://host/database",
): SvcError {
  return invalid(`the database address ${what}`, hint);
}
