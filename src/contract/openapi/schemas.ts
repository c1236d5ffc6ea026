import { z } from "zod";
import { invariant } from "../../base/invariant.ts";
import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { ROUTES } from "../index.ts";

export type OpenApiVersion = "3.1" | "3.0";

const ref = (id: string): string => `#/components/schemas/${id}`;

export function componentSchemas(version: OpenApiVersion): JsonObject {
  const named = namedSchemas();
  const { schemas } = z.toJSONSchema(named, { ...settings(version), uri: ref });
  const entries = Object.entries(schemas).map(
    ([id, schema]) => [id, typedNulls(withoutDocumentKeywords(schema), version)] as const,
  );
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function schemaOf(schema: z.core.$ZodType, version: OpenApiVersion): JsonObject {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: ref(id) };
  return typedNulls(withoutDocumentKeywords(z.toJSONSchema(schema, settings(version))), version);
}

/** Returns all schemas that have a name. A schema registers its name when it is built, so this builds all of them. */
function namedSchemas(): z.core.$ZodRegistry<{ id: string }> {
  const named = z.registry<{ id: string }>();
  const seen = new Set<z.core.$ZodType>();
  const visit = (schema: z.core.$ZodType): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const id = z.globalRegistry.get(schema)?.id;
    if (id !== undefined) named.add(schema, { id });
    for (const inner of innerSchemas(schema)) visit(inner);
  };
  for (const { body, response } of ROUTES) {
    visit(body());
    visit(response());
  }
  return named;
}

function innerSchemas(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  // The documentation of zod advises this cast for code that walks a schema.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return Object.values(def.shape);
    case "array":
      return [def.element];
    case "optional":
    case "nullable":
      return [def.innerType];
    case "union":
      return def.options;
    case "record":
      return [def.keyType, def.valueType];
    case "string":
    case "number":
    case "boolean":
    case "enum":
    case "literal":
    case "custom":
      return [];
    default:
      invariant(false, `the contract uses no schema of type ${def.type}`);
  }
}

function settings(version: OpenApiVersion) {
  return {
    // Input and output are equal, since no schema transforms or fills in a value.
    io: "input",
    target: version === "3.0" ? "openapi-3.0" : "draft-2020-12",
    unrepresentable: describedByMeta,
    override: ({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }) => {
      openUp(jsonSchema, version);
      nameInteger(jsonSchema);
    },
  } as const;
}

/**
 * zod cannot represent a custom check, so the `meta` of the check describes what it accepts. Anything else that zod
 * cannot represent is an error.
 */
function describedByMeta({ zodSchema }: { readonly zodSchema: z.core.$ZodType }) {
  return (zodSchema as z.core.$ZodTypes)._zod.def.type === "custom" ? {} : "throw";
}

/**
 * Objects in answers may have fields that the schema does not name. In 3.1 `additionalProperties` says so. In 3.0 the
 * keyword is left out, which means the same and suits code generators better
 * (docs/contract/http-api.md#73-what-raises-the-version). Objects in requests may have no other fields in both
 * versions.
 */
function openUp(schema: z.core.JSONSchema.BaseSchema, version: OpenApiVersion): void {
  const { additionalProperties: extra } = schema;
  const open = extra === true || (typeof extra === "object" && Object.keys(extra).length === 0);
  if (!open) return;
  if (version === "3.1") schema.additionalProperties = true;
  else delete schema.additionalProperties;
}

/** Replaces zod's bounds of JavaScript integers by `int64`, because clients need to know that 32 bits are too few. */
function nameInteger(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.type !== "integer") return;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.maximum === undefined) schema.format = "int64";
  // In 3.0 `exclusiveMinimum` is a flag, in 3.1 a number. For an integer, a `minimum` greater by one says the same.
  const { exclusiveMinimum, minimum } = schema as { exclusiveMinimum?: unknown; minimum?: number };
  if (exclusiveMinimum !== true || minimum === undefined) return;
  delete schema.exclusiveMinimum;
  schema.minimum = minimum + 1;
}

/**
 * In 3.0 `nullable` only works in a schema with a `type`. In a schema without a `type`, the first choice becomes
 * nullable if it has a type. Otherwise null becomes a choice of its own.
 */
function typedNulls(schema: JsonObject, version: OpenApiVersion): JsonObject {
  return version === "3.0" ? (withTypedNulls(schema) as JsonObject) : schema;
}

function withTypedNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withTypedNulls);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withTypedNulls(inner)]);
  const { nullable, anyOf, allOf, ...rest }: JsonObject = Object.fromEntries(entries);
  if (nullable !== true || rest["type"] !== undefined) return Object.fromEntries(entries);
  const choices = (anyOf ?? allOf) as readonly JsonObject[];
  const [first, ...more] = choices;
  if (first?.["type"] !== undefined)
    return { ...rest, anyOf: [{ ...first, nullable: true }, ...more] };
  return { ...rest, anyOf: [...choices, { type: "object", nullable: true, enum: [null] }] };
}

/** Removes keywords that only a whole JSON Schema document may have. */
function withoutDocumentKeywords({
  $schema: _dialect,
  $id: _uri,
  id: _name,
  ...schema
}: object & JsonLike): JsonObject {
  return schema as JsonObject;
}

interface JsonLike {
  readonly $schema?: unknown;
  readonly $id?: unknown;
  readonly id?: unknown;
}
