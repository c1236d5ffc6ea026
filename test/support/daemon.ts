import { mkdtempSync, rmSync } from "node:fs";
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request,
} from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { parseHostPort } from "../../src/config/addresses.ts";
import { parseDsn } from "../../src/config/dsn.ts";
import { type Daemon, type DaemonSettings, startDaemon } from "../../src/daemon/index.ts";
import type { Place } from "../../src/daemon/listener.ts";
import { sawBody } from "./seen.ts";

/** Makes a folder for one test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-daemon-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface TestDaemon extends Daemon {
  readonly folder: string;
  readonly settings: DaemonSettings;
}

export interface TestDaemonOptions extends Partial<Omit<DaemonSettings, "dsn" | "listen">> {
  readonly listen?: Place | readonly Place[];
  readonly folder?: string;
  readonly dsn?: string;
}

export function daemonSettings({
  folder = tempFolder(),
  dsn,
  listen,
  ...rest
}: TestDaemonOptions = {}): DaemonSettings {
  return {
    dsn: parseDsn(dsn ?? "svc.db", folder),
    runtimeDir: join(folder, "runtime"),
    socketPath: join(folder, "sockets", "daemon.sock"),
    version: "1.2.3",
    ops: { timezone: "UTC", close_throttle: { enabled: false, window_ms: 60_000, limit: 3 } },
    ...(listen === undefined ? {} : { listen: "length" in listen ? listen : [listen] }),
    ...rest,
  };
}

/** Starts a real daemon in this process. It is stopped when the test has finished. */
export async function testDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const folder = options.folder ?? tempFolder();
  const settings = daemonSettings({ ...options, folder });
  const daemon = await startDaemon(settings);
  onTestFinished(async () => await daemon.stop());
  return { ...daemon, folder, settings };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Endpoint = Daemon["endpoint"];
type Fetches = Pick<Daemon, "fetch">;

/** Both ways to reach a daemon: its listener, and its app in this process. */
export const WAYS = [
  ["over a socket", ({ endpoint }: TestDaemon) => endpoint],
  ["by app.fetch", (daemon: TestDaemon) => daemon],
] as const satisfies readonly (readonly [string, (daemon: TestDaemon) => Endpoint | Fetches])[];

function optionsFor({ network, address }: Endpoint): RequestOptions {
  if (network === "unix") return { socketPath: address };
  const { host = "", port = 0 } = parseHostPort(address) ?? {};
  return { host, port };
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request on a new connection. */
export async function call(
  to: Endpoint | Fetches,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const text = options.body === undefined ? undefined : JSON.stringify(options.body);
  const type = text === undefined ? {} : { "content-type": "application/json" };
  const headers = { ...type, ...options.headers };
  if ("fetch" in to) {
    const init = { method, headers, ...(text === undefined ? {} : { body: text }) };
    return await answerOf(responseOf(await to.fetch(requestTo(path, init))), method, path);
  }
  return await new Promise((resolve, reject) => {
    const sent = request({
      ...optionsFor(to),
      method,
      path: `/api/v1${path}`,
      headers,
      agent: false,
    });
    sent
      .once("error", reject)
      .once("response", (response) => void answerOf(response, method, path).then(resolve, reject));
    sent.end(text);
  });
}

/** Like `call`, but the test sends the body of the request itself. */
export function openRequest(
  to: Endpoint,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
) {
  const sent = request({
    ...optionsFor(to),
    method,
    path: `/api/v1${path}`,
    headers,
    agent: false,
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    sent
      .once("error", reject)
      .once("response", (response) => void answerOf(response, method, path).then(resolve, reject));
  });
  answer.catch(() => undefined);
  return { sent, answer };
}

function requestTo(path: string, init: RequestInit): Request {
  return new Request(`http://svc.invalid/api/v1${path}`, init);
}

/** The parts of an answer that tests read, whichever way it came. */
type TestResponse = Readable &
  Pick<IncomingMessage, "headers" | "complete"> & { statusCode?: number | undefined };

function responseOf({ status: statusCode, headers, body }: Response): TestResponse {
  const stream = body === null ? Readable.from([]) : Readable.fromWeb(body);
  const response = Object.assign(stream, {
    statusCode,
    headers: Object.fromEntries(headers),
    complete: false,
  });
  stream.once("end", () => {
    response.complete = true;
  });
  return response;
}

async function answerOf(response: TestResponse, method: string, path: string): Promise<Answer> {
  let text = "";
  for await (const piece of response.setEncoding("utf8")) text += String(piece);
  const body: unknown = text.startsWith("{") ? JSON.parse(text) : {};
  sawBody(body, { method, url: `http://localhost/api/v1${path}` });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    body: body as Answer["body"],
  };
}

export interface Frame {
  readonly id: number;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Opens an event stream. `frames` reads what has arrived, and `until` waits for more. */
export async function openStream(
  to: Endpoint | Fetches,
  path = "/events/stream",
  given: Readonly<Record<string, string>> = {},
) {
  const headers = { accept: "text/event-stream", ...given };
  const { response, close } = await ("fetch" in to
    ? fetchStream(to, path, headers)
    : requestStream(to, path, headers));
  let text = "";
  let parsed = 0;
  const frames: Frame[] = [];
  let ended = false;
  let wake = (): void => undefined;
  const changed = (): void => wake();
  response.setEncoding("utf8");
  response.on("data", (piece: string) => {
    text += piece;
    const whole = text.lastIndexOf("\n\n") + 2;
    frames.push(...framesIn(text.slice(parsed, whole)));
    parsed = Math.max(parsed, whole);
    changed();
  });
  const end = new Promise<void>((resolve) => {
    response.once("close", () => {
      ended = true;
      changed();
      resolve();
    });
  });
  response.on("error", () => undefined);
  onTestFinished(close);

  const stream = {
    response,
    end,
    text: () => text,
    frames: (): readonly Frame[] => frames,
    comments: () => text.split("\n").filter((line) => line.startsWith(":")),
    close,
    pause: () => response.pause(),
    /** Returns the first `count` frames, as soon as they have arrived. */
    async take(count: number): Promise<readonly Frame[]> {
      await stream.until(() => frames.length >= count);
      return frames.slice(0, count);
    },
    async until(holds: () => boolean): Promise<void> {
      while (!holds()) {
        if (ended) throw new Error(`the stream ended with ${JSON.stringify(text.slice(-500))}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
  return stream;
}

interface OpenedStream {
  readonly response: TestResponse;
  close(): void;
}

type Headers = Readonly<Record<string, string>>;

async function requestStream(to: Endpoint, path: string, headers: Headers): Promise<OpenedStream> {
  const sent = request({ ...optionsFor(to), path: `/api/v1${path}`, headers, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve).once("error", reject).end();
  });
  return { response, close: () => void sent.destroy() };
}

async function fetchStream(to: Fetches, path: string, headers: Headers): Promise<OpenedStream> {
  const left = new AbortController();
  const response = await to.fetch(requestTo(path, { headers, signal: left.signal }));
  return { response: responseOf(response), close: () => left.abort() };
}

function framesIn(text: string): readonly Frame[] {
  return text.split("\n\n").flatMap((block) => {
    const found = /^id: (\d+)\nevent: (.+)\ndata: (.+)$/.exec(block.trim());
    if (found === null) return [];
    return [{ id: Number(found[1]), event: found[2] ?? "", data: JSON.parse(found[3] ?? "{}") }];
  });
}
