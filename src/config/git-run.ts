import { type Env, programEnv } from "./env.ts";

export interface GitAnswer {
  /** `undefined` if git is missing or took too long. */
  readonly status: number | undefined;
  readonly output: string;
}

const TIMEOUT_MS = 5000;

export async function runGit(
  folder: string,
  args: readonly string[],
  env: Env,
): Promise<GitAnswer> {
  const { spawnSync } = await import("node:child_process");
  const { status, stdout } = spawnSync("git", [...NO_PROGRAMS, "-C", folder, ...args], {
    encoding: "utf8",
    env: withoutRepository(programEnv(env)),
    stdio: ["ignore", "pipe", "ignore"],
    timeout: TIMEOUT_MS,
  });
  return { status: status ?? undefined, output: status === 0 ? stdout : "" };
}

/** The configuration of an unpacked repository could name programs for git to run. These options disable them. */
const NO_PROGRAMS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/** Removes the variables of a git hook, which would make git use the hook's repository instead of the folder. */
function withoutRepository(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !REPOSITORY_VARIABLES.has(name)),
  );
}

const REPOSITORY_VARIABLES = new Set([
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
]);

export async function askGit(
  folder: string,
  args: readonly string[],
  env: Env,
): Promise<string | undefined> {
  const line = (await runGit(folder, args, env)).output.split("\n", 1)[0];
  return line === "" ? undefined : line;
}
