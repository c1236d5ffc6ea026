import { sha256Hex } from "../base/hash.ts";
import { fingerprintText } from "../domain/meaning/recipe.ts";

/** The hash of an issue's text. The index keeps the hash and never the text, so purged words are in no second place. */
export function hashOf(text: string): string {
  return sha256Hex(text);
}

/** Identifies vectors that can be compared with each other: the same model, width, recipe and salt. */
export function fingerprintOf(of: {
  readonly model: string;
  readonly dims: number;
  readonly salt: string;
}): string {
  return sha256Hex(fingerprintText(of));
}
