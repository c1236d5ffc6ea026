import type { Instant } from "../../base/clock.ts";
import { sha256Hex } from "../../base/hash.ts";
import { isInvisible } from "../../base/visible.ts";
import { MAX_TITLE_CHARACTERS } from "../../contract/limits.ts";
import { codePoints } from "../text.ts";
import type { Root } from "./values.ts";

/** What the binding remembers of the root that was read last; absent before the first read. */
export interface SeenRoot {
  readonly revision: string;
  readonly updated_at: Instant;
  /** `rootDigest` of title and text. */
  readonly digest: string;
}

export interface RootText {
  readonly title: string;
  readonly body: string;
}

/**
 * What the root means for the issue's title and text. Faults:
 * - `older`: the root is older than the one that was read before.
 * - `changed`: the same revision has another title or text than before.
 * - `title`, `body`: an issue cannot have this title or text.
 */
export type RootIn =
  | { readonly kind: "unchanged" }
  | { readonly kind: "update"; readonly to: RootText }
  | { readonly kind: "fault"; readonly fault: "older" | "changed" | "title" | "body" };

/**
 * Compares the root with what was read before, and with the issue, whose words may have been changed by another daemon
 * since: the root's words come back (docs/contract/connectors.md).
 */
export function rootIn(seen: SeenRoot | undefined, issue: RootText, root: Root): RootIn {
  const fault = faultOfText(root) ?? faultOfRevision(seen, root);
  if (fault !== undefined) return { kind: "fault", fault };
  const { title, body } = root;
  if (issue.title === title && issue.body === body) return { kind: "unchanged" };
  return { kind: "update", to: { title, body } };
}

function faultOfRevision(seen: SeenRoot | undefined, root: Root): "older" | "changed" | undefined {
  if (seen === undefined) return undefined;
  if (root.updated_at < seen.updated_at) return "older";
  return root.revision === seen.revision && rootDigest(root) !== seen.digest
    ? "changed"
    : undefined;
}

/** Why an issue cannot have the title or text of a root (docs/contract/http-api.md#43-texts). */
export function faultOfText({ title, body }: RootText): "title" | "body" | undefined {
  const isTitle =
    !isInvisible(title) && !title.includes("\0") && codePoints(title) <= MAX_TITLE_CHARACTERS;
  if (!isTitle) return "title";
  return body.includes("\0") ? "body" : undefined;
}

/** SHA-256 of title, NUL and text. A title has no NUL, so that the digest tells where it ends. */
export function rootDigest({ title, body }: RootText): string {
  return sha256Hex(`${title}\0${body}`);
}
