import { base64ToBytes } from "../../base/bytes.ts";
import { type Instant, parseInstant } from "../../base/clock.ts";
import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { isUlid } from "../../base/ulid.ts";
import { SYSTEM_PROJECT_UID } from "../../domain/tokens.ts";
import { invalidLineError } from "./lines.ts";

/**
 * Typed access to the fields of an object on a line. Null counts as absent. A wrong type or a missing required field
 * throws `validation` with the number of the line and the name of the field.
 */
export interface ObjectReader {
  has(name: string): boolean;
  text(name: string): string;
  optionalText(name: string): string | undefined;
  instant(name: string): Instant;
  optionalInstant(name: string): Instant | undefined;
  /** Returns an instant as it is written in the file, with its offset and all its digits. */
  instantText(name: string): string | undefined;
  /** An integer that JavaScript represents exactly and that is not less than `least`. */
  integer(name: string, least: number): number;
  optionalInteger(name: string, least: number): number | undefined;
  /** A ULID. The ULID of the system project is refused, because nobody sees the events of that project. */
  uid(name: string): string;
  optionalUid(name: string): string | undefined;
  oneOf<const T extends string>(name: string, words: readonly T[]): T;
  /** Returns the bytes of a field that contains them as base64. */
  bytes(name: string): Uint8Array;
  object(name: string): JsonObject;
  objects(name: string): readonly JsonObject[];
  /** Returns a reader for the object that a field holds. */
  inside(name: string): ObjectReader;
  texts(name: string): readonly string[];
  /** Throws when the object has the field. */
  absent(name: string, where: string): void;
  /** Throws when the object has a field that was not read. */
  noMore(): void;
}

export function objectReader(line: number, from: JsonObject, inside?: string): ObjectReader {
  const takenFields = new Set<string>();
  const refuse = (name: string, what: string): never => {
    const place = inside === undefined ? name : `${inside}: ${name}`;
    throw invalidLineError(line, `${place} ${what}`);
  };
  const take = (name: string): JsonValue | undefined => {
    takenFields.add(name);
    return from[name] ?? undefined;
  };
  const required = <T>(name: string, value: T | undefined): T =>
    value ?? refuse(name, "is missing");
  const list = (name: string): readonly JsonValue[] => {
    const value = take(name) ?? [];
    return Array.isArray(value) ? value : refuse(name, "is not a list");
  };
  const reader: ObjectReader = {
    has: (name) => take(name) !== undefined,
    text: (name) => required(name, reader.optionalText(name)),
    optionalText(name) {
      const value = take(name);
      return value === undefined || typeof value === "string" ? value : refuse(name, "is not text");
    },
    instant: (name) => required(name, reader.optionalInstant(name)),
    optionalInstant(name) {
      const text = reader.optionalText(name);
      return text === undefined
        ? undefined
        : (parseInstant(text) ?? refuse(name, "is not an instant"));
    },
    instantText(name) {
      const text = reader.optionalText(name);
      const isInstant = text === undefined || parseInstant(text) !== undefined;
      return isInstant ? text : refuse(name, "is not an instant");
    },
    integer: (name, least) => required(name, reader.optionalInteger(name, least)),
    optionalInteger(name, least) {
      const value = take(name);
      if (value === undefined) return undefined;
      if (typeof value !== "number" || !Number.isSafeInteger(value)) {
        return refuse(name, "is not a whole number");
      }
      return value >= least ? value : refuse(name, `is less than ${least}`);
    },
    uid: (name) => required(name, reader.optionalUid(name)),
    optionalUid(name) {
      const text = reader.optionalText(name);
      if (text === undefined) return undefined;
      if (text === SYSTEM_PROJECT_UID) refuse(name, IS_SYSTEM);
      return isUlid(text) && text === text.toUpperCase() ? text : refuse(name, "is not a ULID");
    },
    oneOf(name, words) {
      const text = reader.text(name);
      return (
        words.find((word) => word === text) ?? refuse(name, `is not one of ${words.join(", ")}`)
      );
    },
    bytes: (name) => base64ToBytes(reader.text(name)) ?? refuse(name, "is not base64"),
    object(name) {
      const value = required(name, take(name));
      return isPlainObject(value) ? value : refuse(name, "is not an object");
    },
    inside: (name) => objectReader(line, reader.object(name), name),
    objects: (name) =>
      list(name).map((entry) =>
        isPlainObject(entry) ? entry : refuse(name, "is not a list of objects"),
      ),
    texts: (name) =>
      list(name).map((entry) =>
        typeof entry === "string" ? entry : refuse(name, "is not a list of texts"),
      ),
    absent(name, where) {
      if (take(name) !== undefined) refuse(name, `is no field of ${where}`);
    },
    noMore() {
      const extra = Object.keys(from).find((name) => !takenFields.has(name));
      if (extra !== undefined) refuse(extra, "is not a field that svc knows");
    },
  };
  return reader;
}

const IS_SYSTEM =
  "is the uid of the hidden system project, which is in no record but those of tokens; export the database again";
