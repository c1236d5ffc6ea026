import { SvcError } from "../contract/errors.ts";
import { HttpClient, type HttpResponse } from "./http/client.ts";
import { redirectText } from "./http/redirect.ts";
import type { Address } from "./http/socket.ts";
import { TransportFault } from "./http/transport-fault.ts";
import type { BuildInfo } from "./succession.ts";

export type PingResult =
  | ({ readonly state: "svc"; readonly pid: number | undefined } & BuildInfo)
  /** Nothing listens at the address, or the TLS connection fails. */
  | { readonly state: "gone"; readonly what: string; readonly errno?: string | undefined }
  | { readonly state: "stopping" }
  /**
   * One of these:
   * - The server is not svc.
   * - The server ends the connection before it answers (`cut`).
   * - The server is a daemon that refuses the host name (`refused`).
   */
  | {
      readonly state: "foreign";
      readonly what: string;
      readonly cut?: true;
      readonly refused?: SvcError;
    }
  /** The connection is accepted, but no answer comes. */
  | { readonly state: "silent" };

export const PING_TIMEOUT_MS = 1000;

/**
 * Finds out what listens at the address. Sends no token. A server that answers with a redirect counts as `foreign`
 * (docs/contract/command-line.md#41-selection).
 */
export async function ping(
  address: Address,
  host: string,
  timeoutMs = PING_TIMEOUT_MS,
  path = "",
): Promise<PingResult> {
  const http = new HttpClient(address);
  try {
    const headers = { Host: host, Accept: "application/json" };
    const answer = await http.request(
      { method: "GET", target: `${path}/api/v1/ping`, headers },
      timeoutMs,
    );
    const scheme = address.network === "tcp" && address.tls ? "https" : "http";
    return readAnswer(answer, `${scheme}://${host}`);
  } catch (error) {
    if (!(error instanceof TransportFault)) throw error;
    if (error.kind === "timeout") return { state: "silent" };
    const { kind, message: what, errno } = error;
    return kind === "unsent"
      ? { state: "gone", what, errno }
      : { state: "foreign", what, cut: true };
  } finally {
    http.close();
  }
}

function readAnswer(head: HttpResponse, base: string): PingResult {
  const { status } = head;
  const answer = parsed(head.body);
  if (status === 200 && answer["ok"] === true && answer["service"] === "svc") {
    const { version, pid } = answer;
    return {
      state: "svc",
      pid: typeof pid === "number" ? pid : undefined,
      version: typeof version === "string" ? version : "",
      commit: textOf(answer["commit"]),
      built_at: textOf(answer["built_at"]),
      schema_version:
        typeof answer["schema_version"] === "number" ? answer["schema_version"] : undefined,
      api_schema_version: textOf(answer["api_schema_version"]),
    };
  }
  const error = answer["error"];
  if (status === 503 && isObject(error) && error["code"] === "daemon_stopping")
    return { state: "stopping" };
  if (status === 400 && isObject(error) && error["code"] === "host_invalid") {
    const refused = new SvcError("host_invalid");
    return { state: "foreign", what: refused.message, refused };
  }
  return { state: "foreign", what: redirectText(head, base) ?? `status ${status}` };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function parsed(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
