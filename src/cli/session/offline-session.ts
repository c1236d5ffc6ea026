import { resolve } from "node:path";
import { type ActorSource, whoActs } from "../../client/actor.ts";
import { type Selection, type SelectOptions, select } from "../../client/select.ts";
import { statOf } from "../../config/git-dir.ts";
import { invalid } from "../../contract/errors.ts";
import { ME } from "../../contract/reserved-actors.ts";
import type { Actor } from "../../shared/actor.ts";
import type { Globals } from "../flags/flags.ts";
import type { ProcessContext } from "../process-context.ts";

export interface OfflineOptions {
  readonly globals: Globals;
  readonly context: ProcessContext;
  readonly ownDaemon?: boolean;
  /** Selects the daemon, whatever the flags and settings name. */
  readonly choose?: SelectOptions["choose"];
}

/**
 * What a command knows without a daemon: its folder, its settings, which daemon they select, and who acts. It can
 * neither call nor start a daemon.
 */
export class OfflineSession {
  readonly #options: OfflineOptions;
  #selection: Promise<Selection> | undefined;

  constructor(options: OfflineOptions) {
    this.#options = options;
  }

  get start(): string {
    const { globals, context } = this.#options;
    if (globals.workspace === undefined) return context.cwd;
    const folder = resolve(context.cwd, globals.workspace);
    if (statOf(folder)?.isDirectory() !== true) {
      throw invalid(
        `--workspace names no folder: ${folder}`,
        "give the path of a folder that is there; its .svc.toml names the project",
      );
    }
    return folder;
  }

  /** The settings, and the daemon that they select. The first call prints their warnings. */
  async selection(): Promise<Selection> {
    this.#selection ??= this.#select();
    return await this.#selection;
  }

  /**
   * Returns the name of the project that a flag or setting selects, or `undefined` for the workspace's project.
   * `--workspace` outranks `SVC_PROJECT`.
   */
  async chosenProject(): Promise<string | undefined> {
    const { project, workspace } = this.#options.globals;
    if (project !== undefined || workspace !== undefined) return project;
    return (await this.selection()).config.settings.project;
  }

  /** The name of the project that the command has looked up. A command without a daemon looks up no project. */
  async projectName(): Promise<string | undefined> {
    return undefined;
  }

  /** The name that changes are attributed to. */
  async actor(): Promise<string> {
    return (await this.who()).actor;
  }

  /**
   * The actor that `--as`, the environment or git names. If the caller has a token, the daemon may use another actor.
   */
  async who(): Promise<Actor<ActorSource>> {
    const { config } = await this.selection();
    const who = await whoActs(config, this.#options.globals.as, this.start);
    // Refuse this name: `@me` always means the caller, so nobody could refer to this actor.
    if (who.actor === ME)
      throw invalid(`nobody can be named ${ME}`, "give your name with --as or SVC_AUTHOR");
    return who;
  }

  async #select(): Promise<Selection> {
    const { globals, context, ownDaemon = false, choose } = this.#options;
    const { env, cwd, stderr } = context;
    const selection = await select({
      start: this.start,
      cwd,
      env,
      ownDaemon,
      choose,
      ...(globals.daemon === undefined ? {} : { daemon: globals.daemon }),
    });
    for (const warning of selection.warnings) stderr.write(`svc: warning: ${warning}\n`);
    return selection;
  }
}
