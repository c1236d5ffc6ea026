import type { H3Event } from "h3";
import { invalidField, SvcError } from "../../contract/errors.ts";
import type { Right } from "../../domain/access/rights.ts";
import type { App, AppHost } from "../app.ts";
import { endedBy } from "../replies/pieces.ts";
import { errorReply, jsonStream, Reply } from "../replies/reply.ts";
import { goneOf, SocketEvent } from "../requests/event.ts";
import type * as Facts from "./facts.ts";
import type { Recorder } from "./recorder.ts";
import type * as Recordings from "./recordings.ts";

interface ProfileRequest {
  readonly event: H3Event;
  readonly query: URLSearchParams;
  readonly host: AppHost;
  readonly recorder: Recorder;
}

interface Profile {
  /** The text about this profile in the index of all profiles. */
  readonly about: string;
  /** The right that the request needs; by default `profile`. */
  right?(query: URLSearchParams): Right;
  answer(request: ProfileRequest): Promise<Reply>;
}

const TEXT = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json";
const MAX_SECONDS = 120;
const SNAPSHOT = "snapshot";

/** The profiles by name. The names are those of Go's pprof handlers, which many people know. */
const PROFILES: Readonly<Record<string, Profile>> = {
  allocs: {
    about: "?seconds=10: where memory was allocated, also what is garbage again (.heapprofile)",
    answer: recordingHandler(
      10,
      "allocs.heapprofile",
      async (by, wait) => await by.allocations(wait, true),
    ),
  },
  block: {
    about: "?seconds=10: how late the event loop comes to a timer",
    answer: recordingHandler(10, "block.json", async (by, wait) => await by.loopDelay(wait)),
  },
  cmdline: {
    about: "the arguments with NUL between them; secrets are left out",
    answer: reply(TEXT, ({ commandLine }) => commandLine()),
  },
  goroutine: {
    about: "what the event loop waits for, by kind (Node has no goroutines)",
    answer: reply(JSON_TYPE, ({ activeResources }) => activeResources()),
  },
  heap: {
    about:
      "?seconds=10: where memory was allocated that is still in use (.heapprofile); ?snapshot=1: the whole heap (.heapsnapshot), for who administers tokens",
    right: (query) => (query.has(SNAPSHOT) ? "tokens" : "profile"),
    answer: async (request) =>
      await (request.query.has(SNAPSHOT) ? wholeHeap(request) : heap(request)),
  },
  mutex: {
    about: "unsupported (JavaScript has no mutexes)",
    answer: async () => {
      throw new SvcError("profile_unsupported");
    },
  },
  profile: {
    about: "?seconds=30: where time is spent (.cpuprofile)",
    answer: recordingHandler(30, "cpu.cpuprofile", async (by, wait, seconds) => {
      return await by.cpuProfile(wait, seconds);
    }),
  },
  symbol: {
    about: "none: the profiles hold the names",
    answer: reply(TEXT, () => "num_symbols: 0\n"),
  },
  threadcreate: {
    about: "the threads, by name",
    answer: reply(JSON_TYPE, async ({ threads }) => await threads()),
  },
  trace: {
    about: "?seconds=1: events of Node and V8, for Chrome's trace viewer",
    answer: recordingHandler(1, "trace.json", async (by, wait) => await by.trace(wait)),
  },
};

/**
 * Adds the routes below `/debug/pprof/` (docs/contract/network-and-access.md#10-profiles). They answer only on the
 * daemon's own listeners: if another server mounts the app, they would show the heap of that server.
 */
export function profilingRoutes(app: App, recorder: Recorder): void {
  const { host } = app;
  app.on("GET", "/debug/pprof", async (event) => {
    requireListener(event);
    await host.authenticate(event, "profile");
    return new Reply(200, { "content-type": TEXT }, INDEX);
  });
  for (const [name, { right, answer }] of Object.entries(PROFILES)) {
    app.on("GET", `/debug/pprof/${name}`, async (event) => {
      requireListener(event);
      const query = event.url.searchParams;
      await host.authenticate(event, right?.(query) ?? "profile");
      return await answer({ event, query, host, recorder });
    });
  }
}

function requireListener(event: H3Event): void {
  if (!(event instanceof SocketEvent)) throw new SvcError("not_found");
}

const INDEX = Object.entries(PROFILES)
  .map(([name, { about }]) => `/debug/pprof/${name}  ${about}\n`)
  .join("");

function reply(
  type: string,
  textOf: (facts: typeof Facts) => string | Promise<string>,
): Profile["answer"] {
  return async () => {
    return new Reply(200, { "content-type": type }, await textOf(await import("./facts.ts")));
  };
}

function recordingHandler(
  usual: number,
  file: string,
  record: (by: typeof Recordings, wait: Recordings.Wait, seconds: number) => Promise<string>,
): Profile["answer"] {
  return async (request) => {
    if (isHead(request)) return refusedHead();
    const seconds = secondsOf(request.query, usual);
    const gone = goneOf(request.event);
    const end = begin(request, file);
    try {
      const wait: Recordings.Wait = async () => await request.recorder.wait(seconds * 1000, gone);
      const text = await record(await import("./recordings.ts"), wait, seconds);
      return new Reply(200, headersOf(file), text);
    } finally {
      end();
    }
  };
}

const heap = recordingHandler(
  10,
  "heap.heapprofile",
  async (by, wait) => await by.allocations(wait, false),
);

async function wholeHeap(request: ProfileRequest): Promise<Reply> {
  if (isHead(request)) return refusedHead();
  if (request.query.get(SNAPSHOT) !== "1") throw invalidField(SNAPSHOT, "must be 1");
  const { heapSnapshot } = await import("./recordings.ts");
  const file = "heap.heapsnapshot";
  return jsonStream(200, endedBy(heapSnapshot(), begin(request, file)), headersOf(file));
}

/**
 * Counts a recording as activity, like a request, and logs it, because it slows the daemon down. Returns a function to
 * call at its end.
 */
function begin({ host, recorder }: ProfileRequest, file: string): () => void {
  const free = recorder.begin();
  const end = host.beginForeground();
  host.log.info("profile.begun", { profile: file });
  return () => {
    free();
    end();
    host.log.info("profile.ended", { profile: file });
  };
}

function secondsOf(query: URLSearchParams, usual: number): number {
  const sent = query.get("seconds");
  if (sent === null) return usual;
  const seconds = /^\d{1,3}$/.test(sent) ? Number(sent) : 0;
  if (seconds >= 1 && seconds <= MAX_SECONDS) return seconds;
  throw invalidField("seconds", `must be a whole number from 1 to ${MAX_SECONDS}`);
}

function headersOf(file: string): Readonly<Record<string, string>> {
  return { "content-type": JSON_TYPE, "content-disposition": `attachment; filename="${file}"` };
}

/** True for a HEAD request, which is refused: it would make a recording and then drop the result. */
function isHead({ event }: ProfileRequest): boolean {
  return event.req.method !== "GET";
}

function refusedHead(): Reply {
  return errorReply(new SvcError("method_not_allowed", { allow: "GET" }), { allow: "GET" });
}
