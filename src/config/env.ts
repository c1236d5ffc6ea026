import { invalid } from "../contract/errors.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as not set. */
export function isSet(value: string | undefined): value is string {
  return (value ?? "") !== "";
}

const READY_VARIABLE = "SVC_READY_FD";

/**
 * Returns the file descriptor on which the client that started this process waits until the daemon is ready. It is the
 * value of `SVC_READY_FD`, which is then removed, so that child processes do not inherit it.
 */
export function takeReadyDescriptor(): number | undefined {
  const text = process.env[READY_VARIABLE] ?? "";
  delete process.env[READY_VARIABLE];
  return /^[3-9]$/.test(text) ? Number(text) : undefined;
}

export function readyVariable(descriptor: number): Env {
  return { [READY_VARIABLE]: String(descriptor) };
}

/** The working directory; throws if it has been deleted since the shell entered it. */
export function processFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw invalid(
      "the current folder was deleted",
      "change to a folder that is there: cd ~",
      cause,
    );
  }
}

/**
 * The environment for a program that is no part of svc, such as git, an editor or a renderer: without the tokens, which
 * are for svc only. `secret` names further variables with tokens (`secretVariables`). Commands that the user has
 * configured for the screen get the whole environment, because they may call svc.
 */
export function programEnv(env: Env, secret: readonly string[] = []): Env {
  const rest = { ...env };
  for (const name of [...TOKENS, ...secret]) delete rest[name];
  return rest;
}

const TOKENS = ["SVC_AUTH_TOKEN", "SVC_PROVIDER_TOKEN"];

/** The only place that reads this process's environment. */
export function processEnv(): Env {
  return process.env;
}
