import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { otherMetadata } from "../../src/screen/detail/metadata.ts";
import { UnavailableError } from "../../src/shared/answer-errors.ts";
import type { FollowOptions } from "../../src/shared/follow.ts";
import { streamOf, type Visibility } from "../../web/event-stream.ts";
import { Sessions } from "../../web/session.ts";
import type { WindowMessaging } from "../../web/shared-stream/windows.ts";
import { transportOf } from "../../web/transport.ts";
import { FakeClock } from "../support/clock.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A daemon that answers as the test says, and the requests that it got. */
async function daemon(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = `${request.method} ${(request.url ?? "").replace("/api/v1", "")}`;
    const { "x-svc-web-session": session, "x-svc-csrf": csrf } = request.headers;
    asked.push([name, session, csrf].filter((part) => part !== undefined).join(" "));
    const answer = answers[name] ?? refuse(404, "not_found");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send: typeof fetch = async (path, init) => await fetch(`${origin}${String(path)}`, init);
  const sessions = new Sessions(send);
  return { asked, server, send, sessions, transport: transportOf(sessions, send) };
}

const give =
  (body: object, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };

function refuse(status: number, code: string, message = code): Answer {
  return give({ status, error: { code, message } }, status);
}

const session = (name: string) => ({
  ...{ session: name, csrf: `c-${name}`, writable: true, updates: "sse" },
  actor_policy: "request",
});

/** The first answer once, then the second always. */
function first(once: Answer, then: Answer): Answer {
  let isFirst = true;
  return (request, response) => {
    const answer = isFirst ? once : then;
    isFirst = false;
    answer(request, response);
  };
}

test("the first request opens a session by itself, and a change carries the session's CSRF value", async () => {
  const { asked, transport } = await daemon({
    "POST /ui/session/local": give(session("s1")),
    "GET /projects": give({ projects: [] }),
    "POST /projects": give({ project: { id: 1 }, created: true }),
  });
  await transport.call("listProjects", {});
  await transport.call("initProject", { body: { name: "product", actor: "ann" } });
  expect(asked).toEqual(["POST /ui/session/local", "GET /projects s1", "POST /projects s1 c-s1"]);
});

test("two requests at the same time create one session", async () => {
  const { asked, transport } = await daemon({
    "POST /ui/session/local": give(session("s1")),
    "GET /projects": give({ projects: [] }),
  });
  await Promise.all([transport.call("listProjects", {}), transport.call("listProjects", {})]);
  expect(asked.filter((one) => one.startsWith("POST"))).toHaveLength(1);
});

test("a request whose session has ended opens a new session and is sent once more", async () => {
  const { asked, transport, sessions } = await daemon({
    "POST /ui/session/local": first(give(session("s1")), give(session("s2"))),
    "GET /projects": first(refuse(401, "web_session_required"), give({ projects: [] })),
  });
  await transport.call("listProjects", {});
  expect(asked.slice(1)).toEqual([
    "GET /projects s1",
    "POST /ui/session/local",
    "GET /projects s2",
  ]);
  expect(sessions.get()).toMatchObject({ is: "in", times: 2, typed: false });
});

test("a request of one person is not sent again after another one has signed in", async () => {
  const { asked, transport, sessions } = await daemon({
    "POST /ui/session/login": first(
      give({ ...session("s1"), actor: "ann", actor_policy: "identity" }),
      give({ ...session("s2"), actor: "bea", actor_policy: "identity" }),
    ),
    "POST /projects": refuse(401, "web_session_required"),
  });
  void sessions.session();
  await expect.poll(() => sessions.get().is).toBe("asked");
  await sessions.login("of ann");
  const answer = transport.call("initProject", { body: { name: "product", actor: "-" } });
  await expect.poll(() => sessions.get().is).toBe("asked");
  await sessions.login("of bea");
  await expect(answer).rejects.toMatchObject({ code: "web_session_required" });
  expect(asked.filter((one) => one.startsWith("POST /projects"))).toEqual([
    "POST /projects s1 c-s1",
  ]);
});

test("if only a token opens a session, requests wait for the token and then continue", async () => {
  const { asked, transport, sessions } = await daemon({
    "POST /ui/session/login": first(
      refuse(401, "login_invalid", "the token is wrong"),
      give(session("s1")),
    ),
    "GET /projects": give({ projects: [] }),
  });
  const answer = transport.call("listProjects", {});
  await expect.poll(() => sessions.get().is).toBe("asked");
  expect(await sessions.login("wrong")).toBe("the token is wrong");
  expect(sessions.get().is).toBe("asked");
  expect(await sessions.login("right")).toBeUndefined();
  expect(await answer).toEqual({ projects: [] });
  expect(asked.at(-1)).toBe("GET /projects s1");
  expect(sessions.get()).toMatchObject({ is: "in", typed: true });
});

const instance = (auth: object) => give({ instance_uid: "i", auth });

test("if everybody may read, a page without a session reads, and polls for changes", async () => {
  const { asked, transport, sessions } = await daemon({
    "GET /instance": instance({ read_only: "this daemon is read-only" }),
    "GET /projects": give({ projects: [] }),
  });
  await transport.call("listProjects", {});
  await transport.call("listProjects", {});
  const ways = ["POST /ui/session/local", "POST /ui/session/proxy", "GET /instance"];
  expect(asked).toEqual([...ways, "GET /projects", "GET /projects"]);
  expect(sessions.get()).toMatchObject({
    ...{ is: "in", typed: false },
    session: { writable: false, updates: "poll", actor_policy: "request" },
  });
});

test("a page asks for no token if the daemon accepts none", async () => {
  const { sessions } = await daemon({
    "GET /instance": (request, response) => {
      const isPage = request.headers["x-svc-web-session"] !== undefined;
      const data = { takes_token: false };
      const refusal = { status: 401, error: { code: "web_session_required", message: "no", data } };
      (isPage ? give(refusal, 401) : instance({}))(request, response);
    },
  });
  void sessions.session();
  await expect.poll(() => sessions.get().is).toBe("closed");
});

test("a page at another origin than the daemon's names the daemon's origin", async () => {
  const data = { origin: "http://127.0.0.1:7777" };
  const refusal = { status: 403, error: { code: "origin_forbidden", message: "no", data } };
  const { sessions } = await daemon({
    "POST /ui/session/local": give(refusal, 403),
    "POST /ui/session/proxy": give(refusal, 403),
    "GET /instance": refuse(401, "auth_required"),
  });
  void sessions.session();
  await expect.poll(() => sessions.get()).toEqual({ is: "elsewhere", ...data });
});

test("signing out ends the session at the daemon and asks for a token", async () => {
  const { asked, sessions } = await daemon({
    "POST /ui/session/login": give(session("s1")),
    "DELETE /ui/session": (_request, response) => void response.writeHead(204).end(),
  });
  void sessions.session();
  await expect.poll(() => sessions.get().is).toBe("asked");
  await sessions.login("right");
  const before = asked.length;
  const ended = sessions.logout();
  void sessions.session();
  await ended;
  expect(asked.slice(before)).toEqual(["DELETE /ui/session s1 c-s1"]);
  expect(sessions.get().is).toBe("asked");
});

test("a refusal keeps its code, and a refusal with an unknown code also its message", async () => {
  const { transport } = await daemon({
    "POST /ui/session/local": give(session("s1")),
    "GET /projects": refuse(403, "auth_invalid", "no"),
    "GET /instance": refuse(418, "teapot", "short and stout"),
  });
  await expect(transport.call("listProjects", {})).rejects.toMatchObject({ code: "auth_invalid" });
  await expect(transport.call("instance", {})).rejects.toMatchObject({
    ...{ code: "teapot", status: 418, message: "short and stout" },
  });
});

test("a daemon that stopped is reported as not reachable", async () => {
  const { transport, server } = await daemon({
    "POST /ui/session/local": give(session("s1")),
    "GET /projects": give({ projects: [] }),
  });
  await transport.call("listProjects", {});
  server.closeAllConnections();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  await expect(transport.call("listProjects", {})).rejects.toBeInstanceOf(UnavailableError);
});

test("a daemon that stops in the middle of an answer is reported as not reachable", async () => {
  const { transport } = await daemon({
    "POST /ui/session/local": give(session("s1")),
    "GET /projects": (_request, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("{", () => response.destroy());
    },
  });
  await expect(transport.call("listProjects", {})).rejects.toBeInstanceOf(UnavailableError);
});

/** A window without others: it gets the lock at once. */
const ALONE: WindowMessaging = {
  open: () => ({ post: () => undefined, close: () => undefined }),
  locks: { request: async (...request: readonly unknown[]) => await heldBy(request.at(-1)) },
};

async function heldBy(hold: unknown): Promise<void> {
  if (typeof hold === "function") await hold();
}

async function streaming(answers: Readonly<Record<string, Answer>>) {
  const { asked, send, sessions, transport } = await daemon(answers);
  return { asked, send, sessions, daemon: transport, windows: ALONE };
}

/** A page that the test hides and shows. */
class Tab implements Visibility {
  #hidden = false;
  #calls = new Set<() => void>();
  #shown: (() => void) | undefined;

  isHidden(): boolean {
    return this.#hidden;
  }

  async shown(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#shown = resolve;
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  onHidden(call: () => void): () => void {
    this.#calls.add(call);
    return () => void this.#calls.delete(call);
  }

  hide(): void {
    this.#hidden = true;
    for (const call of this.#calls) call();
  }

  show(): void {
    this.#hidden = false;
    this.#shown?.();
  }

  get waits(): boolean {
    return this.#shown !== undefined;
  }
}

test("a hidden page closes its stream, and when it is shown again continues after its last event", async () => {
  const cursors: unknown[] = [];
  const frame = (id: number): string => `id: ${id}\nevent: issue.created\ndata: {}\n\n`;
  const parts = await streaming({
    "POST /ui/session/local": give(session("s1")),
    "GET /events/stream": ({ headers }, response) => {
      cursors.push(headers["last-event-id"]);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(frame(Number(headers["last-event-id"]) + 1));
    },
  });
  const tab = new Tab();
  const ended = new AbortController();
  const told: string[] = [];
  const options: FollowOptions = {
    ...{ after: 4, hasAnswered: true, clock: systemClock, signal: ended.signal },
    pause: async (ms, signal) => await systemClock.sleep(ms, signal),
    onOpen: () => void told.push("open"),
    onRetry: () => void told.push("retry"),
  };
  const ids: number[] = [];
  const follow = async (): Promise<void> => {
    for await (const item of streamOf({ ...parts, visibility: tab })(options))
      ids.push(item.kind === "event" ? item.id : -1);
  };
  const done = follow();
  await expect.poll(() => ids).toEqual([5]);
  tab.hide();
  await expect.poll(() => tab.waits).toBe(true);
  tab.show();
  await expect.poll(() => ids).toEqual([5, 6]);
  expect(cursors).toEqual(["4", "5"]);
  // Hiding is no broken connection, so nobody is told of one.
  expect(told).toEqual(["open", "open"]);
  ended.abort();
  await done;
});

test.each([
  ["brings nothing after an event", true, ["4", "7"]],
  ["is not even answered", false, ["4", "4"]],
])("a stream that %s is requested again", async (_, isAnswered, expected) => {
  const cursors: unknown[] = [];
  const parts = await streaming({
    "POST /ui/session/local": give(session("s1")),
    "GET /events/stream": ({ headers }, response) => {
      cursors.push(headers["last-event-id"]);
      if (isAnswered)
        response
          .writeHead(200, { "content-type": "text/event-stream" })
          .write("id: 7\nevent: issue.created\ndata: {}\n\n");
    },
  });
  const clock = new FakeClock();
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const items = streamOf({ ...parts, visibility: new Tab() })({
    ...{ after: 4, hasAnswered: true, clock, signal: ended.signal },
    pause: async () => undefined,
  });
  const ids: unknown[] = [];
  const follow = async (): Promise<void> => {
    for await (const item of items) if (item.kind === "event") ids.push(item.id);
  };
  const done = follow();
  if (isAnswered) await expect.poll(() => ids).toEqual([7]);
  await expect
    .poll(() => {
      if (cursors.length === 1) clock.advance(5000);
      return cursors;
    })
    .toEqual(expected);
  ended.abort();
  await done;
});

test("a page that is hidden from the start opens its stream when it is shown", async () => {
  const { asked, ...parts } = await streaming({
    "POST /ui/session/local": give(session("s1")),
    "GET /events/stream": (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("id: 5\nevent: issue.created\ndata: {}\n\n");
    },
  });
  const tab = new Tab();
  tab.hide();
  const ended = new AbortController();
  const items = streamOf({ ...parts, visibility: tab })({
    ...{ after: 4, hasAnswered: true, clock: systemClock, signal: ended.signal },
    pause: async () => undefined,
  })[Symbol.asyncIterator]();
  const first = items.next();
  await expect.poll(() => tab.waits).toBe(true);
  expect(asked).toEqual([]);
  tab.show();
  expect(await first).toMatchObject({ value: { id: 5 } });
  ended.abort();
});

test("a session whose updates have to be polled requests no stream", async () => {
  const { asked, ...parts } = await streaming({
    "POST /ui/session/local": give({ ...session("s1"), updates: "poll" }),
  });
  const items = streamOf({ ...parts, visibility: new Tab() })({
    ...{ after: 4, hasAnswered: true, clock: systemClock, signal: new AbortController().signal },
    pause: async () => undefined,
  });
  await expect(items[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: 405 });
  expect(asked).toEqual(["POST /ui/session/local"]);
});

test("integers beyond 2^53 in metadata keep every digit, and other numbers are shown in plain form", async () => {
  const issues = '{"issues":[{"uid":"u","metadata":{"chat":1234567890123456789,"n":1.0}}]}';
  const { transport } = await daemon({
    "POST /ui/session/local": give(session("s1")),
    "GET /issues": (_request, response) => response.end(issues),
  });
  const answer = await transport.call("listAllIssues", {});
  const { metadata = {} } = answer.issues[0] ?? {};
  expect(otherMetadata(metadata)).toEqual([
    { key: "chat", text: "1234567890123456789" },
    { key: "n", text: "1" },
  ]);
});

test("a page asks nothing about bridges, since the daemon would refuse it", async () => {
  const { asked, transport } = await daemon({ "POST /ui/session/local": give(session("one")) });
  const params = { project_id: 1, ref: "abc4" };
  await expect(transport.call("getExternalRootBridge", { params })).rejects.toMatchObject({
    code: "integration_administration_forbidden",
    hint: "use svc tui or svc bridge",
  });
  expect(asked).toEqual([]);
});
