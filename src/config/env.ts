/** The variables of a process; tests and spawned children have their own. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The only place that reads this process's environment. */
export function processEnv(): Env {
  return process.env;
}
