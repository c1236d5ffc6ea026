import { accessSync, constants, mkdirSync, rmdirSync } from "node:fs";
import { instantToMs } from "../base/clock.ts";
import { errorCode } from "../base/error-code.ts";
import { missingFrom } from "../base/folders.ts";
import type { FoundDaemon } from "../client/daemons.ts";
import { requireTrusted, selectTarget, type Target } from "../client/target.ts";
import { MOVE_HOME } from "../config/config-file.ts";
import type { Config } from "../config/load.ts";
import { pathFault } from "../config/path-fault.ts";
import { socketPath, socketPaths } from "../config/paths.ts";
import { homeFault, socketFault } from "../config/private-path.ts";
import type { Workspace } from "../config/workspace.ts";
import type { health } from "../contract/health.ts";
import type { Output } from "../contract/route.ts";
import { type Finding, skipped } from "../domain/finding.ts";
import { CommandError, failureOf } from "./failure/failure.ts";

/** The result of one check (docs/contract/command-line.md#29-tools-and-information). */
export interface Check extends Finding {
  readonly id: string;
  readonly category: "config" | "workspace" | "daemon" | "storage";
}

export interface Diagnosis {
  readonly version: 1;
  readonly checks: readonly Check[];
  readonly summary: Readonly<Record<Finding["status"], number>>;
}

/** Runs one check; an error that it throws becomes a failed check. */
export async function check(id: string, work: () => Promise<Finding> | Finding): Promise<Check> {
  return { id, category: categoryOf(id), ...(await findingOf(work)) };
}

/** Runs several checks, one after the other. */
export async function checkEach<C extends { readonly id: string }>(
  all: readonly C[],
  look: (one: C) => Finding,
): Promise<readonly Check[]> {
  const done: Check[] = [];
  for (const one of all) done.push(await check(one.id, () => look(one)));
  return done;
}

async function findingOf(work: () => Promise<Finding> | Finding): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    const { message, hint } = failureOf(error);
    return { status: "failed", summary: message, ...(hint === undefined ? {} : { fix: hint }) };
  }
}

function categoryOf(id: string): Check["category"] {
  const [category] = id.split(".");
  return category === "config" || category === "workspace" || category === "daemon"
    ? category
    : "storage";
}

export function diagnosis(checks: readonly Check[]): Diagnosis {
  const summary = { ok: 0, warning: 0, failed: 0, skipped: 0 };
  for (const { status } of checks) summary[status] += 1;
  return { version: 1, checks, summary };
}

export function checkSelection(
  config: Config,
  workspace: Workspace,
  named: string | undefined,
): Finding {
  const target = selectTarget(config, workspace, named);
  requireTrusted(config, target);
  const { lost } = config;
  if (lost !== undefined) {
    const details = { keys: lost.keys, path: lost.fault.path };
    return { status: "warning", summary: lost.what, details, fix: lost.hint };
  }
  if (target.kind === "remote") {
    return { status: "ok", summary: `${target.from} selects the daemon at ${target.origin.text}` };
  }
  return {
    status: "ok",
    summary: `the local daemon, home ${config.home}, database ${config.dsn.display}`,
    details: { home: config.home, database: config.dsn.display, source: target.source },
  };
}

export function checkHome({ home }: Config): Finding {
  requireUsable(home);
  const fault = homeFault(home) ?? pathFault(home, MOVE_HOME);
  if (fault === undefined) return { status: "ok", summary: `${home} is open to nobody else` };
  const summary = `${fault.path} ${fault.what}`;
  return { status: "warning", summary, details: { path: fault.path }, fix: fault.hint };
}

/**
 * Throws if the home folder cannot be written to. A missing home is created and removed again, because nothing else
 * shows whether the file system lets it be created.
 */
function requireUsable(home: string): void {
  try {
    const [first] = missingFrom(home);
    if (first === undefined) accessSync(home, constants.W_OK | constants.X_OK);
    else {
      mkdirSync(first, { mode: 0o700 });
      rmdirSync(first);
    }
  } catch (error) {
    const code = errorCode(error) ?? "";
    // Another command has created the home in the meantime, or already writes into it.
    if (code === "EEXIST" || code === "ENOTEMPTY") return;
    throw new CommandError("validation", `${home} cannot be written to (${code})`, {
      hint: "make it a folder that you can write to, or set SVC_HOME to one",
    });
  }
}

/** Checks at which socket path the local daemon can listen, and reports why a preferred path is not used. */
export function checkSocket({ env, dsn, home }: Config): Finding {
  const chosen = socketPath(env, dsn, home);
  const [first = chosen] = socketPaths(env, dsn, home);
  const fault = first === chosen ? undefined : socketFault(first);
  if (fault === undefined) return { status: "ok", summary: `only this user can reach ${chosen}` };
  return {
    status: "warning",
    summary: `the socket is ${chosen}, since ${fault.path} ${fault.what}`,
    details: { socket: chosen, passed_over: first },
    fix: fault.hint,
  };
}

export function checkWorkspace(workspace: Workspace, named: string | undefined): Finding {
  const { file, overlay, warnings } = workspace;
  const [warning] = warnings;
  if (warning !== undefined) return { status: "warning", summary: warning, details: { warnings } };
  if (named !== undefined)
    return { status: "ok", summary: `SVC_PROJECT names the project ${named}` };
  if (overlay !== undefined)
    return { status: "ok", summary: `.svc.local.toml names the project ${overlay}` };
  if (file !== undefined)
    return { status: "ok", summary: `${file.path} names the project ${file.project}` };
  return skipped("no .svc.toml here or above");
}

/** The running local daemon as the checks see it. The checks neither start nor replace a daemon. */
export interface LiveDaemon {
  readonly version: string;
  readonly pid: number;
  readonly address: string;
}

export type DaemonState = LiveDaemon | "none" | "silent";

export function liveDaemon(daemons: readonly FoundDaemon[]): DaemonState {
  const found = daemons.find(({ state }) => state !== "stopping");
  if (found === undefined) return "none";
  const { version, pid, address } = found.record;
  return found.state === "silent" ? "silent" : { version, pid, address };
}

export function checkConnection(target: Target, daemon: DaemonState): Finding {
  if (target.kind === "remote") return skipped("asked with its health");
  if (daemon === "none") return skipped("no daemon is running; the next command starts one");
  if (daemon === "silent") {
    return {
      status: "failed",
      summary: "a daemon holds its socket and does not answer",
      fix: "look at svc daemon logs, then svc daemon stop",
    };
  }
  return { status: "ok", summary: `pid ${daemon.pid} answers at ${daemon.address}` };
}

/**
 * Fails if the database does not answer the daemon, or if the daemon cannot read or write it. Otherwise reports the
 * fault of an engine (`engines/checks.ts`). If no engine has a fault, reports the note about the idle shutdown.
 */
export function checkHealth(
  {
    ok,
    fault = "the daemon does not reach its database",
    uptime,
    schema_version,
    idle_shutdown: idle,
  }: Output<typeof health>,
  engineFault: Finding | undefined,
): Finding {
  const summary = `up ${uptime}, storage schema ${schema_version}`;
  if (!ok)
    return {
      status: "failed",
      summary: `${summary}; ${fault}`,
      fix: "see that the database runs and can be reached; svc daemon logs says what the daemon was told",
    };
  if (engineFault !== undefined) return engineFault;
  if (idle?.note !== undefined) return { status: "warning", summary: idle.note };
  return { status: "ok", summary };
}

/**
 * Warns if another daemon has taken over an engine. The takeover is the only sign of a daemon that hangs, since a
 * daemon that hangs does not answer requests.
 */
export function checkEngines({ engines = [] }: Output<typeof health>, nowMs: number): Finding {
  if (engines.length === 0) return skipped("the daemon has the database for itself");
  const details = { engines };
  const takenOver = engines.filter(
    ({ taken_from, since }) =>
      taken_from !== undefined && instantToMs(since) > nowMs - TAKEN_OVER_MS,
  );
  const [first] = takenOver;
  if (first !== undefined) {
    const names = takenOver.map(({ name }) => name).join(", ");
    return {
      status: "warning",
      summary: `${names}: taken over at ${first.since} from the daemon ${first.taken_from}, which fell silent`,
      details,
      fix: "look for that process (host/pid): it hangs, was killed or lost the database",
    };
  }
  const works = engines.map(
    ({ name, here, holder }) => `${name}: ${here ? "this daemon" : holder}`,
  );
  return { status: "ok", summary: works.join("; "), details };
}

/** The check warns for this long after a takeover. After that, only the log and `svc daemon status` show it. */
const TAKEN_OVER_MS = 3_600_000;

export function checkVersion(daemon: DaemonState, own: string): Finding {
  if (typeof daemon === "string") return skipped("no daemon to ask");
  if (daemon.version === own) return { status: "ok", summary: `both are ${own}` };
  return {
    status: "warning",
    summary: `the daemon is ${daemon.version}, this is ${own}`,
    fix: "the next command replaces the daemon",
  };
}

/**
 * Fails if the project of the command does not exist. A folder without a project is a fault only if `named` is true,
 * which means that a flag, a setting or a workspace file names a project.
 */
export async function checkProject(
  named: boolean,
  session: { project(): Promise<{ readonly id: number; readonly name: string }> },
): Promise<Finding> {
  try {
    const { id, name } = await session.project();
    return { status: "ok", summary: `project ${name}`, details: { id, name } };
  } catch (error) {
    if (named || failureOf(error).code !== "project_not_initialized") throw error;
    return skipped("this folder belongs to no project");
  }
}
