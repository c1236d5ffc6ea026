import type { RequestListener, ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { createLog } from "../../src/base/log.ts";
import type { EmbeddingsConfig } from "../../src/config/embeddings.ts";
import { Provider } from "../../src/meaning/provider.ts";
import { farServer } from "../outgoing/far-server.ts";
import { FakeClock } from "../support/clock.ts";

export const KEY = "schluessel-0123456789";

/** The calls of a test have three numbers in each vector. */
export const DIMS = 3;

export function settingsOf(baseUrl: string, own: Partial<EmbeddingsConfig> = {}): EmbeddingsConfig {
  return {
    baseUrl,
    model: "test-model",
    dims: DIMS,
    batchSize: 64,
    timeoutMs: 30_000,
    salt: "",
    trustsPrivateNetwork: false,
    key: async () => await Promise.resolve(KEY),
    ...own,
  };
}

/** A client of the provider at this address, with a clock that only the test moves, and the lines that it logs. */
export function providerAt(baseUrl: string, own: Partial<EmbeddingsConfig> = {}) {
  const clock = new FakeClock();
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line), reopen: noop, close: noop };
  const log = createLog(sink, clock, "debug");
  const provider = new Provider({ clock, log, settings: settingsOf(baseUrl, own) });
  onTestFinished(() => provider.close());
  const stop = new AbortController();
  const embed = async (inputs: readonly string[], maxMs = 5000) =>
    await provider.embed(inputs, { maxMs, signal: stop.signal });
  return { provider, clock, lines, embed, stop };
}

/** A real server that answers each call with what `answer` does, and a client of it. */
export async function provided(
  answer: RequestListener,
  own: Partial<EmbeddingsConfig> & { readonly scheme?: "http" | "https" } = {},
) {
  const { scheme = "http", ...settings } = own;
  const server = await farServer(answer, { scheme });
  return { server, ...providerAt(`${server.origin}/v1`, settings) };
}

/** Answers with these embeddings, one for each input. */
export function sends(...embeddings: readonly unknown[]): RequestListener {
  return sendsBody({ data: embeddings.map((embedding) => ({ embedding })) });
}

/** Answers with the JSON of this value. */
export function sendsBody(body: unknown, status = 200): RequestListener {
  return (_request, response) => sendJson(response, body, status);
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const noop = (): void => undefined;
