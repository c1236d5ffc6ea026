import { isInvisible } from "../../base/visible.ts";
import { cutBytes, MAX_ACTOR_BYTES, storableText } from "./storable-text.ts";

export const NO_AUTHOR = "unknown";

/**
 * Makes a valid actor from a person's name: replaces characters that svc cannot store, and cuts a name that is too
 * long.
 */
export function storableActor(name: string | undefined): string {
  const cut = cutBytes(storableText(name ?? "").trim(), MAX_ACTOR_BYTES).trim();
  return isInvisible(cut) ? NO_AUTHOR : cut;
}
