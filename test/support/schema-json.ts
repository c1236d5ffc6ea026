import { z } from "zod";

export interface Unwrapped {
  readonly inner: z.core.$ZodType;
  readonly optional: boolean;
  readonly nullable: boolean;
}

export function unwrapped(schema: z.core.$ZodType): Unwrapped {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional") return { ...unwrapped(def.innerType), optional: true };
  if (def.type === "nullable") return { ...unwrapped(def.innerType), nullable: true };
  return { inner: schema, optional: false, nullable: false };
}

/** The parts of JSON Schema that the contract's schemas use. */
export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly const?: string | number | boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly description?: string;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

const described = new WeakMap<z.core.$ZodType, JsonSchema>();

/** Returns the JSON Schema of the schema. */
export function jsonOf(schema: z.core.$ZodType): JsonSchema {
  const known = described.get(schema);
  if (known !== undefined) return known;
  const options = { io: "input", unrepresentable: "any", reused: "inline" } as const;
  const json = z.toJSONSchema(schema, options) as unknown as JsonSchema;
  const whole = resolved({ ...json, ...(z.globalRegistry.get(schema) as JsonSchema | undefined) });
  described.set(schema, whole);
  return whole;
}

/** A named schema is a reference to its definition. */
function resolved(json: JsonSchema): JsonSchema {
  const name = json.$ref?.split("/").at(-1);
  return name === undefined ? json : { ...json, ...json.$defs?.[name] };
}
