import { utf8InHeader } from "../base/header-text.ts";
import { ERRORS, type ErrorCode } from "../contract/error-codes.ts";
import { SvcError } from "../contract/errors.ts";
import {
  type CallInput,
  changesState,
  FENCE_HEADER,
  type Output,
  type Route,
} from "../contract/route.ts";
import { BASE_PATH } from "../contract/version.ts";
import { ForeignError, type Refusal, UnavailableError } from "../shared/answer-errors.ts";
import type { Client } from "./client.ts";
import type { ResponseHead } from "./http/response.ts";
import type { Outgoing } from "./outgoing.ts";

export interface RawAnswer extends ResponseHead {
  readonly body: Buffer;
}

export interface CallOptions {
  /** The fence of the lease under which an issue is changed. */
  readonly fence?: number | undefined;
  /** `false` does not start a daemon for this call. */
  readonly start?: boolean | undefined;
  /** Ends the call when it is aborted. A change may have been made if it was sent before. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls the route and returns the parsed answer; throws the error of the operation. */
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
  const request = requestOf(route, input);
  const headers =
    fence === undefined || route.fenced === undefined
      ? request.headers
      : { ...request.headers, [FENCE_HEADER]: String(fence) };
  const given = { ...(start === undefined ? {} : { start }), ...(signal && { signal }) };
  const answer = await client.send({ ...request, headers, ...given });
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw refusalOf(answer.status, answer.body);
}

/** Parses the answer and trusts that it follows the contract; unknown fields stay. */
export function parseAnswer<T extends Route>(body: Buffer): Output<T> {
  if (body.length === 0) return {} as Output<T>;
  try {
    return JSON.parse(body.toString("utf8")) as Output<T>;
  } catch (cause) {
    throw new UnavailableError("the daemon's answer is not JSON", { cause });
  }
}

type Scalar = string | number | boolean;
type Values = Readonly<Record<string, Scalar | readonly Scalar[] | undefined>>;

interface Parts {
  readonly params?: Values;
  readonly query?: Values;
  readonly headers?: Values;
  readonly body?: object;
}

/** The HTTP request of a call; `undefined` values are left out. */
export function requestOf<T extends Route>(route: T, input: CallInput<T>): Outgoing {
  // Every part of a route is an object (contract/route.ts); its fields do not matter here.
  const { params = {}, query = {}, headers = {}, body } = input as Parts;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    return encodeURIComponent(String(params[name]));
  });
  const sent = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, headerText(name, String(value))]],
    ),
  );
  const changes = changesState(route);
  return {
    method: route.method,
    target: BASE_PATH + path + queryText(query),
    headers: sent,
    id: route.id,
    changes,
    lengthy: route.lengthy === true,
    repeatable: !changes || sent["idempotency-key"] !== undefined,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/**
 * Refuses line breaks, which would end the header, and characters beyond Latin 1. Only `x-svc-confirm` may contain such
 * characters, because it repeats a name; it is sent as UTF-8.
 */
function headerText(name: string, text: string): string {
  const written = name === "x-svc-confirm" && /[^\0-\xff]/.test(text) ? utf8InHeader(text) : text;
  if (!/[^\t\x20-\x7e\x80-\xff]/.test(written)) return written;
  const message = `${name}: may hold printable Latin characters only`;
  throw new SvcError("validation", { field: name }, { message });
}

/** A list becomes a repeated parameter (facts http-api 1.1). */
function queryText(query: Values): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const values = typeof value === "object" ? value : [value];
    return values.flatMap((one) =>
      one === undefined ? [] : [`${name}=${encodeURIComponent(String(one))}`],
    );
  });
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** The daemon's refusal as `SvcError`, or as `ForeignError` if its code is unknown here. */
export function refusalOf(status: number, body: Buffer): Error {
  const refusal = readRefusal(status, body);
  if (refusal === undefined)
    return new UnavailableError(`the daemon answered with status ${status} and no reason`);
  const { code, message, hint, data } = refusal;
  if (!isKnown(code) || ERRORS[code].status !== status) return new ForeignError(refusal);
  return new SvcError(code, data, hint === undefined ? { message } : { message, hint });
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

function readRefusal(status: number, body: Buffer): Refusal | undefined {
  try {
    const { error } = JSON.parse(body.toString("utf8")) as { readonly error?: Partial<Refusal> };
    if (typeof error?.code !== "string" || typeof error.message !== "string") return undefined;
    const { code, message, hint, data } = error;
    return {
      status,
      code,
      message,
      hint: typeof hint === "string" ? hint : undefined,
      data: data ?? {},
    };
  } catch {
    return undefined;
  }
}
