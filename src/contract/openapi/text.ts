import { stringify } from "yaml";
import { openApiDocument } from "./document.ts";
import type { OpenApiVersion } from "./schemas.ts";

/** The document as it is committed and printed. Nothing is folded into anchors: the text shall diff well. */
export function openApiYaml(version: OpenApiVersion): string {
  return stringify(openApiDocument(version), {
    aliasDuplicateObjects: false,
    lineWidth: 100,
    blockQuote: "literal",
  });
}
