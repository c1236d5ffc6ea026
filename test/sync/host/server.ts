import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { CERTIFICATE, KEY } from "../../client/certificate.ts";
import { changedSince, commentsOf, issuesOf, type PageOf, pageOf, type Timed } from "./lists.ts";
import { Rows } from "./rows.ts";
import type { HostRepository, HostRequest, HostState, Scripted } from "./state.ts";

export interface RunningHost {
  /** `localhost:<port>`, or `localhost` on port 443: the host of a binding. */
  readonly host: string;
  readonly close: () => Promise<void>;
}

export interface Watching {
  /** Called before each answer, to change the host while it is read. */
  readonly before?: (asked: HostRequest) => void;
  /** Called with each answer that is not scripted. */
  readonly onAnswer?: (asked: HostRequest, status: number, body: unknown) => void;
  /** By default any free port. */
  readonly port?: number;
}

/**
 * Serves the host over TLS, with the certificate of the tests, below `/api/v3` and `/api/graphql` as enterprise hosts
 * do.
 */
export async function serveHost(state: HostState, watching: Watching = {}): Promise<RunningHost> {
  const listener: RequestListener = (request, response) => {
    void answer(state, request, response, watching).catch((error: unknown) => {
      response.writeHead(500).end(JSON.stringify({ message: String(error) }));
    });
  };
  const server = https.createServer({ cert: CERTIFICATE, key: KEY }, listener);
  // By default the server ends a connection after 5 seconds without a request. On a busy machine a client in the same
  // process can need longer between two requests, and the end of the connection would count as a lost answer.
  server.keepAliveTimeout = 0;
  server.listen(watching.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    host: port === 443 ? "localhost" : `localhost:${port}`,
    close: async () => {
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function answer(
  state: HostState,
  request: IncomingMessage,
  response: ServerResponse,
  { before, onAnswer }: Watching,
): Promise<void> {
  const parts: string[] = [];
  for await (const part of request.setEncoding("utf8")) parts.push(String(part));
  const { method = "", url = "", headers } = request;
  const asked = { method, url, authorization: headers.authorization, body: parts.join("") };
  state.asked.push(asked);
  before?.(asked);
  const scripted = state.takeScripted(url);
  if (scripted !== undefined) return sendScripted(state, scripted, response);
  const origin = `https://${headers.host ?? ""}/api/v3`;
  const found = await answerTo(state, asked, origin);
  onAnswer?.(asked, found.status, found.body);
  const text = JSON.stringify(found.body);
  response.writeHead(found.status, { ...usualHeaders(state), ...found.headers }).end(text);
}

function usualHeaders(state: HostState): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json; charset=utf-8",
    date: httpDate(state.nowMs),
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": "4999",
    "x-ratelimit-reset": String(Math.floor(state.nowMs / 1000) + 3600),
  };
}

const DATE = new Intl.DateTimeFormat("en-GB", {
  ...{ weekday: "short", day: "2-digit", month: "short", year: "numeric" },
  ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZone: "UTC" },
});

/** The form of dates in headers: `Thu, 01 Jan 2026 00:00:00 GMT`. */
function httpDate(ms: number): string {
  const parts = Object.fromEntries(DATE.formatToParts(ms).map(({ type, value }) => [type, value]));
  const { weekday, day, month, year, hour, minute, second } = parts;
  return `${weekday}, ${day} ${month?.slice(0, 3)} ${year} ${hour}:${minute}:${second} GMT`;
}

function sendScripted(
  state: HostState,
  { status = 200, headers = {}, body = "", cut, hang, bytes }: Scripted,
  response: ServerResponse,
): void {
  if (hang === true) return;
  if (cut === true) {
    response.destroy();
    return;
  }
  response.writeHead(status, { ...usualHeaders(state), ...headers });
  if (bytes === undefined) response.end(body);
  else sendMuch(response, bytes);
}

/** Writes as long as the other side reads. */
function sendMuch(response: ServerResponse, bytes: number): void {
  let left = bytes;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      const size = Math.min(left, 1024 * 1024);
      left -= size;
      if (!response.write(Buffer.alloc(size, 0x20))) return;
    }
    if (left <= 0) response.end();
  };
  response.on("drain", more);
  more();
}

async function answerTo(state: HostState, asked: HostRequest, origin: string): Promise<Answer> {
  const { pathname, searchParams: query } = new URL(asked.url, origin);
  const token = /^\/api\/v3\/app\/installations\/([^/]+)\/access_tokens$/.exec(pathname);
  if (token !== null && asked.method === "POST") return installationToken(state, asked, token[1]);
  if (!state.mayRead(asked.authorization)) return refusal(401, "Bad credentials");
  if (pathname === "/api/graphql" && asked.method === "POST") {
    const { answerQuery } = await import("./graphql.ts");
    const body = JSON.parse(asked.body) as Parameters<typeof answerQuery>[1];
    return { status: 200, body: await answerQuery(state, body) };
  }
  const path = pathname.replace(/^\/api\/v3/, "");
  if (asked.method !== "GET" || path === pathname) return refusal(404, "Not Found");
  if (path === "/") return { status: 200, body: {}, headers: { "x-oauth-scopes": SCOPES } };
  return answerGet({ state, query, origin }, path);
}

/** What `gh auth login` requires of a token. */
const SCOPES = "repo, read:org";

interface Getting {
  readonly state: HostState;
  readonly query: URLSearchParams;
  readonly origin: string;
}

function answerGet(getting: Getting, path: string): Answer {
  const { state, origin } = getting;
  const [, name, id, rest = ""] =
    /^\/(?:repos\/([^/]+\/[^/]+)|repositories\/(\d+))(\/.*)?$/.exec(path) ?? [];
  const asked = name === undefined ? undefined : decodeURIComponent(name);
  const repository =
    asked === undefined
      ? state.repositories.find((one) => String(one.id) === id)
      : state.find(asked);
  const movedTo = repository === undefined ? state.moved.get(asked ?? "") : undefined;
  if (movedTo !== undefined) return movedAnswer(`${origin}/repositories/${movedTo}${rest}`);
  if (repository === undefined) return refusal(404, "Not Found");
  if (rest === "") return { status: 200, body: new Rows(state, origin).repository(repository) };
  return answerList(getting, repository, rest);
}

function answerList(
  { state, query, origin }: Getting,
  repository: HostRepository,
  rest: string,
): Answer {
  const rows = new Rows(state, origin);
  const paged = <T extends Timed>(list: () => readonly T[], row: (one: T) => object): Answer => {
    const whole = keptList(state, `${repository.id}${rest}`, query, list);
    const page = pageOf(changedSince(whole, query), query);
    const base =
      state.links === "numbers"
        ? `${origin}/repositories/${repository.id}`
        : `${origin}/repos/${repository.owner}/${repository.name}`;
    const headers = linkHeader(`${base}${rest}`, query, page);
    return { status: 200, body: page.rows.map(row), headers };
  };
  if (rest === "/issues")
    return paged(
      () => issuesOf(repository, query),
      (issue) => rows.issue(repository, issue),
    );
  const [, number] = /^\/issues\/(?:(\d+)\/)?comments$/.exec(rest) ?? [undefined, "none"];
  if (number === "none") return refusal(404, "Not Found");
  const of = number === undefined ? undefined : Number(number);
  if (of !== undefined && !repository.issues.has(of)) return refusal(404, "Not Found");
  return paged(
    () => commentsOf(repository, query, of),
    ({ issue, comment }) => rows.comment(repository, issue, comment),
  );
}

interface CachedLists {
  readonly version: number;
  readonly lists: Map<string, readonly unknown[]>;
}

/** A reader takes pages of issues and of comments by turns. */
const MOST_LISTS = 10;

const kept = new WeakMap<HostState, CachedLists>();

/** The sorted list from which pages are cut. It is made once for all of them, unless something changed. */
function keptList<T>(
  state: HostState,
  path: string,
  query: URLSearchParams,
  make: () => readonly T[],
): readonly T[] {
  let found = kept.get(state);
  if (found?.version !== state.version) found = { version: state.version, lists: new Map() };
  kept.set(state, found);
  const whole = new URLSearchParams(query);
  for (const name of ["page", "per_page", "since"]) whole.delete(name);
  const key = `${path}?${whole.toString()}`;
  const list = (found.lists.get(key) as readonly T[] | undefined) ?? make();
  if (found.lists.size >= MOST_LISTS) found.lists.clear();
  found.lists.set(key, list);
  return list;
}

function linkHeader<T>(
  url: string,
  query: URLSearchParams,
  { links }: PageOf<T>,
): Readonly<Record<string, string>> {
  const parts = Object.entries(links).map(([relation, page]) => {
    const own = new URLSearchParams(query);
    own.set("page", String(page));
    return `<${url}?${own.toString()}>; rel="${relation}"`;
  });
  return parts.length === 0 ? {} : { link: parts.join(", ") };
}

function installationToken(state: HostState, asked: HostRequest, id: string | undefined): Answer {
  const app = state.appOf(asked.authorization);
  if (app === undefined) return refusal(401, "A JSON web token could not be decoded");
  if (app.installation_id !== id) return refusal(404, "Not Found");
  const permissions = { issues: "read", metadata: "read" };
  const body = { ...state.newInstallationToken(), permissions, repository_selection: "selected" };
  return { status: 201, body };
}

function movedAnswer(url: string): Answer {
  return { status: 301, body: { message: "Moved Permanently", url }, headers: { location: url } };
}

function refusal(status: number, message: string): Answer {
  return { status, body: { message, documentation_url: "https://docs.github.com/rest" } };
}
