import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { errorCode } from "../base/error-code.ts";
import { readBody } from "./body.ts";
import { OutgoingFault, redactedError } from "./fault.ts";
import type { Redact } from "./redact.ts";

export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body after decompression, or as it was sent if the request wants it so. */
  readonly body: Buffer;
}

export interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly agent: http.Agent;
  /** Resolves the host, unless it is `localhost`; by default the system does. */
  readonly lookup?: LookupFunction | undefined;
  readonly maxBytes: number;
  readonly compressed?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly redact: Redact;
}

/** Sends one request and reads its answer, whatever the status. Follows no redirect. */
export async function exchange(options: Exchange): Promise<OutgoingAnswer> {
  const { url, method, headers, body, agent, signal } = options;
  const { request: start } = url.protocol === "https:" ? https : http;
  const lookup = url.hostname === "localhost" ? loopback : options.lookup;
  const resolving = lookup === undefined ? {} : { lookup };
  const request = start(url, { method, headers, agent, signal, ...resolving });
  const connected = watchConnection(request);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      // The listener for errors stays, because a request that is aborted later emits another error.
      request.on("error", reject).once("response", resolve).end(body);
    });
    const { statusCode: status = 0 } = answer;
    return { status, headers: answer.headers, body: await readBody(answer, options) };
  } catch (error) {
    throw error instanceof OutgoingFault ? error : faultOf(error, connected(), options);
  }
}

/** Returns a function that says whether the request has got a connection. If so, a part of it may have been sent. */
function watchConnection(request: http.ClientRequest): () => boolean {
  let isConnected = false;
  request.once("socket", (socket) => {
    isConnected = request.reusedSocket;
    // With TLS, wait for `secureConnect`: it comes only after the certificate was accepted. So a request to a host
    // whose certificate was rejected counts as not connected, and nothing was sent.
    const event = "encrypted" in socket ? "secureConnect" : "connect";
    if (!isConnected) socket.once(event, () => (isConnected = true));
  });
  return () => isConnected;
}

/** Error codes of an answer that Node cannot read: those of its HTTP parser and of zlib. */
const UNREADABLE = /^(?:HPE_|Z_)/;

function faultOf(error: unknown, sent: boolean, { url, redact }: Exchange): OutgoingFault {
  const code = errorCode(error) ?? "";
  const cause = redactedError(error, redact);
  const from = redact(url.origin);
  if (!sent)
    return new OutgoingFault("unsent", `${from} cannot be reached: ${cause.message}`, false, cause);
  if (UNREADABLE.test(code))
    return new OutgoingFault(
      "unreadable",
      `${from} gave no answer that can be read: ${cause.message}`,
      true,
      cause,
    );
  return new OutgoingFault(
    "lost",
    `the connection to ${from} was lost: ${cause.message}`,
    true,
    cause,
  );
}

/** Resolves `localhost` without a name server, so that requests to it stay on this machine (RFC 6761, 6.3). */
const loopback: LookupFunction = (_host, { all }, callback) => {
  const v4 = { address: "127.0.0.1", family: 4 };
  if (all === true) callback(null, [v4, { address: "::1", family: 6 }]);
  else callback(null, v4.address, v4.family);
};
