import { parseHostPort } from "../config/addresses.ts";
import { LOCAL_HOST } from "./host.ts";
import { HttpClient } from "./http/client.ts";
import type { Address } from "./http/socket.ts";
import { TransportFault } from "./http/transport-fault.ts";
import { addressOf, type RecordedListener, type RuntimeRecord } from "./record.ts";

/**
 * How a daemon treats requests without a credential. `unknown`: there was no answer, or the answer does not show it.
 */
export interface Probe {
  readonly read: Outcome;
  readonly write: Outcome;
  readonly administer: Outcome;
}

type Outcome = "answered" | "refused" | "unknown";

/**
 * The requests of a probe. They change nothing, since the fields of the write are missing: a daemon that allows writes
 * without a credential answers with the error `validation`. Any other daemon refuses the write before it looks at the
 * fields.
 */
const REQUESTS = {
  read: { method: "GET", target: "/api/v1/instance" },
  write: { method: "POST", target: "/api/v1/projects", body: "{}" },
  administer: { method: "GET", target: "/api/v1/tokens" },
} as const;

const TIMEOUT_MS = 2_000;

export async function probe(record: RuntimeRecord, listener: RecordedListener): Promise<Probe> {
  const { dial, host } = reach(record, listener);
  const http = new HttpClient(dial);
  const headers = { Host: host, Accept: "application/json" };
  let isSilent = false;
  const ask = async (what: keyof typeof REQUESTS): Promise<Outcome> => {
    // If one request got no answer in time, the next request would probably wait as long for nothing.
    if (isSilent) return "unknown";
    const request = REQUESTS[what];
    try {
      const { status, body } = await http.request({ ...request, headers }, TIMEOUT_MS);
      if (status === 401 || status === 403 || body.includes('"actor_header_required"'))
        return "refused";
      return status === 200 || body.includes('"validation"') ? "answered" : "unknown";
    } catch (error) {
      if (!(error instanceof TransportFault)) throw error;
      isSilent = error.kind === "timeout";
      return "unknown";
    }
  };
  try {
    const [read, write, administer] = [
      await ask("read"),
      await ask("write"),
      await ask("administer"),
    ];
    return { read, write, administer };
  } finally {
    http.close();
  }
}

/** Returns how to connect to the listener. If it listens on all addresses, the loopback address is used. */
function reach(
  { metadata }: RuntimeRecord,
  { address, https }: RecordedListener,
): { readonly dial: Address; readonly host: string } {
  if (address.startsWith("unix://"))
    return { dial: { network: "unix", path: address.slice("unix://".length) }, host: LOCAL_HOST };
  const { port = 0, host = "" } = parseHostPort(address) ?? {};
  const near = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : undefined;
  const reached = near === undefined ? address : `${near}:${port}`;
  const certificate = https ? metadata?.tls?.certificate : undefined;
  const pinned = certificate === undefined ? {} : { certificate };
  return { dial: addressOf({ network: "tcp", address: reached, ...pinned }), host: reached };
}
