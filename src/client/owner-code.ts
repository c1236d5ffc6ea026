import { existsSync, readFileSync } from "node:fs";
import { ownerFilePath, runtimeDir } from "../config/paths.ts";
import { socketFault } from "../config/private-path.ts";
import { SvcError } from "../contract/errors.ts";
import type { Output } from "../contract/route.ts";
import { createWebSessionCode } from "../contract/sessions.ts";
import { call, parseAnswer, requestOf } from "./call.ts";
import type { Client } from "./client.ts";
import { LOCAL_HOST } from "./host.ts";
import { HttpClient } from "./http/client.ts";
import { TransportFault } from "./http/transport-fault.ts";
import type { Endpoint } from "./locate.ts";
import { timeoutOf } from "./outgoing.ts";
import { readRecords, recordKey } from "./record.ts";

export type OwnerCode = Output<typeof createWebSessionCode>;

/**
 * Asks the local daemon for a one-time code. With the code, the daemon's owner opens a page without a token
 * (docs/contract/network-and-access.md#33-a-session-without-a-token). The daemon gives the code on its own socket. If
 * it has no socket, it gives the code for the secret in a file (`codeByFile`). Returns `undefined` if the daemon is on
 * another machine or gives no code: it may be older, have no such pages, or require a token from each person. Over the
 * socket no token is sent.
 */
export async function ownerCode(client: Client): Promise<OwnerCode | undefined> {
  if (client.target.kind !== "local") return undefined;
  const path = socketOf(client, await client.endpoint());
  if (path === undefined) return await codeByFile(client);
  return socketFault(path) === undefined ? await codeAt(path, client) : undefined;
}

/**
 * Asks a daemon without a socket for the code. The request contains the secret from a file that only the daemon's owner
 * can read. Returns `undefined` if there is no such file or the daemon refuses the request.
 */
async function codeByFile(client: Client): Promise<OwnerCode | undefined> {
  const path = ownerFilePath(runtimeDir(client.config.home, client.config.dsn));
  if (!existsSync(path)) return undefined;
  const proof = readFileSync(path, "utf8").trim();
  try {
    return await call(client, createWebSessionCode, { body: { proof } });
  } catch (error) {
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}

/** The daemon's own socket; `undefined` if it has none. */
function socketOf({ config }: Client, { dial, record }: Endpoint): string | undefined {
  if (dial.network === "unix") return dial.path;
  const records = readRecords(runtimeDir(config.home, config.dsn));
  return records.find((one) => recordKey(one) === record)?.metadata?.own_socket;
}

async function codeAt(path: string, { config }: Client): Promise<OwnerCode | undefined> {
  const http = new HttpClient({ network: "unix", path });
  try {
    const request = requestOf(createWebSessionCode, { body: {} });
    const headers = { Host: LOCAL_HOST, Accept: "application/json" };
    const answer = await http.request({ ...request, headers }, timeoutOf(request, config));
    return answer.status === 200
      ? parseAnswer<typeof createWebSessionCode>(answer.body)
      : undefined;
  } catch (error) {
    if (error instanceof TransportFault) return undefined;
    throw error;
  } finally {
    http.close();
  }
}
