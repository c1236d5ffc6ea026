import { once } from "node:events";
import http, { type IncomingMessage, type RequestListener } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { FarSide } from "../../src/outgoing/far-side.ts";
import type { OutgoingFault } from "../../src/outgoing/fault.ts";
import type { Place } from "../../src/outgoing/place.ts";
import { CERTIFICATE, KEY } from "../client/certificate.ts";
import { FakeClock } from "../support/clock.ts";

export const SECRET = "geheim-0123456789";

/** A real server in the process of the test, and what it was asked. */
export interface FarServer {
  readonly origin: string;
  readonly asked: readonly IncomingMessage[];
  /** Resolves when it has been asked this often. */
  hasBeenAsked(times: number): Promise<void>;
}

export async function farServer(
  answer: RequestListener,
  { scheme = "http", host = "127.0.0.1" }: { scheme?: "http" | "https"; host?: string } = {},
): Promise<FarServer> {
  const asked: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(request);
    server.emit("asked");
    answer(request, response);
  };
  const server =
    scheme === "https"
      ? https.createServer({ cert: CERTIFICATE, key: KEY }, listener)
      : http.createServer(listener);
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${scheme}://${host}:${port}`,
    asked,
    hasBeenAsked: async (times) => {
      while (asked.length < times) await once(server, "asked");
    },
  };
}

/** The client of a far side, with a token and a clock that only the test moves. */
export function clientOf(url: string, place: Partial<Place> = {}) {
  const clock = new FakeClock();
  const farSide = new FarSide(
    { clock },
    {
      url,
      from: "[hub] url",
      bearer: SECRET,
      trustsPrivateNetwork: false,
      allowsInsecure: false,
      ...place,
    },
  );
  onTestFinished(() => farSide.close());
  return { farSide, clock };
}

export const GET = { method: "GET", url: "/x", maxMs: 5000, maxBytes: 1024 * 1024 } as const;

/** Returns the fault of a request, and checks that nothing of it shows the token. */
export async function faultOf(sending: Promise<unknown>): Promise<OutgoingFault> {
  const fault = (await sending.then(
    () => {
      throw new Error("the request had an answer");
    },
    (error: unknown) => error,
  )) as OutgoingFault;
  for (let error: unknown = fault; error instanceof Error; error = error.cause)
    if (`${error.message} ${error.stack} ${JSON.stringify(error)}`.includes(SECRET))
      throw new Error("the fault shows the token");
  return fault;
}
