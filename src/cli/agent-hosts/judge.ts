import type { Finding } from "../../domain/finding.ts";
import type { HostName, Scope } from "./hosts.ts";
import type { AnsweredCall, ServerAnswers, Trial } from "./trial.ts";
import { type HostTrial, hostTrialOf, serveFlags } from "./tried.ts";

/** One finding about a host's server: something that is right or wrong. */
export interface HostCheck extends Finding {
  readonly id:
    | "entry"
    | "start"
    | "tools"
    | "call"
    | "daemon"
    | "sees.tools"
    | "sees.names"
    | "sees.answers";
}

/** What is known about the daemon that svc commands use in this place. */
export type CommandDaemon =
  | { readonly kind: "asked"; readonly instance: string; readonly name: string }
  | { readonly kind: "none"; readonly name: string }
  | { readonly kind: "unknown"; readonly why: string };

interface JudgedHost {
  readonly client: HostName;
  readonly title: string;
  readonly scope: Scope;
  /** The command line of `svc mcp install` that writes this file. */
  readonly install: string;
}

/** Returns the findings about the server in a host's file, each with the way to fix what is wrong. */
export function hostChecks(
  host: JudgedHost,
  trial: Trial,
  here: CommandDaemon,
): readonly HostCheck[] {
  if ("fault" in trial) return [failedStartCheck(host, trial)];
  const start: HostCheck = {
    id: "start",
    status: "ok",
    summary: `${trial.server} answers in protocol ${trial.protocol}`,
  };
  const { answer, server } = trial;
  if (answer === undefined) return [start, foreignServerCheck(host, server)];
  const seen = hostTrialOf(host.client);
  return [
    start,
    toolsOf(trial),
    callOf(answer),
    daemonOf(host, trial, here),
    seenTools(host, trial, seen),
    seenNames(host, trial, seen),
    seenAnswers(host, answer, seen),
  ];
}

function failedStartCheck(
  { title, install }: JudgedHost,
  trial: Extract<Trial, { fault: string }>,
): HostCheck {
  const lines = trial.errors
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, MAX_ERROR_LINES)
    .map((line) => line.slice(0, MAX_LINE_CHARS));
  const replaces = `${install} --force replaces it`;
  const hints = {
    missing: `${install} --force --command <path> names a program that ${title} finds`,
    ended: `mend what it says on stderr; ${install} --force writes what selects the daemon of here`,
    silent: `start it by hand and see what it waits for; if it is no svc mcp serve, ${replaces}`,
    refused: replaces,
  };
  const stderr = lines.length === 0 ? "" : `; stderr: ${lines.join(" / ")}`;
  return {
    id: "start",
    status: "failed",
    summary: `${trial.fault}, so ${title} sees no tools${stderr}`,
    details: { reason: trial.kind, stderr: lines },
    fix: hints[trial.kind],
  };
}

const MAX_ERROR_LINES = 5;
const MAX_LINE_CHARS = 400;

function foreignServerCheck({ install }: JudgedHost, server: string): HostCheck {
  return {
    id: "tools",
    status: "failed",
    summary: `the entry starts ${server}, which is not svc`,
    fix: `${install} --force replaces it`,
  };
}

/** The tools that an agent cannot work without. */
const WORKING = ["search", "show", "next", "create", "comment", "claim", "close"];

function missingFrom({ tools }: Pick<ServerAnswers, "tools">): readonly string[] {
  const names = new Set(tools.map((name) => name.replace(/^svc[._]/, "")));
  return WORKING.filter((name) => !names.has(name));
}

function hasDots({ tools }: Pick<ServerAnswers, "tools">): boolean {
  return tools.some((name) => name.includes("."));
}

function toolsOf(seen: ServerAnswers): HostCheck {
  const missing = missingFrom(seen);
  const form = hasDots(seen) ? "svc.next" : "svc_next";
  const working =
    missing.length === 0
      ? `those to work with are among them (${form}, …)`
      : `missing are ${missing.join(", ")}, which a loader adds`;
  return {
    id: "tools",
    status: "ok",
    summary: `${seen.tools.length} in the first list; ${working}`,
    details: { tools: seen.tools.length, missing, dots: hasDots(seen) },
  };
}

function callOf({ tool, hasText, hasStructure, fault }: AnsweredCall): HostCheck {
  const details = { tool, text: hasText, structure: hasStructure };
  if (fault !== undefined)
    return { id: "call", status: "failed", summary: `${tool} failed: ${fault}`, details };
  const parts = [...(hasText ? ["text"] : []), ...(hasStructure ? ["structure"] : [])];
  const status = parts.length === 0 ? "failed" : "ok";
  const summary = `${tool} answers with ${parts.join(" and ") || "nothing"}`;
  return { id: "call", status, summary, details };
}

function daemonOf(
  { install }: JudgedHost,
  { instance, project }: ServerAnswers,
  here: CommandDaemon,
): HostCheck {
  const reach = project === undefined ? "" : `; project ${project}`;
  const details = { instance_uid: instance ?? null, project: project ?? null };
  const skippedCheck = (why: string): HostCheck => {
    return { id: "daemon", status: "skipped", summary: `${why}${reach}`, details };
  };
  if (instance === undefined) return skippedCheck("the server does not say which daemon it asks");
  if (here.kind === "unknown") return skippedCheck(`whether it is the daemon of here: ${here.why}`);
  if (here.kind === "asked" && here.instance === instance)
    return {
      id: "daemon",
      status: "ok",
      summary: `asks ${here.name}, as svc here${reach}`,
      details,
    };
  const what = here.kind === "none" ? ", where no daemon runs" : "";
  return {
    id: "daemon",
    status: "failed",
    summary: `asks another daemon than svc here, which asks ${here.name}${what}${reach}`,
    details,
    fix: `${install} --force writes what selects the daemon of here; if the other is meant, give it to doctor, with --daemon or its environment`,
  };
}

function seenTools(host: JudgedHost, trial: ServerAnswers, seen: HostTrial | undefined): HostCheck {
  const isThere = missingFrom(trial).length === 0;
  const lists = {
    never: "lists tools only once",
    later: "lists tools again only some calls later",
    "at once": "lists tools again at once",
  };
  const when = seen === undefined ? undefined : lists[whenIn(seen)];
  const what = when ?? "was not tried; whether it lists tools again is unknown";
  const check = { id: "sees.tools", details: { lists_again: seen?.lists_again ?? null } } as const;
  if (isThere || seen?.lists_again === "at once")
    return {
      ...check,
      status: "ok",
      summary: `${titleWithVersion(host, seen)} ${what}; all tools to work with can be called`,
    };
  const isLost = seen?.lists_again === "never";
  return {
    ...check,
    status: isLost ? "failed" : "warning",
    summary: `${titleWithVersion(host, seen)} ${what}, and tools to work with are not in the first list`,
    fix: repairHint(host),
  };
}

function whenIn({ lists_again: when }: HostTrial): "never" | "later" | "at once" {
  return when === "never" || when === "at once" ? when : "later";
}

function seenNames(host: JudgedHost, trial: ServerAnswers, seen: HostTrial | undefined): HostCheck {
  const check = { id: "sees.names", details: { dots: seen?.dots ?? null } } as const;
  if (!hasDots(trial))
    return { ...check, status: "ok", summary: "names without dots, which every host takes" };
  if (seen?.dots === "kept")
    return {
      ...check,
      status: "ok",
      summary: `${titleWithVersion(host, seen)} keeps names with dots`,
    };
  const what =
    seen === undefined
      ? "was not tried, and some hosts refuse names with dots"
      : "replaces the dots, so its model sees other names than the texts of the server say";
  return {
    ...check,
    status: "warning",
    summary: `${titleWithVersion(host, seen)} ${what}`,
    fix: repairHint(host),
  };
}

function seenAnswers(
  host: JudgedHost,
  { hasText, hasStructure }: AnsweredCall,
  seen: HostTrial | undefined,
): HostCheck {
  const check = { id: "sees.answers", details: { reads: seen?.reads ?? null } } as const;
  const who = titleWithVersion(host, seen);
  if (seen === undefined && hasText && hasStructure)
    return {
      ...check,
      status: "warning",
      summary: `${who} was not tried; if it hands on text and structure, its model pays twice`,
      fix: repairHint(host),
    };
  if (seen !== undefined && !hasText && seen.reads !== "structure")
    return {
      ...check,
      status: "failed",
      summary: `${who} reads only text, and answers have none`,
      fix: repairHint(host),
    };
  if (seen !== undefined && seen.copies > 1 && hasText && hasStructure)
    return {
      ...check,
      status: "warning",
      summary: `${who} hands on text and structure, so its model pays twice`,
      fix: repairHint(host),
    };
  const reads =
    seen === undefined
      ? "was not tried; what it reads is unknown, and answers are given once"
      : `gives its model the ${hasStructure ? seen.reads : "text"} of an answer`;
  return { ...check, status: "ok", summary: `${who} ${reads}` };
}

/** The title of the host, with the version that was tried. */
function titleWithVersion({ title }: JudgedHost, seen: HostTrial | undefined): string {
  return seen === undefined ? title : `${title} (tried ${seen.version}, ${seen.date})`;
}

function repairHint({ client, install }: JudgedHost): string {
  const flags = serveFlags(client).join(" ");
  return `${install} --force writes ${flags}; give --as and the project again if the entry has them`;
}
