import { SvcError } from "../contract/errors.ts";
import type { Principal } from "./deps.ts";

/**
 * Returns the actor of a write: the actor of the credential or, without one, the actor that the request names (facts
 * http-api 1.5). Throws if there is neither.
 */
export function actorOf(who: Principal, requested: string | undefined): string {
  const actor = (who.actor ?? requested ?? "").trim();
  if (actor === "")
    throw new SvcError("validation", { field: "actor" }, { message: "actor is required" });
  return actor;
}
