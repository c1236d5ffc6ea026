import { readFileSync } from "node:fs";
import { getCACertificates } from "node:tls";
import type { ClientConfig } from "pg";
import { type Conninfo, type PostgresHost, parseConninfo } from "../../base/conninfo.ts";
import { ConninfoError } from "../../base/conninfo-text.ts";
import { codeSuffix } from "../../base/error-code.ts";
import { invalid } from "../../contract/errors.ts";
import { openError } from "../errors.ts";

/** The time limit for one connect. */
const CONNECT_MS = 10_000;
/** The time limit for one connect if the DSN has several hosts, so that a silent host leaves time for the others. */
const CONNECT_ONE_OF_MS = 3000;

export function conninfoOf(dsn: string): Conninfo {
  try {
    return parseConninfo(dsn);
  } catch (error) {
    if (!(error instanceof ConninfoError)) throw error;
    throw invalid(`the database address ${error.message}`, error.hint);
  }
}

/** Returns the driver's settings for one host of the DSN, because the driver accepts only one host. */
export function clientConfig(conninfo: Conninfo, { host, port }: PostgresHost): ClientConfig {
  const { database, user, password, settings, hosts } = conninfo;
  const { connect_timeout, options, application_name = "svc" } = settings;
  const usual = hosts.length === 1 ? CONNECT_MS : CONNECT_ONE_OF_MS;
  return {
    host,
    port,
    database: database ?? user,
    user,
    password,
    options,
    application_name,
    connectionTimeoutMillis: connect_timeout === undefined ? usual : Number(connect_timeout) * 1000,
    ...tlsOf(conninfo, host),
  };
}

/**
 * Returns the TLS settings. Every mode except `disable` and `no-verify` checks the certificate and the host name in it.
 * This is stricter than libpq, where only `verify-full` does. The host name is that of this connection.
 */
function tlsOf({ settings }: Conninfo, host: string): Pick<ClientConfig, "ssl" | "sslnegotiation"> {
  const { sslmode, sslrootcert, sslcert, sslkey, sslnegotiation } = settings;
  // As in libpq, a Unix socket has no TLS.
  if (sslmode === "disable" || host.startsWith("/")) return { ssl: false };
  if ((sslmode ?? sslrootcert ?? sslcert ?? sslkey ?? sslnegotiation) === undefined) return {};
  const ssl = {
    rejectUnauthorized: sslmode !== "no-verify",
    ca: sslrootcert === undefined ? undefined : certificateAuthorities(sslrootcert),
    cert: sslcert === undefined ? undefined : fileOf("sslcert", sslcert),
    key: sslkey === undefined ? undefined : fileOf("sslkey", sslkey),
  };
  return { ssl, sslnegotiation: sslnegotiation === "direct" ? "direct" : undefined };
}

/** As in libpq, `system` means the certificate authorities that this machine trusts. */
function certificateAuthorities(sslrootcert: string): string | string[] {
  return sslrootcert === "system"
    ? getCACertificates("system")
    : fileOf("sslrootcert", sslrootcert);
}

function fileOf(setting: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw openError(
      "unreachable",
      `the file that ${setting} names cannot be read${codeSuffix(error)}`,
      "give its absolute path in the DSN, and let the user that runs svc read it",
      error,
    );
  }
}
