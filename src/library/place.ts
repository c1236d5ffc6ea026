import { type Env, processEnv } from "../config/env.ts";

/** Which database is meant. What is not said is read as the command line reads it. */
export interface Place {
  /** The folder of config.toml, database and log: `SVC_HOME` or `~/.svc` unless said. */
  readonly home?: string;
  /** The path of an SQLite file, or the address of a PostgreSQL database; `svc.db` in the home unless said. */
  readonly database?: string;
  /** The environment in which settings are looked for; that of the process unless said. */
  readonly env?: Env;
}

/**
 * `PORT` and the mark of an auto-started daemon are about another program: the one that loads this library may be a
 * server with a port of its own.
 */
export function placeEnv({ home, database, env = processEnv() }: Place): Env {
  const { PORT: _port, SVC_AUTOSTART: _mark, ...rest } = env;
  return {
    ...rest,
    ...(home === undefined ? {} : { SVC_HOME: home }),
    ...(database === undefined ? {} : { SVC_DSN: database }),
  };
}
