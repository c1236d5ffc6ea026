import {
  INTERNAL_ERROR,
  type JSONRPCMessage,
  type RequestId,
  type WebStandardStreamableHTTPServerTransport as SessionTransport,
} from "@modelcontextprotocol/server";

/**
 * Cancels a request of a session if its client drops the connection. Streams cannot be resumed, so nobody could get the
 * answer, but the tool call would still count as running.
 */
export function cancelWhenDropped(
  transport: SessionTransport,
  dropped: AbortSignal,
  message?: JSONRPCMessage,
): void {
  if (message === undefined || !("method" in message && "id" in message)) return;
  const { id: requestId } = message;
  const cancel = (): void => {
    const params = { requestId };
    transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    void forget(transport, requestId);
  };
  dropped.addEventListener("abort", cancel, { once: true });
}

/** If the message cancels a request, ends the stream of that request. */
export async function forgetCancelled(
  transport: SessionTransport,
  message?: JSONRPCMessage,
): Promise<void> {
  if (message === undefined || !("method" in message)) return;
  if (message.method !== "notifications/cancelled") return;
  const id: unknown = message.params?.["requestId"];
  if (typeof id === "string" || typeof id === "number") await forget(transport, id);
}

/**
 * Ends the stream of a cancelled request, so that its client gets no answer. The MCP library forgets a request only
 * when the request is answered. So an answer is given to the library after the stream has ended.
 */
async function forget(transport: SessionTransport, id: RequestId): Promise<void> {
  transport.closeSSEStream(id);
  const error = { code: INTERNAL_ERROR, message: "cancelled" };
  await transport.send({ jsonrpc: "2.0", id, error }).catch(() => undefined);
}
