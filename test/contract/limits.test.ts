import { expect, test } from "vitest";
import { openApiDocument } from "../../src/contract/openapi/document.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Returns every list that a request may contain, by its place in the OpenAPI document. */
function requestLists(): ReadonlyMap<string, Json> {
  const document = JSON.parse(JSON.stringify(openApiDocument("3.1"))) as Json;
  const lists = new Map<string, Json>();
  const seen = new Set<string>();
  const walk = (node: Json, place: string): void => {
    if (typeof node !== "object" || node === null) return;
    if (!Array.isArray(node)) {
      const object = node as { readonly [key: string]: Json };
      const { $ref: ref, type } = object;
      if (typeof ref === "string" && !seen.has(ref)) {
        seen.add(ref);
        walk(at(document, ref), ref.slice("#/components/schemas/".length));
      }
      if (type === "array") lists.set(place, object["maxItems"] ?? null);
    }
    for (const [key, inner] of Object.entries(node)) walk(inner as Json, `${place}.${key}`);
  };
  const paths = (document as { paths: Record<string, Record<string, Record<string, Json>>> }).paths;
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      walk(operation["parameters"] ?? null, `${method} ${path}`);
      walk(operation["requestBody"] ?? null, `${method} ${path}`);
    }
  return lists;
}

function at(document: Json, ref: string): Json {
  return ref
    .slice(2)
    .split("/")
    .reduce<Json>((node, key) => (node as { readonly [key: string]: Json })[key] ?? null, document);
}

test("every list in a request has a documented maximum length", () => {
  const lists = requestLists();
  // Lists in a definition are limited only by the size of the whole definition (MAX_DEFINITION_BYTES).
  const unlimited = [...lists].filter(
    ([place, max]) => typeof max !== "number" && !place.startsWith("WorkflowDefinition."),
  );
  expect(unlimited.map(([place]) => place)).toEqual([]);
  expect(lists.size).toBeGreaterThan(25);
});
