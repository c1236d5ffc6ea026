import { type IncomingMessage, request } from "node:http";
import { onTestFinished } from "vitest";
import { BASE_PATH } from "../../src/contract/version.ts";
import { type Answer, call, type TestDaemon } from "./daemon.ts";
import { sawBody } from "./seen.ts";

export const ANY_PORT = { host: "127.0.0.1", port: 0 } as const;
/** A daemon with a socket and a listener for pages, as most daemons are. */
export const WITH_PAGES = { pages: { place: ANY_PORT, required: true } } as const;

/** Headers of a request; `undefined` leaves out a header that `browse` would send otherwise. */
export type Sent = Readonly<Record<string, string | undefined>>;

export interface PageAnswer extends Answer {
  readonly code: string | undefined;
}

/** Sends a request to an origin as a browser on this machine does, with `Origin` where browsers send it. */
export async function browse(
  origin: string,
  method: string,
  path: string,
  sent: Sent = {},
  body?: string | object,
): Promise<PageAnswer> {
  const { response } = await begin(origin, method, path, sent, body);
  let text = "";
  for await (const piece of response.setEncoding("utf8")) text += String(piece);
  const parsed = text.startsWith("{") ? JSON.parse(text) : {};
  sawBody(parsed, { method, url: `http://localhost${BASE_PATH}${path}` });
  const { statusCode: status = 0, headers } = response;
  return { status, headers, text, body: parsed, code: parsed.error?.code };
}

async function begin(
  origin: string,
  method: string,
  path: string,
  sent: Sent,
  body: string | object | undefined,
) {
  const { host, hostname, port } = new URL(origin);
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const given = {
    host,
    ...(method === "GET" || method === "HEAD" ? {} : { origin }),
    ...(text === undefined ? {} : { "content-type": "application/json" }),
    ...sent,
  };
  const headers = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const asked = request({
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port,
    method,
    path: path.startsWith("/debug/") || path.startsWith("/svc") ? path : `${BASE_PATH}${path}`,
    headers,
    agent: false,
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once("response", resolve).once("error", reject).end(text);
  });
  return { asked, response };
}

/** An open page: it sends its session and the cookie with everything. */
export interface Page {
  readonly opened: PageAnswer;
  /** The cookie, the session and the CSRF header. */
  readonly headers: Readonly<Record<string, string>>;
  ask(method: string, path: string, sent?: Sent, body?: string | object): Promise<PageAnswer>;
  /** Opens an event stream, and resolves when it has ended. */
  stream(sent?: Sent): Promise<{ readonly status: number; readonly ended: Promise<void> }>;
}

export async function originOf(daemon: Pick<TestDaemon, "webOrigin">): Promise<string> {
  const web = await daemon.webOrigin();
  if (web === undefined) throw new Error("the daemon serves no pages");
  return web.origin;
}

/** A one-time code of the daemon, as its owner gets it from the daemon's own socket. */
export async function codeOf({ settings, endpoint }: TestDaemon): Promise<string> {
  const socket = { network: "unix", address: settings.socketPath } as const;
  const to = endpoint.network === "unix" ? endpoint : socket;
  const answer = await call(to, "POST", "/ui/session/code", { body: {} });
  if (answer.status !== 200) throw new Error(`no code: ${answer.status} ${answer.text}`);
  return String(answer.body["code"]);
}

/** Opens a session with a one-time code of the daemon. */
export async function openOwnPage(daemon: TestDaemon): Promise<Page> {
  return await openPage(await originOf(daemon), "local", { code: await codeOf(daemon) });
}

/** Opens a session, by default the one that needs no token. */
export async function openPage(
  origin: string,
  by: "local" | "login" | "proxy" = "local",
  body: object = {},
  sent: Sent = {},
): Promise<Page> {
  const opened = await browse(origin, "POST", `/ui/session/${by}`, sent, body);
  if (opened.status !== 200) throw new Error(`no session: ${opened.status} ${opened.text}`);
  const [cookie = ""] = opened.headers["set-cookie"] ?? [];
  const headers = {
    cookie: cookie.replace(/;.*$/, ""),
    "x-svc-web-session": String(opened.body["session"]),
    "x-svc-csrf": String(opened.body["csrf"]),
  };
  return {
    opened,
    headers,
    ask: async (method, path, more = {}, given) =>
      await browse(origin, method, path, { ...headers, ...more }, given),
    stream: async (more = {}) => {
      const all = { ...headers, accept: "text/event-stream", ...more };
      const { asked, response } = await begin(origin, "GET", "/events/stream", all, undefined);
      onTestFinished(() => void asked.destroy());
      const ended = new Promise<void>((resolve) => void response.once("close", resolve));
      response.on("error", () => undefined).resume();
      return { status: response.statusCode ?? 0, ended };
    },
  };
}
