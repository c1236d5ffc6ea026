import { brokenActorRule } from "../contract/actor-name.ts";
import { invalidField, SvcError } from "../contract/errors.ts";
import type { Principal } from "./deps.ts";

/**
 * Returns the actor of a write: the actor of the credential or, without one, the actor that the request names
 * (docs/contract/http-api.md#15-actor). Throws if there is none. Also throws if the actor of the credential may not
 * write: a token may be older than the rules for names, or come from a restored file.
 */
export function actorOf(who: Principal, requested: string | undefined): string {
  const actor = (who.actor ?? requested ?? "").trim();
  if (actor === "")
    throw new SvcError("validation", { field: "actor" }, { message: "actor is required" });
  requireAllowed(who, actor);
  return actor;
}

/** For writes that are attributed to nobody: throws if the actor of the credential, if there is one, may not write. */
export function requireWriter(who: Principal): void {
  if (who.actor !== undefined) requireAllowed(who, who.actor);
}

function requireAllowed(who: Principal, actor: string): void {
  const broken = brokenActorRule(actor);
  if (broken !== undefined) throw invalidField("actor", broken, who.actor && FIXED_BY_CREDENTIAL);
}

const FIXED_BY_CREDENTIAL = "the name is that of the credential: make a token for another name";
