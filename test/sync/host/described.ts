import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly schema: object;
}

interface Operation {
  readonly method: string;
  readonly status: number;
  readonly parameters: readonly Parameter[];
  readonly request?: object;
  readonly answer: object;
}

interface Description {
  readonly paths: Readonly<Record<string, Operation>>;
  readonly definitions: Readonly<Record<string, object>>;
}

const TEXT = readFileSync(join(import.meta.dirname, "description", "rest.json"), "utf8");
const { paths, definitions } = JSON.parse(
  TEXT.replaceAll("#/components/schemas/", "#/definitions/").replace(
    '"schemas":',
    '"definitions":',
  ),
) as Description;

/** Returns what is wrong with a request and its answer by the published description, or `undefined`. */
export function faultByDescription(
  asked: { readonly method: string; readonly url: string; readonly body: string },
  status: number,
  answer: unknown,
): string | undefined {
  const { pathname, searchParams } = new URL(asked.url, "https://localhost");
  const path = pathname.replace(/^\/api\/v3/, "");
  const found = Object.entries(paths).find(([form]) => patternOf(form).test(path));
  if (found === undefined) return `no route ${path}`;
  const [form, operation] = found;
  if (asked.method !== operation.method.toUpperCase()) return `no ${asked.method} of ${form}`;
  if (status !== operation.status) return `${status} is not ${operation.status}`;
  for (const [name, value] of searchParams) {
    const parameter = operation.parameters.find((one) => one.in === "query" && one.name === name);
    if (parameter === undefined) return `no parameter ${name} of ${form}`;
    const fault = faultOf(parameter.schema, /^\d+$/.test(value) ? Number(value) : value);
    if (fault !== undefined) return `${name}: ${fault}`;
  }
  if (operation.request !== undefined) {
    const fault = faultOf(operation.request, JSON.parse(asked.body));
    if (fault !== undefined) return `body: ${fault}`;
  }
  return faultOf(operation.answer, answer);
}

function patternOf(form: string): RegExp {
  const source = form.replaceAll("{issue_number}", "\\d+").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${source}$`);
}

const schemas = new WeakMap<object, z.ZodType>();

function faultOf(schema: object, value: unknown): string | undefined {
  const known =
    schemas.get(schema) ??
    z.fromJSONSchema({ ...schema, definitions } as never, { defaultTarget: "openapi-3.0" });
  schemas.set(schema, known);
  const { error } = known.safeParse(value);
  return error === undefined ? undefined : z.prettifyError(error);
}
