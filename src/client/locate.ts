import type { Config } from "../config/load.ts";
import { hostHeaderOf } from "../config/origins.ts";
import { UnavailableError } from "../shared/answer-errors.ts";
import { discover, findWithoutPing, type SearchOptions, searchFor } from "./discovery.ts";
import { LOCAL_HOST } from "./host.ts";
import type { Address } from "./http/socket.ts";
import { daemonOfOtherHome } from "./other-home.ts";
import { type PingResult, ping } from "./ping.ts";
import type { Program } from "./program.ts";
import { addressOf, type RuntimeRecord, recordKey } from "./record.ts";
import type { RemoteTarget, Source, Target } from "./target.ts";

/** The address of a selected daemon, and the data that is needed to call the daemon. */
export interface Endpoint {
  readonly source: Source;
  readonly kind: "local" | "remote";
  readonly network: "unix" | "tcp";
  readonly scheme: "http" | "https";
  /** `unix:///path`, `127.0.0.1:7777`, or the origin of a remote daemon. */
  readonly address: string;
  /** The beginning of URLs for requests; absent for a Unix socket. */
  readonly requestBaseUrl?: string;
  readonly dial: Address;
  readonly hostHeader: string;
  /** The process of a local daemon. */
  readonly pid?: number;
  /** The key of the local daemon's record, which identifies one start of the daemon; absent for a remote daemon. */
  readonly record?: string;
  readonly started?: boolean;
  /** The version of the daemon's API; absent if the daemon does not report it. */
  readonly api?: string;
}

export interface LocateOptions extends SearchOptions {
  readonly start: boolean;
  /** Whether to ping a local daemon even if its record can be used without a ping. */
  readonly verify?: boolean;
}

/** Finds the selected daemon (docs/contract/command-line.md#4-finding-a-daemon). Reads no token. */
export async function locate(
  config: Config,
  target: Target,
  program: Program,
  options: LocateOptions,
): Promise<Endpoint> {
  return target.kind === "remote"
    ? await locateRemote(target, config.settings.httpTimeoutMs)
    : await locateLocal(config, target.source, program, options);
}

async function locateLocal(
  config: Config,
  source: Source,
  program: Program,
  { start, verify = false, ...options }: LocateOptions,
): Promise<Endpoint> {
  const search = searchFor(config, program.version, options);
  const known =
    (verify ? undefined : findWithoutPing(search)) ??
    (await discover(search)) ??
    (await daemonOfOtherHome(config, search));
  if (known !== undefined) return localEndpoint(known, source);
  if (!start)
    throw new UnavailableError("no daemon is running", { hint: "start it with svc daemon start" });
  const { autostart } = await import("./autostart.ts");
  return { ...localEndpoint(await autostart(config, program, search), source), started: true };
}

function localEndpoint(record: RuntimeRecord, source: Source): Endpoint {
  const { network, address } = record;
  const scheme = record.certificate === undefined ? "http" : "https";
  const api = record.api_schema_version;
  const base = {
    source,
    kind: "local",
    network,
    scheme,
    dial: addressOf(record),
    pid: record.pid,
    ...(api === undefined ? {} : { api }),
  } as const;
  const key = recordKey(record);
  if (network === "unix")
    return { ...base, address: `unix://${address}`, hostHeader: LOCAL_HOST, record: key };
  return {
    ...base,
    address,
    requestBaseUrl: `${scheme}://${address}`,
    hostHeader: address,
    record: key,
  };
}

/**
 * Pings a remote daemon without a token. Throws if the server does not answer as svc, so that no other request goes to
 * it.
 */
async function locateRemote(
  { origin, path = "", source, from }: RemoteTarget,
  timeoutMs: number,
): Promise<Endpoint> {
  const { scheme, host, port } = origin;
  const text = `${origin.text}${path}`;
  const dial: Address = { network: "tcp", host, port, tls: scheme === "https" };
  const hostHeader = hostHeaderOf(origin);
  const answer = await ping(dial, hostHeader, timeoutMs, path);
  if (answer.state !== "svc") {
    const message = `server not responding: ${text} (${from}): ${reasonOf(answer)}`;
    const untrusted = answer.state === "gone" && UNTRUSTED.has(answer.errno ?? "");
    const refusal = answer.state === "foreign" ? answer.refused : undefined;
    const hint = untrusted ? TRUST_HINT : refusal?.hint;
    throw new UnavailableError(message, hint === undefined ? {} : { hint });
  }
  const base = { source, kind: "remote", network: "tcp", scheme } as const;
  const { api_schema_version: api } = answer;
  const version = api === undefined ? {} : { api };
  return { ...base, address: text, requestBaseUrl: text, dial, hostHeader, ...version };
}

/** Node's error codes for a certificate that no trusted authority has signed. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
const TRUST_HINT =
  "if you know its certificate to be right, name its PEM file in NODE_EXTRA_CA_CERTS";

function reasonOf(answer: Exclude<PingResult, { readonly state: "svc" }>): string {
  switch (answer.state) {
    case "gone":
      return answer.what;
    case "foreign":
      return answer.refused === undefined ? `it is no svc daemon (${answer.what})` : answer.what;
    case "silent":
      return "no answer in time";
    case "stopping":
      return "the daemon is stopping";
  }
}
