import { type Env, processEnv } from "../config/env.ts";

/** Selects the database. Omitted options are read from the settings, as on the command line. */
export interface Place {
  /** The folder of config.toml, database and log; default: `SVC_HOME` or `~/.svc`. */
  readonly home?: string;
  /** A SQLite path or PostgreSQL URL; default: that of the settings, otherwise `svc.db` in the home. */
  readonly database?: string;
  /** The environment variables that settings are read from; default: those of the process. */
  readonly env?: Env;
}

/**
 * Returns the environment variables from which the settings are read, with the given home and database. `PORT` and
 * `SVC_AUTOSTART` are left out: the program that loads this library may be a server with its own `PORT`, and
 * `SVC_AUTOSTART` marks only a daemon that a client started.
 */
export function placeEnv({ home, database, env = processEnv() }: Place): Env {
  const { PORT: _port, SVC_AUTOSTART: _mark, ...rest } = env;
  return {
    ...rest,
    ...(home === undefined ? {} : { SVC_HOME: home }),
    ...(database === undefined ? {} : { SVC_DSN: database }),
  };
}
