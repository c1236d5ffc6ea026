import { type Env, processEnv, processFolder } from "../config/env.ts";
import { type Config, type ConfigInput, loadConfig } from "../config/load.ts";
import { readWorkspace, type Workspace } from "../config/workspace.ts";
import { LOCAL, selectTarget, type Target } from "./target.ts";

export interface SelectOptions {
  /** The folder in which the search for workspace files starts. */
  readonly start: string;
  readonly cwd?: string;
  readonly env?: Env;
  readonly daemon?: string;
  /**
   * If `true`, settings and a workspace file that name a daemon are ignored, and the local daemon is selected. The
   * option `daemon` still counts.
   */
  readonly ownDaemon?: boolean;
  readonly flags?: ConfigInput["flags"];
}

export interface Selection {
  readonly config: Config;
  readonly workspace: Workspace;
  readonly target: Target;
  /** Warnings about the settings and the workspace file. The caller prints them on stderr. */
  readonly warnings: readonly string[];
}

/** Reads the settings and selects the daemon, without asking or starting it and without reading a token. */
export async function select(options: SelectOptions): Promise<Selection> {
  const { env = processEnv(), cwd = processFolder(), flags = {}, start } = options;
  const config = await loadConfig({ env, cwd, flags });
  const workspace = await readWorkspace(start, env);
  const target =
    options.ownDaemon === true && options.daemon === undefined
      ? LOCAL
      : selectTarget(config, workspace, options.daemon);
  return { config, workspace, target, warnings: [...config.warnings, ...workspace.warnings] };
}
