/**
 * Why a text is no connection string of PostgreSQL. The message continues "the database address …" and never repeats
 * the text, which can contain a password.
 */
export class ConninfoError extends Error {
  override readonly name = "ConninfoError";
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** The parameters in a connection string, by libpq's names. `host` and `port` may be lists separated by commas. */
export type Parameters = ReadonlyMap<string, string>;

const URI = /^postgres(?:ql)?:\/\//i;

const KEYWORDS =
  /^\s*(?:host|hostaddr|port|dbname|user|password|passfile|service|sslmode|target_session_attrs|connect_timeout|application_name|options)\s*=/;

/** True for a text in one of libpq's two forms: a URI, or settings such as `host=one,two dbname=svc`. */
export function isConninfo(text: string): boolean {
  return URI.test(text) || KEYWORDS.test(text);
}

export function parametersOf(text: string): Parameters {
  return URI.test(text) ? fromUri(text.replace(URI, "")) : fromSettings(text);
}

const UNESCAPED = "has a password or name with / ? # or @ in it: write those as %2F %3F %23 %40";

/** Reads `user:password@host:port,host:port/database?name=value`; an IPv6 address has brackets. */
function fromUri(text: string): Parameters {
  const [authority = ""] = /^[^/?#]*/.exec(text) ?? [];
  const [, path = "", query = "", hash = ""] =
    /^(\/[^?#]*)?(?:\?([^#]*))?(#.*)?$/s.exec(text.slice(authority.length)) ?? [];
  const at = authority.lastIndexOf("@");
  // An unescaped "/", "?" or "#" in a password ends the authority early. The rest of the password would then be shown
  // as the name of the database.
  if (path.includes("@") || hash !== "" || (at === -1 && query.includes("@")))
    throw new ConninfoError(UNESCAPED);
  const [, user = "", password = ""] =
    /^([^:]*):?(.*)$/s.exec(authority.slice(0, Math.max(at, 0))) ?? [];
  const hosts = authority
    .slice(at + 1)
    .split(",")
    .map(hostAndPort);
  return new Map(
    [
      ["user", user],
      ["password", password],
      ["host", hosts.map(({ host }) => host).join(",")],
      [
        "port",
        hosts.every(({ port }) => port === "") ? "" : hosts.map(({ port }) => port).join(","),
      ],
      ["dbname", path.slice(1)],
      ...query
        .split("&")
        .filter((pair) => pair !== "")
        .map(nameAndValue),
    ].map(([name = "", value = ""]) => [name, decoded(value)]),
  );
}

function hostAndPort(text: string): { readonly host: string; readonly port: string } {
  const [, bracketed, plain = "", port = ""] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/s.exec(text) ?? [];
  return { host: bracketed ?? plain, port };
}

function nameAndValue(pair: string): readonly [string, string] {
  const [, name = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
  // JDBC's parameter for TLS, which libpq accepts too.
  return name === "ssl" && value === "true" ? ["sslmode", "require"] : [decoded(name), value];
}

/** Decodes escapes such as `%2F`. A `%` that begins no escape stands for itself. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9A-F]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** One setting. A value with spaces is in single quotes. A backslash makes the next character literal. */
const SETTING =
  /\s*([^\s=]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'(?=\s|$)|((?:[^\s'\\]|\\.)(?:[^\s\\]|\\.)*)?(?=\s|$))/suy;

function fromSettings(text: string): Parameters {
  const found = new Map<string, string>();
  const setting = new RegExp(SETTING);
  const end = text.trimEnd().length;
  while (setting.lastIndex < end) {
    const [match, name = "", quoted, plain = ""] = setting.exec(text) ?? [];
    if (match === undefined)
      throw new ConninfoError(
        "is not a list of name=value",
        String.raw`write a value with spaces in single quotes, and ' and \ in it as \' and \\`,
      );
    found.set(name, (quoted ?? plain).replace(/\\(.)/gs, "$1"));
  }
  if (!found.has("host") && !found.has("dbname"))
    throw new ConninfoError("names no host and no database", "give host=… and dbname=…");
  return found;
}
