import { existsSync } from "node:fs";
import { parseJson } from "../../base/json.ts";
import { isUlid } from "../../base/ulid.ts";
import { namedActor } from "../../client/actor.ts";
import { findWithoutPing, type Search, searchFor } from "../../client/discovery.ts";
import { LOCAL_HOST } from "../../client/host.ts";
import { ask, NoAnswer } from "../../client/http/pipeline.ts";
import { encodeRequest } from "../../client/http/request.ts";
import { knownProject, rememberProject } from "../../client/known-projects.ts";
import { thisProgram } from "../../client/program.ts";
import { type RuntimeRecord, readRecords } from "../../client/record.ts";
import { selectTarget } from "../../client/target.ts";
import { processEnv, processFolder } from "../../config/env.ts";
import { type Config, loadConfig } from "../../config/load.ts";
import { socketPaths } from "../../config/paths.ts";
import { configuredProgramEnv } from "../../config/secret-variables.ts";
import { readWorkspace } from "../../config/workspace.ts";
import { ME } from "../../contract/reserved-actors.ts";
import { BASE_PATH } from "../../contract/version.ts";
import type { SilentDaemon } from "../../shared/answer-errors.ts";
import { readRef } from "../../shared/ref.ts";
import { jsonCutNotes } from "../output/json-cut.ts";
import { type FastArgs, readFastArgs } from "./args.ts";
import { firstAnswer } from "./first.ts";
import { writeJson, writeNote } from "./write.ts";

/** The result of a read if the daemon accepted the requests but did not answer in time. */
export interface UnansweredRead {
  readonly unanswered: SilentDaemon;
}

/**
 * Answers a plain read with `--json` without loading oclif, the contract or the command. Returns `true` if the answer
 * was printed, and an `UnansweredRead` if the daemon did not answer in time. In all other cases, for example after an
 * error, returns `false`: nothing was printed, and the ordinary command runs and reports the error.
 */
export async function readFast(
  argv: readonly string[],
  version: string,
): Promise<boolean | UnansweredRead> {
  const words = readFastArgs(argv);
  if (words === undefined) return false;
  const found = await findBody(words, version).catch(() => undefined);
  if (found === undefined || "unanswered" in found) return found ?? false;
  if (!writeJson(found)) return false;
  const whole = words.first ? "--full" : undefined;
  for (const note of jsonCutNotes(found, words.limits, { whole })) writeNote(note);
  return true;
}

async function findBody(words: FastArgs, version: string) {
  const found = await findAnswer(words, version);
  return words.first && Buffer.isBuffer(found) ? firstIssue(found) : found;
}

/**
 * Returns the first issue of the answer. Returns `undefined` if the answer does not say `order=take`: the daemon is
 * then too old to sort the issues in this order, and the ordinary command must choose one.
 */
function firstIssue(list: Buffer): Buffer | undefined {
  const { order, issues } = parseJson(list.toString("utf8")) as {
    readonly order?: unknown;
    readonly issues: readonly object[];
  };
  return order === "take" ? Buffer.from(JSON.stringify(firstAnswer(issues[0]))) : undefined;
}

async function findAnswer(
  words: FastArgs,
  version: string,
): Promise<Buffer | UnansweredRead | undefined> {
  const [env, cwd] = [processEnv(), processFolder()];
  const config = await loadConfig({ env, cwd });
  const workspace = await readWorkspace(cwd, configuredProgramEnv(config));
  const target = selectTarget(config, workspace);
  const { settings, warnings } = config;
  const plain =
    target.source === "local_default" &&
    settings.authToken === undefined &&
    !settings.skipVersionCheck;
  if (!plain || warnings.length + workspace.warnings.length > 0) return undefined;

  const ref = words.ref === undefined ? undefined : readRef(words.ref);
  // A uid may name an issue of any project. The ordinary command finds out which project this is.
  if (ref !== undefined && isUlid(ref.ref)) return undefined;
  const name =
    ref?.project ??
    words.project ??
    settings.project ??
    workspace.overlay ??
    workspace.file?.project;
  if (name === undefined) return undefined;

  const caller = words.actorParam && namedActor(settings, words.as)?.actor;
  // The ordinary command asks git for the caller's name, or refuses the name.
  if (words.actorParam !== undefined && (caller === undefined || caller === ME)) return undefined;
  const query: FastArgs["query"] =
    words.actorParam === undefined || caller === undefined
      ? words.query
      : [...words.query, [words.actorParam, caller]];

  const search = searchFor(config, version);
  const record = await runningDaemon(config, search);
  if (record?.network !== "unix") return undefined;
  return await inProject(name, {
    folder: search.runtimeDir,
    socketPath: record.address,
    timeoutMs: settings.httpTimeoutMs,
    path: words.path.replace("{ref}", encodeURIComponent(ref?.ref ?? "")) + queryText(query),
  }).catch((error: unknown) => {
    if (error instanceof NoAnswer) {
      return { unanswered: { address: `unix://${record.address}`, pid: record.pid } };
    }
    throw error;
  });
}

/** Finds the running daemon; starts one if there is neither a record nor a socket of a daemon. */
async function runningDaemon(config: Config, search: Search): Promise<RuntimeRecord | undefined> {
  const found = findWithoutPing(search);
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
  readonly path: string;
}

/**
 * Sends a read about the project `name` and returns the answer, or `undefined` if the ordinary command must answer.
 * Each call looks up the id of the name, because another project may have the name now. To save time, the read is sent
 * together with the lookup, with the id that the name had in the last call. The answer of this read is used only if the
 * name still has this id.
 */
async function inProject(
  name: string,
  { folder, socketPath, timeoutMs, path }: Reading,
): Promise<Buffer | undefined> {
  const requestFor = (id: number): Buffer => request("GET", `/projects/${id}${path}`, "close");
  const question = request("POST", "/projects/resolve", "keep-alive", JSON.stringify({ name }));
  const known = knownProject(folder, name);
  const sent = known === undefined ? [question] : [question, requestFor(known)];
  const [resolved, guessed] = await ask(socketPath, sent, timeoutMs);
  const id = resolved?.status === 200 ? idOf(resolved.body, name) : undefined;
  if (id === undefined) return undefined;
  if (id === known) return guessed?.status === 200 ? guessed.body : undefined;
  rememberProject(folder, name, id);
  const [answer] = await ask(socketPath, [requestFor(id)], timeoutMs);
  return answer?.status === 200 ? answer.body : undefined;
}

function request(method: string, path: string, connection: string, body?: string): Buffer {
  const headers = { Host: LOCAL_HOST, Accept: "application/json", Connection: connection };
  const base = { method, target: BASE_PATH + path, headers };
  return encodeRequest(body === undefined ? base : { ...base, body });
}

/**
 * The project's id; `undefined` if the project was renamed, because the ordinary command must then update the workspace
 * file.
 */
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
