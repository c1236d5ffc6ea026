import { call, callRaw, parseAnswer } from "../../client/call.ts";
import { Client } from "../../client/client.ts";
import { thisProgram } from "../../client/program.ts";
import { findProject, type Project } from "../../client/project.ts";
import { tokenFor } from "../../client/target.ts";
import { SvcError } from "../../contract/errors.ts";
import { health, instance } from "../../contract/health.ts";
import { showIssueByUID } from "../../contract/issues.ts";
import type { CallInput, Output, Route } from "../../contract/route.ts";
import { UnavailableError } from "../../shared/answer-errors.ts";
import { type IssuePlace, placeOf } from "../../shared/ref.ts";
import { compareVersions } from "../../shared/versions.ts";
import type { Answer } from "../output/output.ts";
import { type OfflineOptions, OfflineSession } from "./offline-session.ts";

export interface SessionOptions extends OfflineOptions {
  readonly version: string;
  /** Whether a call may start this machine's daemon. */
  readonly autostart: boolean;
  /** Limits the wait for each answer, whatever the settings say. */
  readonly longestWaitMs?: number | undefined;
}

export interface FencedOptions {
  /**
   * `false` sends the request without the fence. A command that has just ended the lease does so, because the fence is
   * no longer valid.
   */
  readonly fenced?: boolean;
}

/** The daemon and the project of one command. Each of them is looked up once. */
export class Session extends OfflineSession {
  readonly #options: SessionOptions;
  #client: Promise<Client> | undefined;
  #project: Promise<Project> | undefined;
  #actor: Promise<string> | undefined;
  #apiVersion: Promise<string | undefined> | undefined;
  /** The projects of refs such as `project#abc4`, by name. */
  readonly #named = new Map<string, Promise<Project>>();

  constructor(options: SessionOptions) {
    super(options);
    this.#options = options;
  }

  async client(): Promise<Client> {
    this.#client ??= this.#open();
    return await this.#client;
  }

  /** The daemon's answers to the most recent changes of this command. */
  async made(): Promise<readonly Buffer[]> {
    return (await this.#client?.catch(() => undefined))?.made ?? [];
  }

  async call<R extends Route>(
    route: R,
    input: CallInput<R>,
    { fenced = true }: FencedOptions = {},
  ): Promise<Answer<Output<R>>> {
    const fence = fenced ? this.#options.globals.fence : undefined;
    const { body } = await callRaw(await this.client(), route, input, { fence });
    return {
      get json() {
        return body.toString("utf8");
      },
      bytes: body,
      body: () => parseAnswer<R>(body),
    };
  }

  /** Returns the project of the command. `--project` names it, otherwise `SVC_PROJECT`, otherwise the workspace. */
  async project(): Promise<Project> {
    this.#project ??= this.chosenProject().then(async (name) => await this.#findProject(name));
    return await this.#project;
  }

  /** The name of the command's project; `undefined` if the command has not needed it so far. */
  override async projectName(): Promise<string | undefined> {
    return (await this.#project?.catch(() => undefined))?.name;
  }

  /** Like `project`, but returns `undefined` if no project was named and the folder belongs to none. */
  async projectIfAny(): Promise<Project | undefined> {
    try {
      return await this.project();
    } catch (error) {
      const isUnknown = error instanceof SvcError && error.code === "project_not_initialized";
      if (isUnknown && (await this.chosenProject()) === undefined) return undefined;
      throw error;
    }
  }

  async target(text: string): Promise<IssuePlace> {
    return await placeOf(text, {
      project: async (name) =>
        await (name === undefined ? this.project() : this.#projectNamed(name)),
      issue: async (uid) => {
        const request = { params: { uid }, query: { include_deleted: true } };
        return (await call(await this.client(), showIssueByUID, request)).issue;
      },
    });
  }

  /**
   * The actor of the command: the token's actor if a token is used, otherwise the name from `--as`, the environment or
   * git.
   */
  override async actor(): Promise<string> {
    this.#actor ??= this.#findActor();
    return await this.#actor;
  }

  async #findActor(): Promise<string> {
    const client = await this.client();
    const hasToken = tokenFor(client.config, client.target) !== undefined;
    const known = hasToken ? (await call(client, instance, {})).auth.actor : undefined;
    return known ?? (await this.who()).actor;
  }

  /** The teammate to credit for a change. An empty name on the command line means nobody. */
  async teammate(): Promise<string | undefined> {
    const given =
      this.#options.globals.teammate ?? (await this.selection()).config.settings.teammate;
    return given === "" ? undefined : given;
  }

  /**
   * Throws if the daemon's API is older than `least`. An older daemon would ignore a filter or an idempotency key that
   * it does not know, instead of refusing it (docs/contract/command-line.md#17-requests).
   */
  async requireApi(
    least: string,
    hint = "update the daemon, or leave the filters out",
  ): Promise<void> {
    if (await this.hasApi(least)) return;
    const version = await this.#apiVersion;
    throw new UnavailableError(
      `the daemon's API is ${version ?? "of an unknown version"}, and this needs ${least}`,
      {
        code: "daemon_api_too_old",
        hint,
      },
    );
  }

  async hasApi(least: string): Promise<boolean> {
    const client = await this.client();
    // When the client finds a local daemon with an older API than its own, it replaces or refuses the daemon, unless
    // that check is switched off.
    if (client.target.kind === "local" && !client.config.settings.skipVersionCheck) return true;
    this.#apiVersion ??= call(client, health, {}).then((answer) => answer.api_schema_version);
    const version = await this.#apiVersion;
    return version !== undefined && isAtLeast(version, least);
  }

  async close(): Promise<void> {
    await (await this.#client?.catch(() => undefined))?.close();
  }

  async #open(): Promise<Client> {
    const { version, autostart, longestWaitMs = Number.POSITIVE_INFINITY } = this.#options;
    const selection = await this.selection();
    const { config } = selection;
    const httpTimeoutMs = Math.min(config.settings.httpTimeoutMs, longestWaitMs);
    const limited = { ...config, settings: { ...config.settings, httpTimeoutMs } };
    const program = thisProgram(version);
    return new Client({ ...selection, config: limited, program }, autostart, longestWaitMs);
  }

  async #projectNamed(name: string): Promise<Project> {
    const found = this.#named.get(name) ?? this.#findProject(name);
    this.#named.set(name, found);
    return await found;
  }

  async #findProject(name: string | undefined): Promise<Project> {
    return await findProject(await this.client(), {
      start: this.start,
      ...(name === undefined ? {} : { name }),
    });
  }
}

export function isAtLeast(version: string, least: string): boolean {
  return compareVersions(version, least) >= 0;
}
