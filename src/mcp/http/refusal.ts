import type { Unreadable } from "../protocol/message.ts";

/** The JSON-RPC code of refusals that are explained by their HTTP status. The MCP library uses the same code. */
const REFUSED_CODE = -32_000;

/**
 * A request that is refused before it reaches the tools. The answer has an HTTP status, and a JSON-RPC error with the
 * id null.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly code: number;

  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    code = REFUSED_CODE,
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.code = code;
  }

  response(): Response {
    const { status, headers, code, message } = this;
    const body = { jsonrpc: "2.0", id: null, error: { code, message } };
    return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
  }
}

/** The refusal of a body that is not one JSON-RPC message (docs/contract/tools.md#22-errors-of-the-protocol). */
export function unreadable({ code, message }: Unreadable): Refusal {
  return new Refusal(400, message, {}, code);
}
