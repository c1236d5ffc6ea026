import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Connection, connect } from "../connection.ts";
import { type BenchDaemon, processorMs, startBenchDaemon } from "../daemon.ts";
import type { BenchDatabase } from "./database.ts";

/** The provider as config.toml names it. */
export interface NamedProvider {
  readonly baseUrl: string;
  readonly model: string;
  readonly dims: number;
  /** The variable of the environment with its key, if it needs one. */
  readonly keyVariable?: string;
}

/** A running daemon, and a connection to it. */
export interface RunningTracker {
  readonly daemon: BenchDaemon;
  /** Sends a request and returns the body of its answer. Throws if that is no success. */
  send<T>(method: string, target: string, body?: object, headers?: string): Promise<T>;
  stop(): Promise<void>;
}

const SETTLED_MS = 3000;

/** Starts a daemon on the database, with search by meaning if a provider is named, and waits until its engines have begun. */
export async function startTracker(
  home: string,
  database: BenchDatabase,
  provider?: NamedProvider,
): Promise<RunningTracker> {
  mkdirSync(home, { recursive: true });
  const file = `[storage]\ndsn = "${database.dsn}"\n${sectionOf(provider)}`;
  writeFileSync(path.join(home, "config.toml"), file, { mode: 0o600 });
  const daemon = await startBenchDaemon({ home });
  const connection = await connect(daemon.socketPath);
  if (provider === undefined) await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  return {
    daemon,
    send: async <T>(method: string, target: string, body?: object, headers?: string) =>
      await sent<T>(connection, method, target, body, headers),
    stop: async () => {
      connection.close();
      await daemon.stop();
    },
  };
}

function sectionOf(provider: NamedProvider | undefined): string {
  if (provider === undefined) return "";
  const { baseUrl, model, dims, keyVariable } = provider;
  const key = keyVariable === undefined ? "" : `api_key_env = "${keyVariable}"\n`;
  return `[search.embeddings]\nbase_url = "${baseUrl}"\nmodel = "${model}"\ndims = ${dims}\n${key}`;
}

async function sent<T>(
  connection: Connection,
  method: string,
  target: string,
  body?: object,
  headers?: string,
): Promise<T> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const answer = await connection.send(method, `/api/v1${target}`, text, headers);
  if (answer.status !== 200) throw new Error(`${target}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as T;
}

interface Standing {
  readonly embedded: number;
  readonly skipped: number;
  readonly backlog: number;
}

async function standing(tracker: RunningTracker): Promise<Standing> {
  return (await tracker.send<{ embeddings: Standing }>("GET", "/health")).embeddings;
}

/** Returns when all issues are embedded. Throws if the provider refused some. */
export async function untilEmbedded(tracker: RunningTracker, issues: number): Promise<void> {
  const { embedded, skipped } = await untilSettled(tracker);
  if (embedded !== issues)
    throw new Error(`${embedded} of ${issues} issues are embedded, ${skipped} were refused`);
}

/** Returns when nothing is left to be embedded. */
export async function untilSettled(tracker: RunningTracker): Promise<Standing> {
  for (;;) {
    const found = await standing(tracker);
    // Before the first comparison, health says that there are no issues.
    if (found.backlog === 0 && found.embedded + found.skipped > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

export interface SearchCost {
  /** The time until each answer, in milliseconds. */
  readonly times: readonly number[];
  /** The daemon's processor time of one search, in milliseconds. */
  readonly processorMs: number;
}

/** Sends the queries one after another. Throws unless each is answered in the mode. */
export async function searchAll(
  tracker: RunningTracker,
  project: string,
  mode: "lexical" | "hybrid",
  queries: readonly string[],
): Promise<SearchCost> {
  const times: number[] = [];
  const before = processorMs(tracker.daemon.pid);
  for (const q of queries) {
    const asked = new URLSearchParams({ q, mode });
    const begun = performance.now();
    const found = await tracker.send<{ mode: string }>(
      "GET",
      `/projects/${project}/search?${asked.toString()}`,
    );
    times.push(performance.now() - begun);
    if (found.mode !== mode) throw new Error(`a search was answered by mode ${found.mode}`);
  }
  const processor = (processorMs(tracker.daemon.pid) - before) / queries.length;
  return { times, processorMs: processor };
}

/** The memory of a process that is no file, in MiB. */
export function ownMiB(pid: number): number {
  const kib = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib) / 1024;
}

/** The names of the threads of a process, sorted. */
export function threadsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder)
    .map((thread) => readFileSync(path.join(folder, thread, "comm"), "utf8").trim())
    .sort();
}
