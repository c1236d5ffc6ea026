import { type Instant, parseInstant } from "../base/clock.ts";
import { isPlainObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { MAX_BRIDGE_TEXT } from "../contract/limits.ts";
import { canonicalValue, sameValue } from "../domain/bridges/field-values.ts";
import {
  CAPABILITIES,
  type Capability,
  type Described,
  type Descriptor,
  type ExternalComment,
  FIELD_KINDS,
  type FieldKind,
  type FieldValue,
  type Root,
} from "../domain/bridges/values.ts";
import { codePoints } from "../domain/text.ts";
import { PROTOCOL } from "./exchange.ts";
import type { RuleId } from "./rules.ts";

/** A result that breaks a rule of docs/connectors.md. */
export class BrokenRule extends Error {
  readonly rule: RuleId;

  constructor(rule: RuleId) {
    super(rule);
    this.rule = rule;
  }
}

type Values = ReadonlyMap<string, FieldValue>;

// Each of these functions checks the result of a method and throws `BrokenRule`. Members that are not named here are
// ignored.

export function describedOf(result: JsonObject): Described {
  const texts = textsOf(result, ["display_name", "protocol"], "describe.form");
  if (texts.protocol !== PROTOCOL) throw new BrokenRule("describe.form");
  const capabilities = capabilitiesOf(result["capabilities"]);
  const { self_actor_id, config_schema } = result;
  if (capabilities.includes("publish_comment") && self_actor_id === undefined)
    throw new BrokenRule("describe.self");
  if (config_schema !== undefined && !isPlainObject(config_schema))
    throw new BrokenRule("describe.form");
  requireName(texts.display_name);
  return {
    ...texts,
    capabilities,
    connector_id: requireName(idOf(result["connector_id"])),
    account_identity: requireName(idOf(result["account_identity"])),
    ...(self_actor_id === undefined ? {} : { self_actor_id: requireName(idOf(self_actor_id)) }),
    ...(config_schema === undefined ? {} : { config_schema }),
  };
}

/** The names of `describe` are shown and kept, so they are short lines. */
function requireName(text: string): string {
  if (text.length > MOST_NAME || CONTROL.test(text)) throw new BrokenRule("describe.names");
  return text;
}

const MOST_NAME = 256;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

function capabilitiesOf(given: JsonValue | undefined): readonly Capability[] {
  if (!Array.isArray(given)) throw new BrokenRule("describe.form");
  const named = given.map((name) => oneOf(name, CAPABILITIES, "describe.capabilities"));
  if (new Set(named).size !== named.length) throw new BrokenRule("describe.capabilities");
  return named;
}

export function rootOf(result: JsonObject): Root {
  const { actor, fields } = result;
  const updated_at = timeOf(result["updated_at"], "root.times");
  const observed_at = timeOf(result["observed_at"], "root.times");
  if (observed_at < updated_at) throw new BrokenRule("root.times");
  return {
    ...textsOf(result, ["title", "body"], "root.form"),
    key: idOf(result["key"]),
    identity_key: idOf(result["identity_key"]),
    revision: idOf(result["revision"]),
    state: oneOf(result["state"], ["open", "complete", "deleted"], "root.state"),
    ...{ updated_at, observed_at },
    ...(actor === undefined ? {} : { actor: actorOf(actor) }),
    ...(fields === undefined ? {} : { fields: valuesOf(fields) }),
  };
}

function actorOf(given: JsonValue): NonNullable<Root["actor"]> {
  const actor = objectOf(given, "root.form");
  return { id: idOf(actor["id"]), ...nameOf(actor, "root.form") };
}

export function completedRootOf(result: JsonObject, key: string): Root {
  const root = rootOf(result);
  if (root.key !== key || root.state !== "complete") throw new BrokenRule("complete.state");
  return root;
}

export function commentsOf(result: JsonObject): readonly ExternalComment[] {
  const { comments } = result;
  if (!Array.isArray(comments)) throw new BrokenRule("comments.form");
  const read = comments.map((comment) => commentOf(objectOf(comment, "comments.form")));
  if (new Set(read.map(({ id }) => id)).size !== read.length)
    throw new BrokenRule("comments.unique");
  if (read.some((comment, at) => at > 0 && !isBefore(read[at - 1], comment)))
    throw new BrokenRule("comments.order");
  return read;
}

/** Compares ids by their UTF-16 units. */
function isBefore(left: ExternalComment | undefined, right: ExternalComment): boolean {
  if (left === undefined || left.created_at < right.created_at) return true;
  return left.created_at === right.created_at && left.id < right.id;
}

export function commentOf(result: JsonObject): ExternalComment {
  const author = objectOf(result["author"], "comments.form");
  const { display_name } = author;
  const { deleted } = result;
  if (typeof deleted !== "boolean") throw new BrokenRule("comments.form");
  const created_at = timeOf(result["created_at"], "comments.times");
  const updated_at = timeOf(result["updated_at"], "comments.times");
  if (updated_at < created_at) throw new BrokenRule("comments.times");
  const name = display_name === undefined ? {} : nameOf(author, "comments.form");
  return {
    id: idOf(result["id"]),
    revision: idOf(result["revision"]),
    ...textsOf(result, ["body"], "comments.form"),
    author: { id: idOf(author["id"]), ...name },
    ...{ created_at, updated_at, deleted },
  };
}

export function publishedCommentOf(
  result: JsonObject,
  asked: { readonly body: string; readonly self_actor_id: string },
): ExternalComment {
  const comment = commentOf(result);
  const isAsked = comment.body === asked.body && comment.author.id === asked.self_actor_id;
  if (!isAsked || comment.deleted) throw new BrokenRule("publish.comment");
  return comment;
}

export function descriptorsOf(result: JsonObject): readonly Descriptor[] {
  const { fields } = result;
  if (!Array.isArray(fields)) throw new BrokenRule("fields.form");
  const read = fields.map((field) => descriptorOf(objectOf(field, "fields.form")));
  if (new Set(read.map(({ id }) => id)).size !== read.length) throw new BrokenRule("fields.unique");
  return read;
}

function descriptorOf(field: JsonObject): Descriptor {
  const { accepted_kinds, nullable, writable } = field;
  if (!Array.isArray(accepted_kinds) || typeof nullable !== "boolean")
    throw new BrokenRule("fields.form");
  if (typeof writable !== "boolean") throw new BrokenRule("fields.form");
  const kinds: readonly FieldKind[] = accepted_kinds.map((kind) =>
    oneOf(kind, FIELD_KINDS, "fields.form"),
  );
  return {
    ...nameOf(field, "fields.form"),
    id: idOf(field["id"]),
    accepted_kinds: [...new Set(kinds)],
    ...{ nullable, writable },
    schema_revision: idOf(field["schema_revision"]),
  };
}

export function readValuesOf(result: JsonObject, ids: readonly string[]): Values {
  const values = valuesOf(result["fields"]);
  if (!hasKeys(values, ids)) throw new BrokenRule("read_fields.ids");
  return values;
}

export function writtenValuesOf(result: JsonObject, written: Values): Values {
  const values = valuesOf(result["fields"]);
  if (!hasKeys(values, [...written.keys()])) throw new BrokenRule("write_fields.ids");
  for (const [id, value] of written) {
    const found = values.get(id);
    if (found === undefined || !sameValue(found, value))
      throw new BrokenRule("write_fields.values");
  }
  return values;
}

function hasKeys(values: Values, ids: readonly string[]): boolean {
  const asked = new Set(ids);
  return asked.size === values.size && [...asked].every((id) => values.has(id));
}

function valuesOf(given: JsonValue | undefined): Values {
  const entries = Object.entries(objectOf(given, "value.form"));
  return new Map(
    entries.map(([id, value]) => {
      const canonical = canonicalValue(value);
      if (canonical === undefined) throw new BrokenRule("value.form");
      return [idOf(id), canonical];
    }),
  );
}

function objectOf(given: JsonValue | undefined, rule: RuleId): JsonObject {
  if (!isPlainObject(given)) throw new BrokenRule(rule);
  return given;
}

/** A surrogate without its other half, which no UTF-8 can spell. */
const BROKEN_TEXT = /\p{Cs}/u;

function textsOf<K extends string>(
  from: JsonObject,
  keys: readonly K[],
  rule: RuleId,
): Readonly<Record<K, string>> {
  const texts = keys.map((key) => {
    const text = from[key];
    if (typeof text !== "string" || BROKEN_TEXT.test(text)) throw new BrokenRule(rule);
    return [key, text] as const;
  });
  return Object.fromEntries(texts) as Record<K, string>;
}

function idOf(given: JsonValue | undefined): string {
  if (typeof given !== "string" || given === "" || given.trim() !== given)
    throw new BrokenRule("text.id");
  if (BROKEN_TEXT.test(given)) throw new BrokenRule("text.id");
  return requireShort(given, MOST_ID);
}

/** In characters, of at most 4 bytes each: PostgreSQL has at most 2704 bytes in one row of an index. */
const MOST_ID = 512;

function requireShort(text: string, most: number): string {
  if (codePoints(text) > most || text.includes("\0")) throw new BrokenRule("text.id");
  return text;
}

/** The name of a person or a field, which may be empty. */
function nameOf(from: JsonObject, rule: RuleId): { readonly display_name: string } {
  const { display_name } = textsOf(from, ["display_name"], rule);
  // Daemons refuse events with longer names (docs/contract/events.md#38-bridges).
  return { display_name: requireShort(display_name, MAX_BRIDGE_TEXT) };
}

function timeOf(given: JsonValue | undefined, rule: RuleId): Instant {
  const instant = typeof given === "string" ? parseInstant(given) : undefined;
  if (instant === undefined) throw new BrokenRule(rule);
  return instant;
}

function oneOf<T extends string>(
  given: JsonValue | undefined,
  names: readonly T[],
  rule: RuleId,
): T {
  const found = names.find((name) => name === given);
  if (found === undefined) throw new BrokenRule(rule);
  return found;
}
