import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../../../src/base/clock.ts";
import type { ProviderState } from "./state.ts";
import { vectorOfText } from "./vectors.ts";

export interface RunningProvider {
  /** The setting `base_url` that leads to it. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Serves a provider of vectors over HTTP on this machine, as `POST /v1/embeddings`. */
export async function serveProvider(state: ProviderState): Promise<RunningProvider> {
  const server = http.createServer((request, response) => {
    state.begun();
    response.once("close", () => state.ended());
    void answer(state, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      state.release();
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

async function answer(
  state: ProviderState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const { input } = JSON.parse(Buffer.concat(parts).toString()) as {
    readonly input: readonly string[];
  };
  const call = { inputs: input, headers: request.headers, url: request.url ?? "" };
  const scripted = await state.called(call);
  if (state.delayMs > 0) await systemClock.sleep(state.delayMs);
  if (scripted !== undefined) {
    const { status = 200, headers = {}, body = `{"error":{"message":"as scripted"}}` } = scripted;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    return;
  }
  const { kind, dims } = state;
  const data = input.map((text, index) => ({ index, embedding: vectorOfText(text, kind, dims) }));
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ object: "list", data }));
}
