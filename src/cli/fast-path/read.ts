import { existsSync } from "node:fs";
import { systemClock } from "../../base/clock.ts";
import { isUlid } from "../../base/ids.ts";
import { recorded, type Search } from "../../client/discovery.ts";
import { LOCAL_HOST } from "../../client/host.ts";
import { ask, NoAnswer } from "../../client/http/pipeline.ts";
import { encodeRequest } from "../../client/http/request.ts";
import { knownProject, rememberProject } from "../../client/known-projects.ts";
import { thisProgram } from "../../client/program.ts";
import { type RuntimeRecord, readRecords } from "../../client/record.ts";
import { selectTarget } from "../../client/target.ts";
import { processEnv, processFolder } from "../../config/env.ts";
import { type Config, loadConfig } from "../../config/load.ts";
import { runtimeDir, socketPaths } from "../../config/paths.ts";
import { readWorkspace } from "../../config/workspace.ts";
import { BASE_PATH } from "../../contract/route.ts";
import { readRef } from "../../shared/ref.ts";
import { type FastArgs, readFastArgs } from "./args.ts";
import { writeJson } from "./write.ts";

/** The daemon at this address took the requests and let the time for them pass. */
export interface Unanswered {
  readonly unanswered: string;
}

/**
 * Answers a plain reading with `--json`, with what that takes and no more: no oclif, no contract, no command. `false`:
 * nothing was printed, and the command itself does it all, which is how everything ends that is not plain success. So
 * there is one place for each error, and it is not here.
 */
export async function readFast(
  argv: readonly string[],
  version: string,
): Promise<boolean | Unanswered> {
  const words = readFastArgs(argv);
  if (words === undefined) return false;
  const found = await findBody(words, version).catch(() => undefined);
  if (found === undefined || "unanswered" in found) return found ?? false;
  return writeJson(found);
}

/** What is printed. */
async function findBody(words: FastArgs, version: string) {
  const found = await findAnswer(words, version);
  return words.first && Buffer.isBuffer(found) ? firstIssue(found) : found;
}

/**
 * The first issue, or `undefined` if the daemon is too old to sort by `order=take`: it then leaves `order` out of its
 * answer, and the ordinary command reads the whole list and chooses from it.
 */
function firstIssue(list: Buffer): Buffer | undefined {
  const { order, issues } = JSON.parse(list.toString("utf8")) as {
    readonly order?: unknown;
    readonly issues: readonly unknown[];
  };
  return order === "take" ? Buffer.from(JSON.stringify({ issue: issues[0] ?? null })) : undefined;
}

async function findAnswer(
  words: FastArgs,
  version: string,
): Promise<Buffer | Unanswered | undefined> {
  const [env, cwd] = [processEnv(), processFolder()];
  const config = await loadConfig({ env, cwd });
  const workspace = await readWorkspace(cwd, env);
  const target = selectTarget(config, workspace);
  const { settings, warnings } = config;
  const plain =
    target.source === "local_default" &&
    settings.authToken === undefined &&
    !settings.skipVersionCheck;
  if (!plain || warnings.length + workspace.warnings.length > 0) return undefined;

  const ref = words.ref === undefined ? undefined : readRef(words.ref);
  // A uid is the same issue wherever the command stands; the command looks for its project first.
  if (ref !== undefined && isUlid(ref.ref)) return undefined;
  const name = ref?.project ?? words.project ?? workspace.overlay ?? workspace.file?.project;
  if (name === undefined) return undefined;

  const folder = runtimeDir(config.home, config.dsn);
  const record = await running(config, {
    runtimeDir: folder,
    version,
    anyVersion: false,
    dismissed: new Set(),
    clock: systemClock,
  });
  if (record?.network !== "unix") return undefined;
  return await inProject(name, {
    folder,
    socketPath: record.address,
    timeoutMs: settings.httpTimeoutMs,
    path: words.path.replace("{ref}", encodeURIComponent(ref?.ref ?? "")) + queryText(words.query),
  }).catch((error: unknown) => {
    if (error instanceof NoAnswer) return { unanswered: `unix://${record.address}` };
    throw error;
  });
}

/** The daemon that runs; where there is no trace of any, one that is started here. */
async function running(config: Config, search: Search): Promise<RuntimeRecord | undefined> {
  const found = recorded(search);
  const program = thisProgram(search.version);
  if (found !== undefined || program.launcher === undefined) return found;
  const sockets = socketPaths(config.env, config.dsn, config.home);
  if (readRecords(search.runtimeDir).length > 0 || sockets.some((path) => existsSync(path)))
    return undefined;
  const { autostart } = await import("../../client/autostart.ts");
  return await autostart(config, program, search);
}

interface Reading {
  readonly folder: string;
  readonly socketPath: string;
  readonly timeoutMs: number;
  /** Below the project. */
  readonly path: string;
}

/**
 * The project's id is asked for every time, because a name can come to mean another project. The reading goes out
 * together with that question, for the id of last time, and counts when the answer is that id.
 */
async function inProject(
  name: string,
  { folder, socketPath, timeoutMs, path }: Reading,
): Promise<Buffer | undefined> {
  const reading = (id: number): Buffer => request("GET", `/projects/${id}${path}`, "close");
  const question = request("POST", "/projects/resolve", "keep-alive", JSON.stringify({ name }));
  const known = knownProject(folder, name);
  const sent = known === undefined ? [question] : [question, reading(known)];
  const [resolved, guessed] = await ask(socketPath, sent, timeoutMs);
  const id = resolved?.status === 200 ? idOf(resolved.body, name) : undefined;
  if (id === undefined) return undefined;
  if (id === known) return guessed?.status === 200 ? guessed.body : undefined;
  rememberProject(folder, name, id);
  const [answer] = await ask(socketPath, [reading(id)], timeoutMs);
  return answer?.status === 200 ? answer.body : undefined;
}

function request(method: string, path: string, connection: string, body?: string): Buffer {
  const headers = { Host: LOCAL_HOST, Accept: "application/json", Connection: connection };
  const base = { method, target: BASE_PATH + path, headers };
  return encodeRequest(body === undefined ? base : { ...base, body });
}

/** A project that answers to the name and is called otherwise makes the command put its workspace file right. */
function idOf(body: Buffer, name: string): number | undefined {
  const { project } = JSON.parse(body.toString("utf8")) as {
    readonly project: { readonly id: number; readonly name: string };
  };
  return project.name === name && Number.isSafeInteger(project.id) ? project.id : undefined;
}

function queryText(query: FastArgs["query"]): string {
  const pairs = query.map(([param, value]) => `${param}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
