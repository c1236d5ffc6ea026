import type { SvcError } from "../contract/errors.ts";
import { ActorName, ProjectName } from "../contract/values.ts";
import { addressOf, type CatalogEntry, type RemoteEntry } from "./catalog.ts";
import { fileError, isTable } from "./toml.ts";

/** One `[[federation.project]]` of config.toml: a project of this daemon that is to be a copy of a hub's project. */
export interface FederationMapping {
  /** A `[[daemon]]` entry with a URL. */
  readonly hub: RemoteEntry;
  /** The name of the project here. */
  readonly spoke_project: string;
  /** The name of the project on the hub. */
  readonly hub_project: string;
  /** The actor in whose name changes are sent to the hub, unless the enrollment of the token names another actor. */
  readonly actor: string;
}

const KEYS = ["hub", "spoke_project", "hub_project", "actor"] as const;

/**
 * Reads the mappings, in the order of the file. Throws `validation` for what docs/contract/federation.md#10-mappings
 * does not allow.
 */
export function readMappings(
  value: unknown,
  catalog: readonly CatalogEntry[],
  path: string,
): readonly FederationMapping[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isTable))
    throw fileError(path, "must write a mapping as [[federation.project]]");
  const mappings = value.map((table, place) => readMapping(table, { catalog, path, place }));
  requireOnce(mappings, ({ spoke_project }) => spoke_project, {
    ...{ path, what: "the same spoke_project" },
  });
  requireOnce(mappings, ({ hub, hub_project }) => `${addressOf(hub)} ${hub_project}`, {
    ...{ path, what: "the same hub_project at one address" },
  });
  return mappings;
}

interface Place {
  readonly catalog: readonly CatalogEntry[];
  readonly path: string;
  readonly place: number;
}

function readMapping(
  table: Readonly<Record<string, unknown>>,
  { catalog, path, place }: Place,
): FederationMapping {
  const fail: Fail = (what, hint) => fileError(path, `in ${named(place)} ${what}`, undefined, hint);
  const unknown = Object.keys(table).find((key) => !KEYS.some((known) => known === key));
  if (unknown !== undefined) throw fail(`has the unknown key ${JSON.stringify(unknown)}`);
  const textOf = (key: (typeof KEYS)[number]): string => {
    const found = table[key];
    if (found === undefined) throw fail(`has no ${key}`);
    if (typeof found === "string" && found !== "") return found;
    throw fail(`must have text as ${key}`);
  };
  return {
    hub: hubOf(textOf("hub"), catalog, fail),
    spoke_project: projectOf(textOf("spoke_project"), "spoke_project", fail),
    hub_project: projectOf(textOf("hub_project"), "hub_project", fail),
    actor: actorOf(textOf("actor"), fail),
  };
}

type Fail = (what: string, hint?: string) => SvcError;

function hubOf(name: string, catalog: readonly CatalogEntry[], fail: Fail): RemoteEntry {
  const entry = catalog.find((one) => one.name === name);
  if (entry === undefined) {
    const names = catalog.map((one) => one.name).join(", ");
    const known = names === "" ? "there is no [[daemon]] entry" : `there are: ${names}`;
    throw fail(`names a hub that is no [[daemon]] entry: ${JSON.stringify(name)}`, known);
  }
  const { origin } = entry;
  if (origin === undefined)
    throw fail(`names this machine's own daemon as its hub: ${JSON.stringify(name)}`, NEEDS_URL);
  return { ...entry, origin };
}

const NEEDS_URL = "the [[daemon]] entry of a hub has a url";

function projectOf(text: string, key: string, fail: Fail): string {
  const [issue] = ProjectName().safeParse(text).error?.issues ?? [];
  if (issue === undefined) return text;
  throw fail(`has a ${key} that is no name of a project: it ${issue.message}`);
}

function actorOf(text: string, fail: Fail): string {
  const [issue] = ActorName().safeParse(text).error?.issues ?? [];
  if (issue === undefined) return text;
  throw fail(`has an actor that cannot be used: it ${issue.message}`);
}

/** Throws if two mappings have the same key. */
function requireOnce(
  mappings: readonly FederationMapping[],
  keyOf: (mapping: FederationMapping) => string,
  { path, what }: { readonly path: string; readonly what: string },
): void {
  const places = new Map<string, number>();
  for (const [place, mapping] of mappings.entries()) {
    const first = places.get(keyOf(mapping));
    if (first !== undefined)
      throw fileError(path, `has ${what} in ${named(first)} and ${named(place)}`);
    places.set(keyOf(mapping), place);
  }
}

/** A mapping has no name, so messages count them as the log and `svc doctor` do. */
function named(place: number): string {
  return `[[federation.project]] number ${place + 1}`;
}
