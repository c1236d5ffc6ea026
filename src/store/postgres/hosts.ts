import { type Conninfo, type PostgresHost, shownConninfo, shownHost } from "../../base/conninfo.ts";
import { errorCode } from "../../base/error-code.ts";
import { SvcError } from "../../contract/errors.ts";
import { driverCodeOf, openError } from "../errors.ts";
import type { PostgresConnection } from "./connection.ts";

type OpenHost = (host: PostgresHost) => Promise<PostgresConnection>;

/** Why a host was not used. */
interface SkippedHost {
  readonly host: PostgresHost;
  readonly why: "standby" | "read-only" | "unreachable";
  readonly error?: unknown;
}

/**
 * Finds the server that accepts writes among the hosts of a DSN. Searches again at each connect, because after a
 * failover another server accepts writes. Tries the host that was found last first. So all sessions stay on one server,
 * even if a former primary wrongly accepts writes again. The other hosts follow in the order of the DSN.
 */
export class PostgresHosts {
  readonly #conninfo: Conninfo;
  readonly #open: OpenHost;
  #last: PostgresHost | undefined;

  constructor(conninfo: Conninfo, open: OpenHost) {
    this.#conninfo = conninfo;
    this.#open = open;
  }

  async connect(): Promise<PostgresConnection> {
    const passed: SkippedHost[] = [];
    for (const host of this.#inOrder()) {
      const found = await this.#tryHost(host);
      if (!("why" in found)) {
        this.#last = host;
        return found;
      }
      passed.push(found);
    }
    throw noPrimary(this.#conninfo, passed);
  }

  #inOrder(): readonly PostgresHost[] {
    const { hosts } = this.#conninfo;
    const last = this.#last;
    return last === undefined ? hosts : [last, ...hosts.filter((host) => host !== last)];
  }

  async #tryHost(host: PostgresHost): Promise<PostgresConnection | SkippedHost> {
    try {
      const connection = await this.#open(host);
      const why = await whyNoWrites(connection);
      if (why === undefined) return connection;
      await connection.close();
      return { host, why };
    } catch (error) {
      if (isRefusal(error)) throw error;
      return { host, why: "unreachable", error };
    }
  }
}

async function whyNoWrites(
  connection: PostgresConnection,
): Promise<"standby" | "read-only" | undefined> {
  const { rows } = await connection.execute<{ standby: boolean; read_only: string }>(
    "select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as read_only",
    [],
  );
  if (rows[0]?.standby === true) return "standby";
  return rows[0]?.read_only === "on" ? "read-only" : undefined;
}

/**
 * Whether the error ends the search. As in libpq, a server that refuses the login ends it: the server is the right one,
 * and the DSN is wrong. A server that is starting or stopping (class 57), or a pooler that has no server (class 08),
 * does not end it.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof SvcError && String(error.data["reason"]).startsWith("database_"))
    return true;
  const from = error instanceof SvcError ? error.cause : error;
  if (!(from instanceof Error) || !("severity" in from)) return false;
  return !/^(?:08|57)/.test(errorCode(from) ?? "");
}

const NO_PRIMARY_HINT = "promote a standby or start the primary; svc finds it by itself";

function noPrimary(conninfo: Conninfo, passed: readonly SkippedHost[]): unknown {
  const shown = shownConninfo(conninfo);
  if (passed.length > 1) {
    const each = passed.map((one) => `${shownHost(one.host)} ${reasonText(one)}`).join(", ");
    const cause = passed.find(({ error }) => error !== undefined)?.error;
    return openError(
      "unreachable",
      `no server of ${shown} takes writes: ${each}`,
      NO_PRIMARY_HINT,
      cause,
    );
  }
  const [only] = passed;
  if (only?.why === "unreachable") return only.error;
  if (only?.why === "read-only")
    return openError(
      "read_only",
      `${shown} takes no writes: default_transaction_read_only is on`,
      "turn it off for the server, the database and the user of svc",
    );
  return openError(
    "standby",
    `${shown} is a standby, which takes no writes`,
    "name the primary, or all servers: postgres://one,two/database?target_session_attrs=read-write",
  );
}

function reasonText({ why, error }: SkippedHost): string {
  if (why === "standby") return "is a standby";
  if (why === "read-only") return "is read-only";
  const code = driverCodeOf(error);
  return code === "unknown" ? "does not answer" : `cannot be reached (${code})`;
}
