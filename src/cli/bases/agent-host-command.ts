import * as Flags from "@oclif/core/flags";
import type { JsonObject } from "../../base/json.ts";
import { invalid } from "../../contract/errors.ts";
import { ME } from "../../contract/reserved-actors.ts";
import { handedOn } from "../agent-hosts/handed-on.ts";
import {
  ANY_HOST,
  HOST_NAMES,
  HOSTS,
  type Host,
  type HostName,
  type Launch,
  SCOPES,
  type Scope,
} from "../agent-hosts/hosts.ts";
import { launchWords, type ReachFlags } from "../agent-hosts/launch-words.ts";
import { placeOf, scopeOf } from "../agent-hosts/placed.ts";
import { requireSameServer, requireUnreplaced } from "../agent-hosts/same-server.ts";
import { snippetOf } from "../agent-hosts/snippet.ts";
import { serveFlags } from "../agent-hosts/tried.ts";
import { booleanFlag, textFlag } from "../flags/flags.ts";
import { OfflineCommand } from "./offline-command.ts";

interface HostFlags extends ReachFlags {
  readonly client?: HostName | undefined;
  readonly scope?: Scope | undefined;
  readonly command: string;
}

/**
 * The configuration for an agent host (a program that starts agent tool servers): the entry that makes the host start
 * svc, and the file that gets the entry.
 */
export interface HostPlan {
  readonly host: Host;
  readonly scope: Scope;
  /** The host's configuration file; `undefined` if the host has none for this scope, or if its place is unknown. */
  readonly path: string | undefined;
  /**
   * The workspace folder; `undefined` outside a workspace. A file of the scope `project` must lie inside this folder,
   * even after symbolic links are resolved.
   */
  readonly root: string | undefined;
  readonly launch: Launch;
  readonly entry: JsonObject;
  readonly text: string;
}

export function clientFlag() {
  return Flags.option({
    summary: "the program that starts the server",
    options: HOST_NAMES,
    helpValue: "<name>",
  });
}

export function clientsFlag() {
  return Flags.option({
    summary: "the program that starts the server; may be repeated",
    options: HOST_NAMES,
    helpValue: "<name>",
    multiple: true,
    multipleNonGreedy: true,
  });
}

export function scopeFlag(
  summary = "whose file: the project's, or yours; the project's if the host reads one there",
) {
  return Flags.option({
    summary,
    options: SCOPES,
    helpValue: "<project|user>",
  })();
}

/** Returns the path of the host's file. Throws if the host has none for this scope, or if its place is unknown. */
export function requirePath({
  host,
  scope,
  path,
  root,
}: Pick<HostPlan, "host" | "scope" | "path" | "root">): string {
  if (path === undefined)
    throw invalid(
      `${host.title} has no documented file on this system`,
      "svc mcp config prints the entry, put it in by hand",
    );
  if (scope === "project" && root === undefined)
    throw invalid(
      "this folder belongs to no workspace",
      "svc init makes one, --workspace names one, and --scope user means your own file",
    );
  return path;
}

/** Base of commands that print or write the configuration of an agent host. They call no daemon. */
export abstract class AgentHostCommand extends OfflineCommand {
  static readonly hostFlags = {
    scope: scopeFlag(),
    projects: textFlag("let the tools reach these projects, with commas between", "<names>", {
      exclusive: ["project", "all-projects"],
    }),
    "all-projects": booleanFlag("let the tools reach all projects of the daemon", {
      exclusive: ["project"],
    }),
    command: Flags.string({
      summary: "what to start, if the host does not find svc by its name",
      helpValue: "<path>",
      default: "svc",
    }),
  };

  /**
   * The file of a host. Its path is `undefined` if the host has no file for this scope, or if the place of the file is
   * unknown.
   */
  protected async place(host: Host, requested: Scope | undefined) {
    const scope = scopeOf(host, requested);
    const { start } = await this.session();
    return { host, scope, ...placeOf(host, scope, start, this.context.env) };
  }

  protected async plan(flags: HostFlags): Promise<HostPlan> {
    const { client } = flags;
    const host: Host = client === undefined ? ANY_HOST : HOSTS[client];
    const { context, globals } = this;
    const { cwd } = context;
    if (globals.as?.trim() === ME)
      throw invalid(`nobody can be named ${ME}`, "give the agent's name with --as");
    const { scope, path, root } = await this.place(host, flags.scope);
    const session = await this.session();
    const { config, target } = await session.selection();
    const project = await session.chosenProject();
    const words = launchWords(host, scope, { globals, flags, cwd, project });
    const args = ["mcp", "serve", ...serveFlags(client), ...words];
    requireSameServer(host, scope, target, args);
    const handed = handedOn(host, scope, { config, target, cwd, globals });
    const launch = { scope, command: flags.command, args, env: handed };
    requireUnreplaced(host, launch);
    const entry = host.entry(launch);
    return { host, scope, path, root, launch, entry, text: snippetOf(host, entry) };
  }
}
