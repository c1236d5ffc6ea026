import { SvcError } from "../contract/errors.ts";
import type { Principal } from "./deps.ts";

/** Returns the actor of a write: the credential's, else the request's own (facts http-api 1.5). */
export function actorOf(who: Principal, requested: string | undefined): string {
  const actor = (who.actor ?? requested ?? "").trim();
  if (actor === "")
    throw new SvcError("validation", { field: "actor" }, { message: "actor is required" });
  return actor;
}
