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

/** The variables of this environment that a server needs in order to use the same daemon when a host starts it. */
export interface HandedOn {
  readonly values: Readonly<Record<string, string>>;
  /** Variables with secrets. Only their names are written, and the host must have them in its own environment. */
  readonly names: readonly string[];
  /** The name in `names` of the variable that contains the daemon's token. */
  readonly token: string | undefined;
}

/** How a host starts the server. */
export interface Launch {
  /** The kind of file that gets the entry. */
  readonly scope: Scope;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: HandedOn;
}

/** A program that starts agent tool servers, and the documented form of its configuration. */
export interface Host {
  readonly title: string;
  readonly format: "json" | "toml";
  /** The key in the file whose value is an object with one member for each server. */
  readonly servers: string;
  /** The key inside the object `servers` under which a newer version of the host keeps its servers. */
  readonly newerServers?: string;
  /** The file in the project's folder; absent if the host reads no file in that folder. */
  readonly projectFile?: string;
  /** The user's file; `undefined` if none is documented for this system. */
  readonly userFile?: (env: Env, platform: NodeJS.Platform) => string | undefined;
  /** The scopes for which the host starts a server with the project's folder as its working directory. */
  readonly startsInProject: readonly Scope[];
  /** The host's placeholder for the path of the project's folder, for arguments in a project's file. */
  readonly folderVariable?: string;
  /**
   * Which variables a server gets from the host's own environment. `all`: all variables. `named`: a few usual
   * variables, and those that the entry names. `nothing`: only the few usual variables.
   */
  readonly inherits: "all" | "named" | "nothing";
  /** Matches the placeholders that the host replaces in commands, arguments and variables, such as `${HOME}`. */
  readonly replaces?: RegExp;
  /** Members that svc writes before the servers when it creates the file. */
  readonly preamble?: JsonObject;
  entry(launch: Launch): JsonObject;
}

const WORKSPACE_FOLDER = "${workspaceFolder}";
const DOLLAR_BRACE = /\$\{/;

export const HOSTS = {
  "claude-code": {
    title: "Claude Code",
    format: "json",
    servers: "mcpServers",
    projectFile: ".mcp.json",
    userFile: (env) => join(env["CLAUDE_CONFIG_DIR"] || userHome(env), ".claude.json"),
    startsInProject: ["project", "user"],
    inherits: "all",
    replaces: DOLLAR_BRACE,
    entry: ({ command, args, env }) => ({
      type: "stdio",
      command,
      args,
      ...member("env", env.values),
    }),
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
    inherits: "nothing",
    entry: ({ command, args, env }) => ({ command, args, ...member("env", env.values) }),
  },
  codex: {
    title: "Codex",
    format: "toml",
    servers: "mcp_servers",
    projectFile: ".codex/config.toml",
    userFile: (env) => join(env["CODEX_HOME"] || join(userHome(env), ".codex"), "config.toml"),
    startsInProject: ["project", "user"],
    inherits: "named",
    entry: ({ scope, command, args, env: { values, names } }) => ({
      command,
      args,
      // If a server takes longer than a moment to start, Codex goes on without it and never tries again. So the server
      // is required. It is not required in a file that a team shares, because Codex could then not start for a person
      // who has not installed svc.
      ...(scope === "user" ? { required: true, startup_timeout_sec: 60 } : {}),
      ...(names.length === 0 ? {} : { env_vars: names }),
      ...member("env", values),
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
    inherits: "named",
    replaces: DOLLAR_BRACE,
    entry: ({ command, args, env }) => ({
      type: "stdio",
      command,
      args,
      ...member("env", { ...references(env, (name) => `\${env:${name}}`), ...env.values }),
    }),
  },
  gemini: {
    title: "Gemini CLI",
    format: "json",
    servers: "mcpServers",
    projectFile: ".gemini/settings.json",
    userFile: (env) => join(userHome(env), ".gemini/settings.json"),
    startsInProject: ["project", "user"],
    // Codex does not pass on variables whose names look like secrets, unless the entry names them.
    inherits: "named",
    replaces: /\$/,
    entry: ({ command, args, env }) => ({
      command,
      args,
      ...member("env", { ...references(env, (name) => `\${${name}}`), ...env.values }),
    }),
  },
  opencode: {
    title: "opencode",
    format: "json",
    servers: "mcp",
    // opencode 2 keeps servers in `mcp.servers`, but still reads servers directly in `mcp`.
    newerServers: "servers",
    projectFile: "opencode.json",
    userFile: (env) => join(configFolder(env), "opencode/opencode.json"),
    startsInProject: ["project", "user"],
    preamble: { $schema: "https://opencode.ai/config.json" },
    inherits: "all",
    replaces: /\{(?:env|file):/,
    entry: ({ command, args, env }) => ({
      type: "local",
      command: [command, ...args],
      enabled: true,
      ...member("environment", env.values),
    }),
  },
  vscode: {
    title: "VS Code",
    format: "json",
    servers: "servers",
    projectFile: ".vscode/mcp.json",
    startsInProject: [],
    folderVariable: WORKSPACE_FOLDER,
    inherits: "all",
    replaces: DOLLAR_BRACE,
    entry: ({ command, args, env }) => ({
      type: "stdio",
      command,
      args,
      ...member("env", env.values),
    }),
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
    inherits: "all",
    entry: ({ command, args, env }) => ({ source: "custom", command, args, env: env.values }),
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
  inherits: "all",
  entry: ({ command, args, env }) => ({ command, args, ...member("env", env.values) }),
};

export function scopesOf(host: Host): readonly Scope[] {
  return SCOPES.filter((scope) => host[`${scope}File`] !== undefined);
}

function member(name: string, values: HandedOn["values"]): JsonObject {
  return Object.keys(values).length === 0 ? {} : { [name]: values };
}

/** Returns a value for each variable that refers to the variable of the same name in the host's environment. */
function references({ names }: HandedOn, form: (name: string) => string): HandedOn["values"] {
  return Object.fromEntries(names.map((name) => [name, form(name)]));
}

function configFolder(env: Env): string {
  return env["XDG_CONFIG_HOME"] || macConfig(env);
}

function macConfig(env: Env): string {
  return join(userHome(env), ".config");
}
