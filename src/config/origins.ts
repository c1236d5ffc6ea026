import { invalid, type SvcError } from "../contract/errors.ts";

/** The address of a remote daemon, reduced to the parts that are allowed (facts cli-and-config 4.1). */
export interface Origin {
  readonly scheme: "http" | "https";
  /** Without brackets, even for IPv6. */
  readonly host: string;
  readonly port: number;
  /** `scheme://host[:port]`, without the scheme's default port. */
  readonly text: string;
}

/** `whose` names the setting in errors. Errors do not repeat the URL, which can hold a password. */
export function parseOrigin(given: string, whose: string): Origin {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw bad(whose, "is not an http or https URL");
  }
  if (url.username !== "" || url.password !== "")
    throw bad(whose, "must not hold user information");
  if (url.pathname !== "/") throw bad(whose, "must not have a path");
  if (given.includes("?")) throw bad(whose, "must not have a query");
  if (given.includes("#")) throw bad(whose, "must not have a fragment");
  const scheme = url.protocol === "https:" ? "https" : "http";
  const port = url.port === "" ? (scheme === "https" ? 443 : 80) : Number(url.port);
  return { scheme, host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port, text: url.origin };
}

function bad(whose: string, what: string): SvcError {
  const hint = "write the daemon's URL as https://host or https://host:port";
  return invalid(`${whose} ${what}`, hint);
}
