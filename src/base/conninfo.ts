import { isIPv6 } from "node:net";
import { ConninfoError, type Parameters, parametersOf } from "./conninfo-text.ts";

/** The address and the login of a PostgreSQL database, from a DSN in one of libpq's two forms. */
export interface Conninfo {
  /** The servers in the order of the DSN; at least one. */
  readonly hosts: readonly PostgresHost[];
  /** Parts that the DSN does not contain are `undefined`: the driver or the server then uses its default. */
  readonly database: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly settings: ConninfoSettings;
}

export interface PostgresHost {
  /** A host name, an IP address, or the absolute path of a Unix socket's folder. */
  readonly host: string;
  readonly port: number;
}

export type ConninfoSettings = Readonly<Partial<Record<keyof typeof SETTINGS, string>>>;

interface Rule {
  /** A description of the allowed values, for error messages. */
  readonly values: string;
  fits(value: string): boolean;
}

const anything: Rule = { values: "any text", fits: () => true };
const seconds: Rule = {
  values: "1 to 60 seconds",
  fits: (value) => /^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= 60,
};

/** The parameters of libpq that svc accepts, besides those with a field of their own in `Conninfo`. */
const SETTINGS = {
  // svc always connects to the primary, because it writes. So these values make no difference.
  target_session_attrs: oneOf("any", "read-write", "primary"),
  load_balance_hosts: oneOf("disable"),
  connect_timeout: seconds,
  sslmode: oneOf("disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"),
  sslnegotiation: oneOf("postgres", "direct"),
  sslrootcert: anything,
  sslcert: anything,
  sslkey: anything,
  channel_binding: oneOf("disable", "prefer"),
  gssencmode: oneOf("disable", "prefer"),
  client_encoding: oneOf("UTF8", "utf8"),
  application_name: anything,
  options: anything,
};

function oneOf(...values: readonly string[]): Rule {
  return { values: values.join(", "), fits: (value) => values.includes(value) };
}

const ADDRESS_FIELDS = new Set(["host", "port", "dbname", "user", "password"]);

/**
 * Known parameters of libpq and pg that svc does not accept. An error may name one of these. It names no other
 * parameter, because that may be a part of a password.
 */
const REFUSED_SETTINGS = new Set(
  `hostaddr passfile service servicefile ssl sslcrl sslcrldir sslpassword sslcertmode sslsni sslcompression requiressl
   ssl_min_protocol_version ssl_max_protocol_version requirepeer require_auth krbsrvname gsslib gssdelegation
   keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout replication
   fallback_application_name min_protocol_version max_protocol_version uselibpqcompat keepAlive statement_timeout
   lock_timeout query_timeout idle_in_transaction_session_timeout`.split(/\s+/),
);

const DEFAULT_HOST = "localhost";
const DEFAULT_PORT = 5432;

/** Throws `ConninfoError`, which never repeats the text. */
export function parseConninfo(text: string): Conninfo {
  const parameters = parametersOf(text);
  for (const [name, value] of parameters) requireTaken(name, value);
  const field = (name: string): string | undefined => parameters.get(name) || undefined;
  return {
    hosts: hostsOf(parameters),
    database: field("dbname"),
    user: field("user"),
    password: field("password"),
    settings: Object.fromEntries(
      [...parameters].filter(([name, value]) => name in SETTINGS && value !== ""),
    ),
  };
}

function requireTaken(name: string, value: string): void {
  if (value.includes("\0")) throw new ConninfoError("contains a NUL character");
  if (ADDRESS_FIELDS.has(name) || value === "") return;
  if (isSetting(name)) {
    const { fits, values } = SETTINGS[name];
    if (!fits(value))
      throw new ConninfoError(`has a ${name} that svc does not take`, `svc takes ${values}`);
    return;
  }
  if (name === "hostaddr")
    throw new ConninfoError("has hostaddr, which svc does not take", "give the address as host");
  if (REFUSED_SETTINGS.has(name))
    throw new ConninfoError(`has ${name}, which svc does not take`, `leave ${name} out`);
  throw new ConninfoError(
    "has a parameter that libpq does not know",
    "is it a part of the password? write / ? # @ & in it as %2F %3F %23 %40 %26",
  );
}

function isSetting(name: string): name is keyof typeof SETTINGS {
  return Object.hasOwn(SETTINGS, name);
}

/**
 * Returns the servers. As in libpq, a single port is used for all hosts, and an empty entry in a list means the
 * default.
 */
function hostsOf(parameters: Parameters): readonly PostgresHost[] {
  const hosts = (parameters.get("host") ?? "").split(",");
  const ports = (parameters.get("port") ?? "").split(",");
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new ConninfoError(
      "has another number of ports than of hosts",
      "give one port, or one for each host",
    );
  return hosts.map((host, at) => ({
    host: hostOf(host.trim()),
    port: portOf((ports.length === 1 ? ports[0] : ports[at]) ?? ""),
  }));
}

function hostOf(text: string): string {
  if (text === "") return DEFAULT_HOST;
  const isFolder = text.startsWith("/") && !/\p{Cc}/u.test(text);
  if (isFolder || /^[\p{L}\p{N}._-]+$/u.test(text) || isIPv6(text)) return text;
  throw new ConninfoError(
    "has a host that is no name, address or absolute folder",
    "is it a part of the password? write : / ? # @ , in it as %3A %2F %3F %23 %40 %2C",
  );
}

function portOf(text: string): number {
  const trimmed = text.trim();
  if (trimmed === "") return DEFAULT_PORT;
  if (/^\d{1,5}$/.test(trimmed) && Number(trimmed) >= 1 && Number(trimmed) <= 65_535)
    return Number(trimmed);
  throw new ConninfoError("has a port that is no number from 1 to 65535");
}

/** Formats the servers and the database for messages and logs, without the user, the password and the settings. */
export function shownConninfo({ hosts, database }: Conninfo): string {
  const path = database === undefined ? "" : `/${encodeURIComponent(database)}`;
  return `postgres://${hosts.map(shownHost).join(",")}${path}`;
}

/** Formats one server of a DSN for messages. */
export function shownHost({ host, port }: PostgresHost): string {
  const text = isIPv6(host) ? `[${host}]` : host.replaceAll("/", "%2F");
  return port === DEFAULT_PORT ? text : `${text}:${port}`;
}
