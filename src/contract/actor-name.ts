import { isInvisible } from "../base/visible.ts";
import { BOOTSTRAP_ACTOR, CONNECTOR_ACTOR_PREFIX, ME, SYSTEM_ACTOR } from "./reserved-actors.ts";

/** The rule in words, for descriptions of the API. */
export const ACTOR_RULE = `without invisible characters; not ${BOOTSTRAP_ACTOR}, ${SYSTEM_ACTOR} or ${ME}`;

/**
 * Returns the rule that the name of an actor breaks, or `undefined`. The rule holds for the actor of each new write,
 * whether a token, a proxy's header or the request names it. Without the rule, one name could look like another. Names
 * in existing data are not checked.
 */
export function brokenActorRule(name: string): string | undefined {
  if (PLAIN_ASCII.test(name)) return reserved(name);
  if (isInvisible(name)) return "must not be blank";
  if (/\p{Cc}/u.test(name)) return "must not contain control characters";
  const [hidden] = hiddenCharacter().exec(name) ?? [];
  if (hidden !== undefined)
    return `must not contain invisible characters or marks of reading direction (${codeOf(hidden)})`;
  return reserved(name);
}

/** Nearly every name fits this pattern; the slow patterns are not needed then. */
const PLAIN_ASCII = /^[!-~]+$/;

/**
 * White space other than the space, and what `isInvisible` counts as invisible. The pattern is made in a function:
 * making it looks up its classes of characters, and every command would wait for that.
 */
function hiddenCharacter(): RegExp {
  return /(?! )[\p{White_Space}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;
}

function reserved(name: string): string | undefined {
  return name.startsWith(CONNECTOR_ACTOR_PREFIX)
    ? `must not begin with ${CONNECTOR_ACTOR_PREFIX}, which names connectors`
    : RESERVED_NAMES.get(name);
}

const RESERVED_NAMES: ReadonlyMap<string, string> = new Map([
  [BOOTSTRAP_ACTOR, `must not be ${BOOTSTRAP_ACTOR}, the name of whoever has the configured token`],
  [SYSTEM_ACTOR, `must not be ${SYSTEM_ACTOR}, the name of what the daemon writes by itself`],
  [ME, `must not be ${ME}, which stands for the caller`],
]);

function codeOf(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
