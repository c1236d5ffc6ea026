import { type Instant, parseInstant } from "../../base/clock.ts";
import { type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";
import { brokenLine, type Line } from "../lines.ts";

/** One issue as a line of the file gives it; `fields` holds everything, the rest was checked. */
export interface BeadsIssue {
  readonly line: number;
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly type: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly dependencies: readonly BeadsEdge[];
  readonly comments: readonly BeadsComment[];
  readonly labels: readonly string[];
  readonly fields: JsonObject;
}

/** `from` depends on `to`: a child names its parent, a blocked issue what blocks it. */
export interface BeadsEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly created_at?: string;
  readonly created_by?: string;
}

export interface BeadsComment {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly createdAt: Instant | undefined;
}

/** A record that is no issue: newer exports mark each line with `_type`. */
export interface OtherRecord {
  readonly other: string;
}

/** The instant that Go writes for "no time". */
export const ZERO_TIME = "0001-01-01T00:00:00.000Z";

/** Reads one line, or refuses it with its number. Status and type have the defaults that beads gives them. */
export function parseRecord(line: Line): BeadsIssue | OtherRecord {
  const fields = parseObject(line);
  const marked = fields["_type"];
  if (typeof marked === "string" && marked !== "issue") return { other: marked };
  const read = reader(line.number, fields);
  const id = read.text("id");
  if (id === undefined || id.trim() === "") throw brokenLine(line.number, "no id");
  const createdAt = read.instant("created_at");
  if (createdAt === undefined) throw brokenLine(line.number, "no created_at");
  return {
    line: line.number,
    id,
    title: read.text("title") ?? "",
    status: read.text("status")?.trim() || "open",
    type: read.text("issue_type")?.trim() || "task",
    createdAt,
    updatedAt: read.instant("updated_at") ?? createdAt,
    dependencies: read.objects("dependencies").map((entry) => readEdge(line.number, id, entry)),
    comments: read.objects("comments").map((entry, at) => readComment(line.number, at, entry)),
    labels: read.texts("labels"),
    fields,
  };
}

/** `undefined` for absent, empty and Go's zero time; null for what is no instant. */
export function optionalInstant(value: JsonValue | undefined): Instant | undefined | null {
  if (value === undefined || value === null || value === "") return undefined;
  const instant = typeof value === "string" ? parseInstant(value) : undefined;
  if (instant === undefined) return null;
  return instant === ZERO_TIME ? undefined : instant;
}

function parseObject(line: Line): JsonObject {
  let value: JsonValue;
  try {
    value = parseJson(line.text);
  } catch (cause) {
    throw brokenLine(line.number, "not JSON", cause);
  }
  if (!isObject(value)) throw brokenLine(line.number, "not a JSON object");
  return value;
}

function readEdge(line: number, issue: string, entry: JsonObject): BeadsEdge {
  const read = reader(line, entry, "dependencies");
  const to = read.text("depends_on_id");
  if (to === undefined || to === "") throw brokenLine(line, "a dependency without depends_on_id");
  const createdBy = read.text("created_by")?.trim();
  const createdAt = read.instant("created_at");
  return {
    from: issue,
    to,
    kind: read.text("type")?.trim() || "blocks",
    ...(createdAt === undefined ? {} : { created_at: createdAt }),
    ...(createdBy ? { created_by: createdBy } : {}),
  };
}

function readComment(line: number, at: number, entry: JsonObject): BeadsComment {
  const read = reader(line, entry, "comments");
  const id = entry["id"];
  return {
    id: typeof id === "string" || typeof id === "number" ? String(id) : `#${at + 1}`,
    author: read.text("author")?.trim() ?? "",
    text: read.text("text") ?? "",
    createdAt: read.instant("created_at"),
  };
}

/** Typed access to an object's fields; null counts as absent, a wrong type refuses the line. */
function reader(line: number, from: JsonObject, inside?: string) {
  const bad = (name: string, what: string): never => {
    throw brokenLine(line, `${inside === undefined ? "" : `${inside}: `}${name} is not ${what}`);
  };
  const list = (name: string): readonly JsonValue[] => {
    const value = from[name] ?? [];
    return Array.isArray(value) ? value : bad(name, "a list");
  };
  return {
    text(name: string): string | undefined {
      const value = from[name];
      if (value === undefined || value === null) return undefined;
      return typeof value === "string" ? value : bad(name, "text");
    },
    instant(name: string): Instant | undefined {
      const instant = optionalInstant(from[name]);
      return instant === null ? bad(name, "an instant") : instant;
    },
    objects(name: string): readonly JsonObject[] {
      return list(name).map((entry) => (isObject(entry) ? entry : bad(name, "a list of objects")));
    },
    texts(name: string): readonly string[] {
      return list(name).map((entry) =>
        typeof entry === "string" ? entry : bad(name, "a list of texts"),
      );
    },
  };
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
