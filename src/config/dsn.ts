import { isAbsolute, resolve } from "node:path";
import { invalid, type SvcError } from "../contract/errors.ts";
import { scopeOfAddress } from "./addresses.ts";

/** Location of the database (facts cli-and-config 7). */
export type Dsn = SqliteDsn | PostgresDsn;

export interface SqliteDsn {
  readonly dialect: "sqlite";
  readonly path: string;
  /** Safe to show and log. */
  readonly display: string;
}

export interface PostgresDsn {
  readonly dialect: "postgres";
  /** Contains credentials. Pass it only to the driver. */
  readonly url: string;
  readonly schema: string;
  readonly display: string;
  /** Server and database without credentials, normalized, so that all spellings of one database give the same text. */
  readonly identity: string;
}

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//;

/**
 * Parses the address of a database: a path, `sqlite://` and a path, or a `postgres://` URL. A relative path is resolved
 * against `base`. Errors never repeat the text, which can contain a password.
 */
export function parseDsn(text: string, base: string, schema = "svc"): Dsn {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === "postgres" || scheme === "postgresql") return parsePostgres(text, schema);
  if (scheme !== undefined && scheme !== "sqlite") {
    throw bad(`has the unknown scheme ${scheme}://`);
  }
  if (looksLikeServer(text))
    throw bad(
      "looks like one of a database server, but svc cannot read it as such; a file whose name has a colon in it needs ./ in front",
    );
  const path = scheme === undefined ? text : text.slice("sqlite://".length);
  if (path.trim() === "" || path.includes("\0")) throw bad("names no file");
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
  if (!URL.canParse(text)) throw bad("is not a postgres:// URL");
  if (schema === "public") {
    throw invalid(
      "storage.postgres.schema must not be public",
      "svc keeps its tables in a schema of their own; the default is svc",
    );
  }
  const url = new URL(text);
  // An unescaped "/", "?" or "#" in a password ends the host part early. The rest of the password would then be shown
  // as the name of the database.
  const isCut = url.pathname.includes("@") || url.hash !== "" || isQueryWithUser(url);
  if (isCut)
    throw bad("has a password or name with / ? # or @ in it: write those as %2F %3F %23 %40");
  const { host, port, database } = serverOf(url);
  const identity = `postgres://${host}:${port}/${database}`;
  return { dialect: "postgres", url: text, schema, display: displayOf(url), identity };
}

export function hasPassword(dsn: Dsn): boolean {
  if (dsn.dialect === "sqlite") return false;
  const { password, searchParams } = new URL(dsn.url);
  return password !== "" || searchParams.has("password");
}

function isQueryWithUser({ username, search }: URL): boolean {
  return username === "" && search.includes("@");
}

function displayOf(url: URL): string {
  return `postgres://${url.host}${url.pathname}`;
}

/** Query parameters override the URL's own parts, as in PostgreSQL's drivers. */
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

/** Requires verified TLS for a server on another machine, unless the user allowed insecure connections. */
export function requireSafePostgres(dsn: PostgresDsn, allowInsecure: boolean): void {
  const url = new URL(dsn.url);
  const { host } = serverOf(url);
  const local = host.startsWith("/") || host === "localhost" || scopeOfAddress(host) === "loopback";
  if (local || allowInsecure || url.searchParams.get("sslmode") === "verify-full") return;
  throw invalid(
    "a PostgreSQL server on another machine needs sslmode=verify-full",
    "add ?sslmode=verify-full to the address, or set storage.postgres.allow_insecure",
  );
}

function bad(what: string): SvcError {
  const hint = "give a path, sqlite://path or postgres://host/database";
  return invalid(`the database address ${what}`, hint);
}
