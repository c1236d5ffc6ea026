import type { Env } from "../../config/env.ts";
import { userHome } from "../../config/paths.ts";
import { isTable } from "../../config/toml.ts";
import { configuredIn } from "./configured.ts";
import type { HostEntry } from "./entries.ts";
import { type CommandDaemon, type HostCheck, hostChecks } from "./judge.ts";
import { projectRoot, scopeOf } from "./placed.ts";
import { secretNames, withoutSecrets } from "./secrets.ts";
import { type Trial, trialOf } from "./trial.ts";

interface TrialEnvironment {
  readonly start: string;
  readonly env: Env;
  /**
   * The variables that `token_env` in the settings names. They contain secrets, even if their names do not suggest it.
   */
  readonly secrets: readonly string[];
  readonly version: string;
}

/** A host's file, the command that its entry starts, and what was found out about it. */
export interface TriedEntry {
  readonly client: HostEntry["client"];
  readonly title: string;
  readonly scope: HostEntry["scope"];
  readonly path: string | null;
  /** The command and its arguments, without secrets; `null` if nothing was started. */
  readonly command: readonly string[] | null;
  checks(here: CommandDaemon): readonly HostCheck[];
}

/** Starts the server in a host's file as the host does, and judges the result. */
export async function triedEntry(
  file: HostEntry,
  { start, env, secrets, version }: TrialEnvironment,
): Promise<TriedEntry> {
  const { client, host, scope, path, entry } = file;
  const of = { client, title: host.title, scope, path: path ?? null };
  const install = installCommand(file);
  const folder = projectRoot(start) ?? start;
  const started = configuredIn(host, entry, { env, folder });
  if (started === undefined)
    return { ...of, command: null, checks: () => [unusableEntryCheck(file, install)] };
  const names = [...secretNames({ ...env, ...started.env }, secrets)];
  const withSecretsHidden = (text: string): string =>
    withoutSecrets(text, { ...env, ...started.env }, names);
  const command = [started.command, ...started.args].map(withSecretsHidden);
  const isOff = isTable(entry) && entry["enabled"] === false;
  const found: HostCheck = {
    id: "entry",
    status: isOff ? "warning" : "ok",
    summary: isOff ? `the entry is switched off: ${command.join(" ")}` : command.join(" "),
    ...(isOff ? { fix: "remove enabled = false from the entry" } : {}),
  };
  // If a host does not start servers in the project's folder, its working folder is unknown. The home is as good as any
  // other.
  const cwd = host.startsInProject.includes(scope) ? folder : userHome(env);
  const trial = withoutSecretsOf(
    await trialOf(started, cwd, { name: `svc mcp doctor, as ${host.title}`, version }),
    withSecretsHidden,
  );
  const judgedAs = { client, title: host.title, scope, install };
  return { ...of, command, checks: (here) => [found, ...hostChecks(judgedAs, trial, here)] };
}

function withoutSecretsOf(trial: Trial, hidden: (text: string) => string): Trial {
  if ("fault" in trial)
    return { ...trial, fault: hidden(trial.fault), errors: hidden(trial.errors) };
  const { answer } = trial;
  if (answer?.fault === undefined) return trial;
  return { ...trial, answer: { ...answer, fault: hidden(answer.fault) } };
}

function unusableEntryCheck({ host, path, entry, fault }: HostEntry, install: string): HostCheck {
  const check = { id: "entry", status: "failed" } as const;
  if (path === undefined)
    return {
      ...check,
      summary: `${host.title} has no documented file on this system`,
      fix: "svc mcp config prints the entry, put it in by hand",
    };
  if (fault !== undefined)
    return {
      ...check,
      summary: fault.message,
      ...(fault.hint === undefined ? {} : { fix: fault.hint }),
    };
  if (entry === undefined)
    return { ...check, summary: `${path} has no entry svc`, fix: `${install} adds one` };
  return {
    ...check,
    summary: `the entry svc in ${path} starts no program`,
    fix: `${install} --force replaces it`,
  };
}

function installCommand({ client, host, scope }: HostEntry): string {
  const words = scope === scopeOf(host, undefined) ? "" : ` --scope ${scope}`;
  return `svc mcp install --client ${client}${words}`;
}
