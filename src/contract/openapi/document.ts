import type { z } from "zod";
import type { JsonObject } from "../../base/json.ts";
import { ROUTES } from "../index.ts";
import { FenceHeaders } from "../leases.ts";
import type { Route } from "../route.ts";
import { Nothing, type Shape } from "../shape.ts";
import { API_SCHEMA_VERSION, BASE_PATH } from "../version.ts";
import { errorResponses, errorSchema, sharedResponses } from "./errors.ts";
import { componentSchemas, type OpenApiVersion, schemaOf } from "./schemas.ts";

/**
 * Builds the OpenAPI document from the routes alone, without daemon or database
 * (docs/contract/http-api.md#11-transport-and-formats).
 */
export function openApiDocument(version: OpenApiVersion): JsonObject {
  return {
    openapi: version === "3.1" ? "3.1.1" : "3.0.4",
    info: {
      title: "svc",
      version: API_SCHEMA_VERSION,
      description: DESCRIPTION,
      license: { name: "MIT", ...LICENSE[version] },
    },
    servers: [{ url: "/", description: "the daemon: see `svc daemon locate`" }],
    tags: [...new Set(ROUTES.map(({ tag }) => tag))].map((name) => ({ name })),
    // The empty entry means that a request needs no token, since most daemons ask for none.
    security: [{}, { token: [] }],
    paths: paths(version),
    components: {
      schemas: { ...componentSchemas(version), Error: errorSchema(version) },
      responses: sharedResponses(),
      securitySchemes: { token: TOKEN },
    },
  };
}

/** The license field. OpenAPI 3.0 has no SPDX identifier. */
const LICENSE = {
  "3.1": { identifier: "MIT" },
  "3.0": { url: "https://spdx.org/licenses/MIT.html" },
} as const;

const TOKEN = {
  type: "http",
  scheme: "bearer",
  description: "the token of a daemon that asks for one, or the token of a person",
} as const;

const DESCRIPTION = `Requests and answers are JSON. Unknown fields of a request body are refused with 400 \`validation\`,
unknown query parameters are ignored; clients keep fields of an answer that they do not know.
Absent optional fields are omitted, lists are always lists. Instants are UTC with milliseconds.`;

function paths(version: OpenApiVersion): JsonObject {
  const byPath = new Map<string, Record<string, JsonObject>>();
  for (const route of ROUTES) {
    const path = BASE_PATH + route.path;
    const methods = byPath.get(path) ?? {};
    methods[route.method.toLowerCase()] = operation(route, version);
    byPath.set(path, methods);
  }
  return Object.fromEntries(byPath);
}

function operation(route: Route, version: OpenApiVersion): JsonObject {
  const parameters = [
    ...parametersOf(route.params, "path", version),
    ...parametersOf(route.query, "query", version),
    ...parametersOf(route.headers, "header", version),
    ...(route.fenced !== undefined ? parametersOf(FenceHeaders, "header", version) : []),
  ];
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.access === "open" ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === Nothing
      ? {}
      : { requestBody: { required: true, content: json(schemaOf(route.body(), version)) } }),
    responses: {
      [String(route.status)]: success(route, version),
      ...(route.notModified === true ? NOT_MODIFIED : {}),
      ...errorResponses(route),
    },
  };
}

const NOT_MODIFIED = { 304: { description: "If-None-Match names the current ETag" } };

function success(route: Route, version: OpenApiVersion): JsonObject {
  if (route.status === 204) return { description: "done" };
  const schema = schemaOf(route.response(), version);
  const headers = Object.entries(route.responseHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: "string" } },
  ]);
  return {
    description: "done",
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    content: { [route.responseType ?? "application/json"]: { schema } },
  };
}

function json(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

/** A list parameter repeats its name (`label=a&label=b`), which is OpenAPI's default. */
function parametersOf(
  shape: Shape<z.ZodObject>,
  place: "path" | "query" | "header",
  version: OpenApiVersion,
): readonly JsonObject[] {
  return Object.entries(shape().shape).map(([name, field]) => {
    const { description, ...schema } = schemaOf(field, version);
    const required = place === "path" || !isOptional(field);
    return {
      name: place === "header" ? headerName(name) : name,
      in: place,
      ...(required ? { required } : {}),
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}

function isOptional(field: z.core.$ZodType): boolean {
  return field._zod.optin === "optional";
}

/** Spells `if-match` as `If-Match`. Header names are case-insensitive. */
function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}
