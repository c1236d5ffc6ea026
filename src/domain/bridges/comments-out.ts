import { sha256Hex } from "../../base/hash.ts";

/**
 * By this id a provider recognises a repeated publication: SHA-256 of the text `svc.external-comment.v1`, the uid of
 * the binding and the uid of the comment, with NUL between them (docs/contract/connectors.md).
 */
export function operationId(bindingUid: string, commentUid: string): string {
  return sha256Hex(["svc.external-comment.v1", bindingUid, commentUid].join("\0"));
}
