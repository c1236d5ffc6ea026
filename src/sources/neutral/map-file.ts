import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import { CLOSE_REASONS, type CloseReason } from "../../domain/close.ts";
import { spellLabel } from "../../domain/imports/spell-label.ts";
import { nearest } from "../../shared/nearest.ts";
import {
  LINK_WORDS,
  type LinkWord,
  type Mapping,
  type StatusRule,
  type TypeRule,
} from "./mapping.ts";

/**
 * Reads the mapping in a user's mapping file (docs/import.md). `table` is the parsed TOML or JSON. Throws `validation`
 * with the key of a fault and how to correct it.
 */
export function mappingOf(table: JsonValue, path: string): Mapping {
  const file = new Reading(path);
  if (!isPlainObject(table)) return file.refuse("", "is not an object");
  file.checkNames("", table, SECTIONS);
  return {
    statuses: file.section(table, "statuses", statusRule),
    types: file.section(table, "types", typeRule),
    links: file.section(table, "links", linkRule),
  };
}

export function mergeMappings(under: Mapping, over: Mapping): Mapping {
  return {
    ...under,
    statuses: { ...under.statuses, ...over.statuses },
    types: { ...under.types, ...over.types },
    links: { ...under.links, ...over.links },
  };
}

const SECTIONS = ["statuses", "types", "links"];

class Reading {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  refuse(key: string, why: string): never {
    const place = key === "" ? this.#path : `${this.#path}: ${key}`;
    const message = `${place} ${why}; nothing was written`;
    throw new SvcError("validation", { path: this.#path, key, why }, { message });
  }

  checkNames(key: string, table: JsonObject, names: readonly string[]): void {
    const keys = Object.keys(table);
    if (keys.length === 0) this.refuse(key, `is empty: there are ${names.join(", ")}`);
    const wrong = keys.find((name) => !names.includes(name));
    if (wrong === undefined) return;
    const near = nearest(wrong, names);
    const hint = near === undefined ? `there are ${names.join(", ")}` : `write ${near}`;
    this.refuse(join(key, wrong), `is no key of a mapping file: ${hint}`);
  }

  section<R>(
    table: JsonObject,
    name: string,
    rule: (file: Reading, key: string, value: JsonValue) => R,
  ): Readonly<Record<string, R>> {
    const rules = table[name] ?? {};
    if (!isPlainObject(rules)) return this.refuse(name, "is not a table of words and rules");
    const words = Object.entries(rules);
    return Object.fromEntries(
      words.map(([word, value]) => [word, rule(this, join(name, word), value)] as const),
    );
  }
}

/** The full key of a name in a table, as it is written in TOML. */
function join(table: string, name: string): string {
  const key = /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
  return table === "" ? key : `${table}.${key}`;
}

const STATUSES = ["open", "closed", "deleted"] as const;
const STATUS_KEYS = ["status", "reason", "label", "someday"];

function statusRule(file: Reading, key: string, value: JsonValue): StatusRule {
  if (typeof value === "string") return statusWord(file, key, value);
  const known = `write ${[...STATUSES, ...CLOSE_REASONS].join(", ")}, or a table of ${STATUS_KEYS.join(", ")}`;
  if (!isPlainObject(value)) return file.refuse(key, `is neither a word nor a table: ${known}`);
  file.checkNames(key, value, STATUS_KEYS);
  const { status, reason, label, someday } = value;
  const at = (name: string): string => join(key, name);
  const found = STATUSES.find(
    (one) => one === (status ?? (reason === undefined ? "open" : "closed")),
  );
  if (found === undefined)
    return file.refuse(at("status"), `is none of ${STATUSES.join(", ")}: write one of them`);
  if (reason !== undefined && found !== "closed")
    file.refuse(at("reason"), 'goes with status = "closed" only: leave one of them out');
  if (reason !== undefined && !isReason(reason))
    return file.refuse(at("reason"), `is none of ${CLOSE_REASONS.join(", ")}: write one of them`);
  if (someday !== undefined && (someday !== true || found !== "open"))
    file.refuse(at("someday"), 'goes with status = "open" only, and is true: leave it out');
  return {
    status: found,
    reason,
    label: label === undefined ? undefined : labelIn(file, at("label"), label),
    someday: someday === true,
  };
}

function statusWord(file: Reading, key: string, word: string): StatusRule {
  const status = STATUSES.find((one) => one === word);
  if (status !== undefined) return { status };
  if (isReason(word)) return { status: "closed", reason: word };
  return file.refuse(
    key,
    `is none of ${[...STATUSES, ...CLOSE_REASONS].join(", ")}: write one of them, or { status = "open", label = "…" } to keep it as a label`,
  );
}

function typeRule(file: Reading, key: string, value: JsonValue): TypeRule {
  return value === "ignore" ? value : { label: labelIn(file, key, value) };
}

function linkRule(file: Reading, key: string, value: JsonValue): LinkWord {
  const word = LINK_WORDS.find((one) => one === value);
  if (word !== undefined) return word;
  const near =
    typeof value === "string" ? nearest(value.replaceAll("_", "-"), LINK_WORDS) : undefined;
  return file.refuse(
    key,
    near === undefined
      ? `is none of ${LINK_WORDS.join(", ")}: write what the link says about the issue that has it`
      : `is no type of link: write ${near}`,
  );
}

function labelIn(file: Reading, key: string, value: JsonValue): string {
  if (typeof value !== "string") return file.refuse(key, "is not a label in quotes");
  const spelt = spellLabel(value);
  if (spelt === value && value.length <= 64) return value;
  return file.refuse(
    key,
    `is no label: write ${spelt === undefined ? "1 to 64 of a-z 0-9 . _ : -" : JSON.stringify(spelt)}`,
  );
}

function isReason(value: JsonValue): value is CloseReason {
  return CLOSE_REASONS.some((one) => one === value);
}
