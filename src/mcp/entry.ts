import { z } from "zod";
import type { Annotations, Tool } from "./tool.ts";

export interface ToolEntry {
  readonly name: string;
  /** Absent for a loader, whose name says enough, and in a compact list. */
  readonly title?: string;
  readonly description: string;
  readonly annotations: Annotations;
  readonly inputSchema: ObjectSchema;
  /** Absent in a compact list. */
  readonly outputSchema?: ObjectSchema;
}

interface ObjectSchema {
  readonly type: "object";
  readonly [member: string]: unknown;
}

/**
 * Makes the entry of a tool. Making all of them takes milliseconds, so the server reads them from `entries.json`
 * instead. A test fails if that file differs from what this function makes.
 */
export function entryOf({ name, title, description, annotations, input, output }: Tool) {
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: schemaOf(input, "input"),
    outputSchema: schemaOf(output, "output"),
  };
}

function schemaOf(shape: z.ZodObject, io: "input" | "output"): ObjectSchema {
  const override = io === "input" ? removeAssumedParts : allowMoreMembers;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, { io, override });
  return { ...schema, type: "object" };
}

/** Removes parts of zod's schema that every reader assumes: the limits of safe integers, and that keys are strings. */
function removeAssumedParts({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  delete jsonSchema.propertyNames;
}

/**
 * Removes `additionalProperties` from the schema of an answer if it forbids further members or permits any. Either would
 * take kilobytes of the catalogue: a later version of svc may add members, and any are permitted without the word.
 */
function allowMoreMembers(at: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  removeAssumedParts(at);
  const { additionalProperties: more } = at.jsonSchema;
  const permitsAny = typeof more === "object" && Object.keys(more).length === 0;
  if (more === false || permitsAny) delete at.jsonSchema.additionalProperties;
}
