import { createHash } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { createLog } from "../../../src/base/log.ts";
import type { Authentication } from "../../../src/daemon/access/authenticate.ts";
import { commandLine } from "../../../src/daemon/profiling/facts.ts";
import { Recorder } from "../../../src/daemon/profiling/recorder.ts";
import { profilingRoutes } from "../../../src/daemon/profiling/routes.ts";
import { accessApp, openDoor } from "../../support/access-app.ts";
import { BEARERS, CELLS, MODES } from "../../support/access-table.ts";
import { FakeClock, watched } from "../../support/clock.ts";
import { testDaemon } from "../../support/daemon.ts";
import { sawBody } from "../../support/seen.ts";

const OWN = "svc-own-token-0123456789";
const ANNS_TOKEN = "svc_of-ann";
const HASH = createHash("sha256").update(ANNS_TOKEN).digest("hex");
const lookup = async (hash: string) => (hash === HASH ? { id: 7, actor: "ann" } : undefined);
const SENT: Readonly<Record<(typeof BEARERS)[number], string | undefined>> = {
  none: undefined,
  wrong: `${OWN}0`,
  configured: OWN,
  database: ANNS_TOKEN,
};

/** The routes on a socket. Time moves when the test says so; `next` waits until a recording has begun. */
async function profiled(authentication: Authentication = { mode: "open" }) {
  const time = new FakeClock();
  const { clock, next } = watched(time);
  const recorder = new Recorder(clock);
  const lines: string[] = [];
  const ended = Promise.withResolvers<void>();
  const write = (line: string): void => {
    lines.push(line);
    if (line.includes("profile.ended")) ended.resolve();
  };
  const log = createLog({ write, reopen() {}, close() {} }, systemClock);
  const app = accessApp({ ...authentication, lookup }, { log });
  profilingRoutes(app, recorder);
  const { listener } = await openDoor(app, "unix");
  return {
    app,
    time,
    next,
    recorder,
    lines,
    ended: ended.promise,
    get: (path: string, token?: string, method = "GET") =>
      asked({ socketPath: listener.address }, `/debug/pprof${path}`, token, method),
  };
}

interface Got {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly code: string | undefined;
}

function asked(
  to: { readonly socketPath: string } | { readonly host: string; readonly port: string },
  path: string,
  token?: string,
  method = "GET",
) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const sent = request({ ...to, method, path, headers, agent: false });
  onTestFinished(() => void sent.destroy());
  const answer = new Promise<Got>((resolve, reject) => {
    sent.once("error", reject).once("response", (response: IncomingMessage) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.once("end", () => {
        const isJson = response.headers["content-type"] === "application/json" && text !== "";
        const body = isJson ? JSON.parse(text) : {};
        sawBody(body, { method, url: `http://localhost${path}` });
        const { statusCode: status, headers: received } = response;
        resolve({ status, headers: received, text, code: body.error?.code });
      });
    });
  });
  answer.catch(() => undefined);
  sent.end();
  return { answer, leave: () => void sent.destroy() };
}

describe("the routes below /debug/pprof/", () => {
  const QUICK = ["", "/", "/cmdline", "/goroutine", "/symbol", "/threadcreate"];

  test.each(MODES)("the profiling routes answer as the access mode %s requires", async (mode) => {
    const own = mode === "static" || mode === "identity" ? { token: OWN } : {};
    const { get } = await profiled({ mode, ...own });
    const answerTo = (right: string, bearer: string) =>
      CELLS.find(
        (c) => [mode, right, bearer, "GET"].join() === [c.mode, c.right, c.bearer, c.method].join(),
      )?.answer ?? "";
    for (const bearer of BEARERS) {
      const wanted = answerTo("profile", bearer);
      const refused = wanted.startsWith("auth_") || wanted === "token_invalid" ? wanted : undefined;
      for (const path of QUICK) {
        const { status, code } = await get(path, SENT[bearer]).answer;
        expect([path, bearer, code]).toEqual([path, bearer, refused]);
        if (refused === undefined) expect(status).toBe(200);
      }
      expect((await get("/mutex", SENT[bearer]).answer).code).toBe(
        refused ?? "profile_unsupported",
      );
      // A heap snapshot also needs the right to administer tokens. With that right, only the value `yes` is refused.
      const heap = answerTo("tokens", bearer);
      const may = ["none", "static_token", "bootstrap"].includes(heap);
      const { code } = await get("/heap?snapshot=yes", SENT[bearer]).answer;
      expect([bearer, code]).toEqual([bearer, may ? "validation" : heap]);
    }
  });

  test("the profiling routes are listed in the index, including those that Node does not support", async () => {
    const { get } = await profiled();
    const { headers, text } = await get("/").answer;
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    const names = text.split("\n").map((line) => line.split("  ")[0]?.replace("/debug/pprof/", ""));
    expect(names).toEqual([
      ...["allocs", "block", "cmdline", "goroutine", "heap", "mutex", "profile", "symbol"],
      ...["threadcreate", "trace", ""],
    ]);
    expect(text).toMatch(/mutex {2}unsupported/);
    expect((await get("/mutex").answer).status).toBe(501);
    expect((await get("/nothing").answer).code).toBe("not_found");
  });

  test("the profiling routes are missing in a server that mounts the app, whose memory they would show", async () => {
    const { app } = await profiled();
    for (const path of ["/", "/cmdline", "/heap?snapshot=1", "/profile"]) {
      const answer = await app.fetch(new Request(`http://localhost/debug/pprof${path}`));
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  test("the profiling routes are served by the daemon on its listener", async () => {
    const { endpoint } = await testDaemon({
      listen: { host: "127.0.0.1", port: 0 },
      authentication: { mode: "static", token: OWN },
    });
    const { hostname: host, port } = new URL(`http://${endpoint.address}`);
    expect((await asked({ host, port }, "/debug/pprof/").answer).code).toBe("auth_required");
    expect((await asked({ host, port }, "/debug/pprof/", OWN).answer).status).toBe(200);
  });
});

describe("a profile recording", () => {
  test.each([
    ["/profile", 30_000],
    ["/heap", 10_000],
    ["/allocs", 10_000],
    ["/block", 10_000],
    ["/trace", 1000],
    ["/profile?seconds=120", 120_000],
    ["/trace?seconds=1", 1000],
  ])("a recording by %s takes %d ms", async (path, ms) => {
    const { get, next, time } = await profiled();
    const { answer } = get(path);
    expect(await next()).toBe(ms);
    time.advance(ms);
    const { status, headers } = await answer;
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["content-disposition"]).toMatch(/^attachment; filename="[a-z]+\.[a-z]+"$/);
  });

  test.each(["0", "121", "1.5", "-1", "", "1e1", "ten"])(
    "a recording of %j seconds is refused",
    async (given) => {
      const { get } = await profiled();
      const { status, code, text } = await get(`/profile?seconds=${given}`).answer;
      expect([status, code]).toEqual([400, "validation"]);
      expect(text).toContain("from 1 to 120");
    },
  );

  test("a recording of CPU time names the functions that take it", async () => {
    const { get, next, time } = await profiled();
    const { answer } = get("/profile?seconds=1");
    await next();
    spinForTheProfile(100);
    time.advance(1000);
    const profile = JSON.parse((await answer).text);
    expect(profile.samples.length).toBe(profile.timeDeltas.length);
    expect(JSON.stringify(profile.nodes)).toContain("spinForTheProfile");
  });

  test.each(["/allocs", "/heap"])(
    "a recording of memory by %s names the functions that allocate it",
    async (path) => {
      const { get, next, time } = await profiled();
      const { answer } = get(path);
      await next();
      const kept = allocateForTheProfile();
      time.advance(10_000);
      expect(JSON.stringify(JSON.parse((await answer).text).head)).toContain(
        "allocateForTheProfile",
      );
      expect(kept.length).toBe(100_000);
    },
  );

  test("a recording of the event loop shows how long it was blocked", async () => {
    const { get, next, time } = await profiled();
    const { answer } = get("/block");
    await next();
    await systemClock.sleep(50);
    spinForTheProfile(100);
    await systemClock.sleep(50);
    time.advance(10_000);
    const { max, count, percentiles } = JSON.parse((await answer).text);
    expect(max).toBeGreaterThan(90);
    expect(percentiles["100"]).toBeGreaterThan(90);
    expect(count).toBeGreaterThan(0);
  });

  test("a recording of events contains no token of the requests that arrived meanwhile", async () => {
    const { get, next, time } = await profiled({ mode: "static", token: OWN });
    const { answer } = get("/trace", OWN);
    await next();
    for (let count = 0; count < 5; count++) await get("/symbol", OWN).answer;
    time.advance(1000);
    const { text } = await answer;
    expect(JSON.parse(text).traceEvents.length).toBeGreaterThan(0);
    expect(text).not.toContain(OWN);
  });

  test("a recording excludes all others until it is answered", async () => {
    const { get, next, time, lines } = await profiled();
    const { answer } = get("/profile?seconds=2");
    await next();
    for (const path of ["/profile", "/heap", "/heap?snapshot=1", "/allocs", "/block", "/trace"]) {
      const { status, code } = await get(path).answer;
      expect([path, status, code]).toEqual([path, 409, "profile_in_progress"]);
    }
    expect((await get("/goroutine").answer).status).toBe(200);
    time.advance(2000);
    expect((await answer).status).toBe(200);
    const again = get("/block?seconds=1").answer;
    await next();
    time.advance(1000);
    expect((await again).status).toBe(200);
    expect(lines.filter((line) => line.includes("profile.begun"))).toHaveLength(2);
  });

  test.each(["/profile", "/allocs", "/trace", "/block"])(
    "a recording by %s ends when its client disconnects",
    async (path) => {
      const { get, next, ended } = await profiled();
      const { leave } = get(path);
      await next();
      leave();
      await ended;
      const { answer, leave: leaveAgain } = get(path);
      await next();
      leaveAgain();
      await expect(answer).rejects.toThrow("socket hang up");
    },
  );

  test("a recording ends when the daemon stops", async () => {
    const { get, next, recorder } = await profiled();
    const { answer } = get("/profile");
    await next();
    recorder.stop();
    expect((await answer).code).toBe("daemon_stopping");
  });

  test("a recording is refused for HEAD and for every method but GET", async () => {
    const { get, lines } = await profiled();
    for (const path of ["/profile", "/heap?snapshot=1", "/trace"]) {
      expect((await get(path, undefined, "HEAD").answer).status).toBe(405);
      expect((await get(path, undefined, "POST").answer).code).toBe("method_not_allowed");
    }
    expect(lines.filter((line) => line.includes("profile.begun"))).toEqual([]);
  });
});

function spinForTheProfile(ms: number): void {
  const begun = systemClock.nowMs();
  while (systemClock.nowMs() - begun < ms) JSON.stringify({ begun });
}

function allocateForTheProfile(): readonly object[] {
  return Array.from({ length: 100_000 }, (_, at) => ({ at, text: `text ${at}` }));
}

describe("the command line in a profile", () => {
  test.each([
    [["node", "svc", "daemon", "start", "--foreground"], "node svc daemon start --foreground"],
    [
      ["--auth-token", "s3cret", "--listen", "127.0.0.1:1"],
      "--auth-token *** --listen 127.0.0.1:1",
    ],
    [["--token=s3cret", "PGPASSWORD=s3cret"], "--token=*** PGPASSWORD=***"],
    [["--dsn", "postgres://ann:s3cret@db/svc?a=s3cret"], "--dsn postgres://***@db/svc?***"],
    [["--dsn=postgres://ann:s3@cret@db/svc"], "--dsn=postgres://***@db/svc"],
  ])("%j is shown without its secrets", (args, shown) => {
    expect(commandLine(args).replaceAll("\0", " ")).toBe(shown);
  });
});

test.runIf(process.platform === "linux")("threads are counted by name", async () => {
  const { get } = await profiled();
  const { threads, thread_pool_size } = JSON.parse((await get("/threadcreate").answer).text);
  expect(thread_pool_size).toBeGreaterThan(0);
  expect(threads["libuv-worker"]).toBeGreaterThan(0);
  const { text } = await get("/goroutine").answer;
  expect(JSON.parse(text)).toEqual({ active_resources: expect.any(Object) });
});
