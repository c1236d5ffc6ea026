import { SvcError } from "../contract/errors.ts";

/** The variables of a process; tests and spawned children have their own. */
export type Env = Readonly<Record<string, string | undefined>>;

const READY = "SVC_READY_FD";

/**
 * The descriptor on which a client that started this process waits to hear that the daemon can be called. It is told
 * once and to this process alone, so it is gone for whatever this process starts.
 */
export function takeReadyDescriptor(): number | undefined {
  const text = process.env[READY] ?? "";
  delete process.env[READY];
  return /^[3-9]$/.test(text) ? Number(text) : undefined;
}

/** The variable by which a child learns of it. */
export function readyVariable(descriptor: number): Env {
  return { [READY]: String(descriptor) };
}

/** The folder that this process works in. A shell can stand in one that was deleted meanwhile. */
export function processFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new SvcError(
      "validation",
      {},
      {
        message: "the current folder was deleted",
        hint: "change to a folder that is there: cd ~",
        cause,
      },
    );
  }
}

/** The only place that reads this process's environment. */
export function processEnv(): Env {
  return process.env;
}
