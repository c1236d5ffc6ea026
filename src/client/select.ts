import { type Env, processEnv, processFolder } from "../config/env.ts";
import { type Config, type ConfigInput, loadConfig } from "../config/load.ts";
import { configuredProgramEnv } from "../config/secret-variables.ts";
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
  /** Returns the daemon to use, whatever flags, settings and the workspace name. */
  readonly choose?: ((config: Config) => Target) | undefined;
}

export interface Selection {
  readonly config: Config;
  readonly workspace: Workspace;
  readonly target: Target;
  /** Warnings about the settings and the workspace file. The caller prints them on stderr. */
  readonly warnings: readonly string[];
}

/** Reads the settings and selects the daemon. Neither calls nor starts the daemon, and reads no token. */
export async function select(options: SelectOptions): Promise<Selection> {
  const { env = processEnv(), cwd = processFolder(), flags = {}, start } = options;
  const config = await loadConfig({ env, cwd, flags });
  const workspace = await readWorkspace(start, configuredProgramEnv(config));
  const target = options.choose?.(config) ?? targetOf(options, config, workspace);
  return { config, workspace, target, warnings: [...config.warnings, ...workspace.warnings] };
}

function targetOf(
  { ownDaemon, daemon }: SelectOptions,
  config: Config,
  workspace: Workspace,
): Target {
  return ownDaemon === true && daemon === undefined
    ? LOCAL
    : selectTarget(config, workspace, daemon);
}
