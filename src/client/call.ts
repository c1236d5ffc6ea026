import { parseExact } from "../base/json.ts";
import {
  type CallInput,
  changesState,
  FENCE_HEADER,
  type Output,
  type Route,
} from "../contract/route.ts";
import { UnavailableError } from "../shared/answer-errors.ts";
import { type CallParts, sentHeaders, targetOf } from "../shared/call-parts.ts";
import { refusalIn } from "../shared/refusal.ts";
import type { Client } from "./client.ts";
import type { ResponseHead } from "./http/response.ts";
import { knownFields } from "./newer-fields.ts";
import type { Outgoing } from "./outgoing.ts";

export interface RawAnswer extends ResponseHead {
  readonly body: Buffer;
}

export interface CallOptions {
  /** The fence of the lease under which an issue is changed. */
  readonly fence?: number | undefined;
  /** If `false`, no daemon is started for this call. */
  readonly start?: boolean | undefined;
  /** Aborting this signal ends the call. A change that was already sent may still be made. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls the route and returns the parsed answer. Throws the error of the operation. */
export async function call<T extends Route>(
  client: Client,
  route: T,
  input: CallInput<T>,
  options?: CallOptions,
): Promise<Output<T>> {
  const { body } = await callRaw(client, route, input, options);
  return parseAnswer<T>(body);
}

/** Like `call`, but returns the bytes of the answer. */
export async function callRaw<T extends Route>(
  client: Client,
  route: T,
  input: CallInput<T>,
  { fence, start, signal }: CallOptions = {},
): Promise<RawAnswer> {
  const request = requestOf(route, await knownFields(client, route, input));
  const headers =
    fence === undefined || route.fenced === undefined
      ? request.headers
      : { ...request.headers, [FENCE_HEADER]: String(fence) };
  const extra = { ...(start === undefined ? {} : { start }), ...(signal && { signal }) };
  const answer = await client.send({ ...request, headers, ...extra });
  if (answer.status >= 200 && answer.status < 300) {
    if (request.changes) client.keepMade(answer.body);
    return answer;
  }
  throw refusalOf(answer.status, answer.body);
}

/**
 * Parses the answer. It is not checked against the contract, and unknown fields stay in it. By default, numbers in
 * metadata that JavaScript cannot hold are raw JSON values (base/json.ts).
 */
export function parseAnswer<T extends Route>(
  body: Buffer,
  parse: (text: string) => unknown = parseExact,
): Output<T> {
  if (body.length === 0) return {} as Output<T>;
  try {
    return parse(body.toString("utf8")) as Output<T>;
  } catch (cause) {
    throw new UnavailableError("the daemon's answer is not JSON", { cause });
  }
}

/** The HTTP request of a call; `undefined` values are left out. */
export function requestOf<T extends Route>(route: T, input: CallInput<T>): Outgoing {
  // The cast is safe, because each part of an input is an object (contract/route.ts), and no field of a part is used by
  // name.
  const { params = {}, query = {}, headers = {}, body } = input as CallParts;
  const sent = sentHeaders(headers);
  const changes = changesState(route);
  return {
    method: route.method,
    target: targetOf(route.path, params, query),
    headers: sent,
    id: route.id,
    changes,
    lengthy: route.lengthy ?? false,
    repeatable: !changes || sent["idempotency-key"] !== undefined,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

export function refusalOf(status: number, body: Buffer): Error {
  return refusalIn(status, body.toString("utf8"));
}
