import { isInvisible } from "../../base/visible.ts";
import { cutBytes, MAX_ACTOR_BYTES, storableText } from "./text.ts";

/** Author of records without one. */
export const NO_AUTHOR = "unknown";

/** The name of a source as an actor: storable, and not too long. */
export function actor(name: string | undefined): string {
  const cut = cutBytes(storableText(name ?? "").trim(), MAX_ACTOR_BYTES).trim();
  return isInvisible(cut) ? NO_AUTHOR : cut;
}
