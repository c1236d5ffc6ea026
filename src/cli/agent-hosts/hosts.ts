import { join } from "node:path";
import type { JsonObject } from "../../base/json.ts";
import type { Env } from "../../config/env.ts";
import { userHome } from "../../config/paths.ts";

export const SCOPES = ["project", "user"] as const;
/**
 * `project` is the configuration file in a project's folder, which several people may share. `user` is the file of this
 * user.
 */
export type Scope = (typeof SCOPES)[number];

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly tokenEnv: string | undefined;
}

/** A program that starts agent tool servers, and the documented form of its configuration. */
export interface Host {
  readonly title: string;
  readonly format: "json" | "toml";
  /** The key in the file whose object has one member for each server. */
  readonly servers: string;
  /** The key inside the object `servers` under which a newer version of the host keeps its servers. */
  readonly newerServers?: string;
  /** The file in the project's folder; absent if the host reads none there. */
  readonly projectFile?: string;
  /** The user's file; `undefined` if none is documented for this system. */
  readonly userFile?: (env: Env, platform: NodeJS.Platform) => string | undefined;
  /** The scopes for which the host starts a server with the project's folder as its working directory. */
  readonly startsInProject: readonly Scope[];
  /** The host's placeholder for the project's folder, for arguments in a project's file. */
  readonly folderVariable?: string;
  /** Members that svc writes before the servers when it creates the file. */
  readonly preamble?: JsonObject;
  entry(launch: Launch): JsonObject;
}

const WORKSPACE_FOLDER = "${workspaceFolder}";

export const HOSTS = {
  "claude-code": {
    title: "Claude Code",
    format: "json",
    servers: "mcpServers",
    projectFile: ".mcp.json",
    userFile: (env) => join(env["CLAUDE_CONFIG_DIR"] || userHome(env), ".claude.json"),
    startsInProject: ["project", "user"],
    entry: ({ command, args }) => ({ type: "stdio", command, args }),
  },
  "claude-desktop": {
    title: "Claude Desktop",
    format: "json",
    servers: "mcpServers",
    userFile: (env, platform) => {
      const file = "Claude/claude_desktop_config.json";
      if (platform === "darwin") return join(userHome(env), "Library/Application Support", file);
      const roaming = env["APPDATA"];
      return platform === "win32" && roaming ? join(roaming, file) : undefined;
    },
    startsInProject: [],
    entry: ({ command, args }) => ({ command, args }),
  },
  codex: {
    title: "Codex",
    format: "toml",
    servers: "mcp_servers",
    projectFile: ".codex/config.toml",
    userFile: (env) => join(env["CODEX_HOME"] || join(userHome(env), ".codex"), "config.toml"),
    startsInProject: ["project", "user"],
    // Codex passes a server only a few environment variables, plus the ones that `env_vars` names.
    entry: ({ command, args, tokenEnv }) => ({
      command,
      args,
      ...(tokenEnv === undefined ? {} : { env_vars: [tokenEnv] }),
    }),
  },
  cursor: {
    title: "Cursor",
    format: "json",
    servers: "mcpServers",
    projectFile: ".cursor/mcp.json",
    userFile: (env) => join(userHome(env), ".cursor/mcp.json"),
    startsInProject: [],
    folderVariable: WORKSPACE_FOLDER,
    entry: ({ command, args, tokenEnv }) => ({
      type: "stdio",
      command,
      args,
      ...(tokenEnv === undefined ? {} : { env: { [tokenEnv]: `\${env:${tokenEnv}}` } }),
    }),
  },
  gemini: {
    title: "Gemini CLI",
    format: "json",
    servers: "mcpServers",
    projectFile: ".gemini/settings.json",
    userFile: (env) => join(userHome(env), ".gemini/settings.json"),
    startsInProject: ["project", "user"],
    // Gemini CLI withholds variables whose names look secret, unless the entry names them.
    entry: ({ command, args, tokenEnv }) => ({
      command,
      args,
      ...(tokenEnv === undefined ? {} : { env: { [tokenEnv]: `\${${tokenEnv}}` } }),
    }),
  },
  opencode: {
    title: "opencode",
    format: "json",
    servers: "mcp",
    // opencode 2 keeps servers in `mcp.servers`, but it still reads servers that stand directly in `mcp`.
    newerServers: "servers",
    projectFile: "opencode.json",
    userFile: (env) => join(configFolder(env), "opencode/opencode.json"),
    startsInProject: ["project", "user"],
    preamble: { $schema: "https://opencode.ai/config.json" },
    entry: ({ command, args }) => ({
      type: "local",
      command: [command, ...args],
      enabled: true,
    }),
  },
  vscode: {
    title: "VS Code",
    format: "json",
    servers: "servers",
    projectFile: ".vscode/mcp.json",
    startsInProject: [],
    folderVariable: WORKSPACE_FOLDER,
    entry: ({ command, args }) => ({ type: "stdio", command, args }),
  },
  zed: {
    title: "Zed",
    format: "json",
    servers: "context_servers",
    userFile: (env, platform) =>
      platform === "win32"
        ? undefined
        : join(platform === "darwin" ? macConfig(env) : configFolder(env), "zed/settings.json"),
    startsInProject: [],
    entry: ({ command, args }) => ({ source: "custom", command, args, env: {} }),
  },
} as const satisfies Readonly<Record<string, Host>>;

export type HostName = keyof typeof HOSTS;

export const HOST_NAMES = Object.keys(HOSTS) as HostName[];

/** The format that most hosts read, for a host that `HOSTS` does not contain. */
export const ANY_HOST: Host = {
  title: "an agent host",
  format: "json",
  servers: "mcpServers",
  startsInProject: ["project", "user"],
  entry: ({ command, args }) => ({ command, args }),
};

export function scopesOf(host: Host): readonly Scope[] {
  return SCOPES.filter((scope) => host[`${scope}File`] !== undefined);
}

function configFolder(env: Env): string {
  return env["XDG_CONFIG_HOME"] || macConfig(env);
}

function macConfig(env: Env): string {
  return join(userHome(env), ".config");
}
