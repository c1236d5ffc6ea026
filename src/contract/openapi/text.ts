import { stringify } from "yaml";
import { openApiDocument } from "./document.ts";
import type { OpenApiVersion } from "./schemas.ts";

/**
 * The OpenAPI document as YAML, as it is committed and printed. It has no anchors, so that changes are easy to read.
 */
export function openApiYaml(version: OpenApiVersion): string {
  return stringify(openApiDocument(version), {
    aliasDuplicateObjects: false,
    lineWidth: 100,
    blockQuote: "literal",
  });
}
