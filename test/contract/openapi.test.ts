import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ERRORS } from "../../src/contract/error-codes.ts";
import { ROUTES } from "../../src/contract/index.ts";
import { openApiDocument } from "../../src/contract/openapi/document.ts";
import { openApiYaml } from "../../src/contract/openapi/text.ts";
import { API_SCHEMA_VERSION } from "../../src/contract/version.ts";

type Node = { readonly [key: string]: Node } & { readonly [Symbol.iterator]?: never };

const VERSIONS = ["3.1", "3.0"] as const;

describe.each(VERSIONS)("OpenAPI %s", (version) => {
  test("an independent validator accepts the document", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(documentOf(version));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe(version);
  });

  test("the document carries the version of the contract", () => {
    const { info, openapi } = openApiDocument(version);
    expect(info).toMatchObject({ version: API_SCHEMA_VERSION });
    expect(API_SCHEMA_VERSION).toBe("0.22.0");
    expect(String(openapi).startsWith(`${version}.`)).toBe(true);
  });

  test("null is allowed only beside another type, and the licence is named in full", () => {
    const document = documentOf(version);
    const untyped = [...schemasOf(document)].filter(
      (schema) => schema["nullable"] !== undefined && schema["type"] === undefined,
    );
    expect(untyped).toEqual([]);
    // `exclusiveMinimum` is a boolean in OpenAPI 3.0 and a number in every other JSON Schema.
    const flags = [...schemasOf(document)].filter(
      (schema) => typeof schema["exclusiveMinimum"] === "boolean",
    );
    expect(flags).toEqual([]);
    const full = version === "3.1" ? { identifier: "MIT" } : { url: /^https:/ };
    expect(Object.keys(document["info"]?.["license"] ?? {})).toEqual([
      "name",
      ...Object.keys(full),
    ]);
  });

  test("YAML and JSON have the same content", () => {
    expect(parse(openApiYaml(version))).toEqual(documentOf(version));
  });

  test("every reference points to a schema that exists, and every named schema is used", () => {
    const document = documentOf(version);
    const refs = new Set([...nodes(document)].flatMap(({ $ref }) => ($ref ? [String($ref)] : [])));
    const named = ["schemas", "responses"].flatMap((kind) =>
      Object.keys(document["components"]?.[kind] ?? {}).map(
        (name) => `#/components/${kind}/${name}`,
      ),
    );
    expect([...refs].sort()).toEqual(named.sort());
  });

  test("every schema has a description", () => {
    const schemas = [...schemasOf(documentOf(version))];
    expect(schemas.length).toBeGreaterThan(300);
    const silent = schemas.filter(
      (schema) => !["type", "$ref", "anyOf", "oneOf", "allOf", "enum"].some((key) => key in schema),
    );
    expect(silent).toEqual([]);
  });

  test("schemas of request bodies forbid unknown fields, and schemas of answers allow them", () => {
    const document = documentOf(version);
    const bodies = reached(document, requestSchemas(document));
    const answers = reached(document, responseSchemas(document));
    const closed = (schema: Node): unknown => schema["additionalProperties"];
    const objects = (found: ReadonlySet<Node>) =>
      [...found].filter((schema) => schema["properties"] !== undefined);
    // Hubs and spokes of different versions send each other leases and events
    // (docs/contract/http-api.md#11-transport-and-formats), so that these bodies stay open.
    const schemas = document["components"]?.["schemas"];
    const open = [schemas?.["ClaimActionBody"], schemas?.["FederationIngestRequest"]];
    const others = objects(bodies).filter((schema) => !open.includes(schema));
    expect(others).toHaveLength(objects(bodies).length - 2);
    expect(new Set(others.map(closed))).toEqual(new Set([false]));
    expect(new Set(objects(answers).map(closed))).toEqual(
      new Set([version === "3.1" ? true : undefined]),
    );
  });
});

test("only version 3.1 writes null as a type", () => {
  const [modern, old] = VERSIONS.map((version) => JSON.stringify(openApiDocument(version)));
  expect(modern).toContain('"type":"null"');
  expect(modern).not.toContain('"nullable":true');
  expect(old).toContain('"nullable":true');
  expect(old).not.toContain('"type":"null"');
});

test("a bearer token may be sent to every route, except to those that are open to all or handle sessions", () => {
  const document = documentOf("3.1");
  expect(document["security"]).toEqual([{}, { token: [] }]);
  expect(document["components"]?.["securitySchemes"]).toMatchObject({
    token: { scheme: "bearer" },
  });
  const own = ROUTES.filter(({ path, method }) => operation(document, path, method)?.["security"]);
  // Pages open and end their sessions without one.
  const sessions = [
    "createWebSessionCode",
    "createLocalWebSession",
    "loginWebSession",
    "proxyWebSession",
  ];
  expect(own.map(({ id }) => id)).toEqual(["health", "ping", ...sessions, "deleteWebSession"]);
});

test("every route is in the document once, under its path and method", () => {
  const { paths } = documentOf("3.1");
  const listed = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
  );
  const expected = ROUTES.map(
    ({ id, method, path }) => `${id} ${method.toLowerCase()} /api/v1${path}`,
  );
  expect(listed.sort()).toEqual(expected.sort());
  expect(new Set(ROUTES.map(({ id }) => id)).size).toBe(ROUTES.length);
});

test.each(ROUTES.map((route) => [route.id, route] as const))(
  "%s lists each of its errors under its status, with the common error body",
  (_, route) => {
    const document = documentOf("3.1");
    const responses = operation(document, route.path, route.method)?.["responses"];
    const own = route.errors.map((code) => {
      const response = responses?.[String(ERRORS[code].status)];
      const name = String(response?.["$ref"]).replace("#/components/responses/", "");
      return response?.["$ref"] === undefined
        ? response
        : document["components"]?.["responses"]?.[name];
    });
    expect(own.map((response) => response?.["content"])).toEqual(
      own.map(() => ({
        "application/json": { schema: { $ref: "#/components/schemas/Error" } },
      })),
    );
    const described = own.map((response) => String(response?.["description"]));
    expect(described).toEqual(
      route.errors.map((code) => expect.stringContaining(`\`${code}\``) as string),
    );
  },
);

test("every path parameter occurs in its path, and every placeholder has a parameter", () => {
  const declared = ROUTES.map(({ id, params }) => [id, ...Object.keys(params().shape).sort()]);
  const inPath = ROUTES.map(({ id, path }) => [
    id,
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
  ]);
  expect(declared).toEqual(inPath);
});

function documentOf(version: (typeof VERSIONS)[number]): Node {
  return JSON.parse(JSON.stringify(openApiDocument(version)));
}

function operation(document: Node, path: string, method: string): Node | undefined {
  return document["paths"]?.[`/api/v1${path}`]?.[method.toLowerCase()];
}

/** Yields every object of the document. */
function* nodes(node: Node): Generator<Node> {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) yield node;
  for (const inner of Object.values(node)) yield* nodes(inner);
}

/** Yields every schema: named ones, those of parameters, bodies and answers, and those nested in them. */
function* schemasOf(document: Node): Generator<Node> {
  const roots = [
    ...Object.values(document["components"]?.["schemas"] ?? {}),
    ...[...nodes(document)].flatMap(({ schema }) => (schema === undefined ? [] : [schema])),
  ];
  for (const root of roots) yield* within(root);
}

function* within(schema: Node): Generator<Node> {
  yield schema;
  for (const inner of Object.values(schema["properties"] ?? {})) yield* within(inner);
  const { items, additionalProperties: extra } = schema;
  if (items !== undefined) yield* within(items);
  if (typeof extra === "object") yield* within(extra);
  for (const kind of ["anyOf", "oneOf", "allOf"]) {
    for (const inner of Object.values(schema[kind] ?? {})) yield* within(inner);
  }
}

function requestSchemas(document: Node): readonly Node[] {
  return [...nodes(document)].flatMap(({ requestBody }) =>
    requestBody === undefined ? [] : [...nodes(requestBody)].flatMap(({ schema }) => schema ?? []),
  );
}

function responseSchemas(document: Node): readonly Node[] {
  return [...nodes(document["paths"] ?? {})].flatMap(({ responses }) =>
    responses === undefined ? [] : [...nodes(responses)].flatMap(({ schema }) => schema ?? []),
  );
}

/** Returns the schemas that references lead to. */
function reached(document: Node, roots: readonly Node[]): ReadonlySet<Node> {
  const found = new Set<Node>();
  const visit = (root: Node): void => {
    for (const schema of within(root)) {
      if (found.has(schema)) continue;
      found.add(schema);
      const name =
        String(schema["$ref"] ?? "")
          .split("/")
          .at(-1) ?? "";
      const target = document["components"]?.["schemas"]?.[name];
      if (target !== undefined) visit(target);
    }
  };
  for (const root of roots) visit(root);
  return found;
}
