import { ME, ME_WORD } from "../contract/reserved-actors.ts";

/**
 * Returns the name that is meant by a text in a place for a name. `@me` is the caller, and so is `me`, unless somebody
 * else is called so. Then it is `undefined`, since nobody can know which of the two is meant.
 *
 * @param isTaken Whether somebody is called `me`. Asked only if the answer depends on it.
 */
export function personMeant(
  text: string,
  actor: string,
  isTaken: () => boolean,
): string | undefined {
  if (text !== ME && text !== ME_WORD) return text;
  if (text === ME || actor === ME_WORD) return actor;
  return isTaken() ? undefined : actor;
}

/** Says which two people may be meant. */
export function eitherMeant(actor: string): string {
  return `${ME_WORD} may be you, ${JSON.stringify(actor)}, or the person who is called ${ME_WORD}`;
}
