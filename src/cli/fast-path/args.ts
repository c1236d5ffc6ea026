import { ME, ME_WORD } from "../../contract/reserved-actors.ts";
import type { Limits } from "../output/cut-note.ts";
import { isInnerCommand } from "../start/only-alone.ts";
import { FAST_COMMANDS, type FastCommand, type FastFlag } from "./table.ts";

/** A parsed command line that `fast-path/read.ts` can answer without loading oclif. */
export interface FastArgs {
  readonly path: FastCommand["path"];
  readonly query: readonly (readonly [param: string, value: string])[];
  readonly project: string | undefined;
  readonly ref: string | undefined;
  readonly first: boolean;
  /** The limits of the answer, for the note about what was left out. */
  readonly limits: Limits;
  readonly as: string | undefined;
  /** The query parameter to which the caller's name must be added; `undefined` if none is needed. */
  readonly actorParam: string | undefined;
}

/**
 * Parses `--flag value`, `--flag=value` and positional words. Returns `undefined` for anything else (a short flag,
 * `--`, an unknown flag, an invalid value); then oclif parses the words and reports the error.
 */
export function readFastArgs(argv: readonly string[]): FastArgs | undefined {
  const [id = "", ...words] = argv;
  if (isInnerCommand(argv)) return undefined;
  const command = Object.hasOwn(FAST_COMMANDS, id) ? FAST_COMMANDS[id] : undefined;
  if (command === undefined || !words.includes("--json")) return undefined;
  const positional: string[] = [];
  const flagValues = new Map<string, string[]>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) {
      positional.push(word);
      continue;
    }
    const [name = "", inline] = splitFlag(word);
    const flag = flagOf(command, name);
    if (flag === undefined) return undefined;
    if (flag.takes === "nothing") {
      if (inline !== undefined) return undefined;
      flagValues.set(name, [""]);
      continue;
    }
    const value = inline ?? words[++at] ?? "";
    if (value === "" || value === ME || value === ME_WORD || value.startsWith("-"))
      return undefined;
    const values = flagValues.get(name) ?? [];
    if (values.length > 0 && flag.takes !== "texts") return undefined;
    flagValues.set(name, [...values, value]);
  }
  return requestFor(command, positional, flagValues);
}

const GLOBAL: Readonly<Record<string, FastFlag>> = {
  json: { takes: "nothing", param: "" },
  project: { takes: "text", param: "" },
  as: { takes: "text", param: "" },
};

function flagOf({ flags }: FastCommand, name: string): FastFlag | undefined {
  if (Object.hasOwn(flags, name)) return flags[name];
  return Object.hasOwn(GLOBAL, name) ? GLOBAL[name] : undefined;
}

function splitFlag(word: string): readonly [string | undefined, string?] {
  if (!word.startsWith("--")) return [undefined];
  const at = word.indexOf("=");
  return at === -1 ? [word.slice(2)] : [word.slice(2, at), word.slice(at + 1)];
}

function requestFor(
  command: FastCommand,
  positional: readonly string[],
  flagValues: ReadonlyMap<string, readonly string[]>,
): FastArgs | undefined {
  const { path, words, defaults, flags, actor, first = false } = command;
  if (words === "none" ? positional.length > 0 : positional.length === 0) return undefined;
  if (words === "ref" && positional.length > 1) return undefined;
  const query: [string, string][] = [];
  const sent = new Set<string>();
  const lifted = new Set<string>();
  for (const [name, values] of flagValues) {
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined) continue;
    if (flag.excludes !== undefined && flagValues.has(flag.excludes)) return undefined;
    if (flag.lifts !== undefined) lifted.add(flag.lifts);
    for (const value of values) {
      const text = sentFor(flag, value);
      if (text === undefined) return undefined;
      query.push([flag.param, text]);
      sent.add(flag.param);
    }
  }
  for (const [param, value] of Object.entries(defaults)) {
    if (!sent.has(param)) query.push([param, lifted.has(param) ? "0" : value]);
  }
  if (words === "text") query.push(["q", positional.join(" ")]);
  const stated = actor === undefined ? undefined : flagValues.get(actor.flag)?.[0];
  if (actor !== undefined && stated !== undefined) query.push([actor.param, stated]);
  return {
    path,
    query,
    project: flagValues.get("project")?.[0],
    ref: words === "ref" ? positional[0] : undefined,
    first,
    limits: limitsOf(command, query),
    as: flagValues.get("as")?.[0],
    actorParam: stated === undefined ? actor?.param : undefined,
  };
}

function limitsOf(
  { usualRows, mostRows, first = false }: FastCommand,
  query: FastArgs["query"],
): Limits {
  const numberParam = (wanted: string): number | undefined => {
    const found = query.find(([param]) => param === wanted)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  return {
    rows: first ? undefined : (numberParam("limit") ?? usualRows),
    mostRows,
    hasBytes: (numberParam("max_bytes") ?? 0) > 0,
  };
}

function sentFor({ takes, values, least = 0 }: FastFlag, value: string): string | undefined {
  if (takes === "nothing") return "true";
  if (values !== undefined) return Object.hasOwn(values, value) ? values[value] : undefined;
  if (takes !== "number") return value;
  return /^\d{1,9}$/.test(value) && Number(value) >= least ? String(Number(value)) : undefined;
}
