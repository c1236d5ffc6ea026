import { ME, ME_WORD } from "../contract/reserved-actors.ts";

/**
 * Returns the name that a text means: `@me` and `me` are the caller. Returns `undefined` for `me` if another person has
 * this name, because nobody can know who is meant.
 *  @param isTaken Whether a person is called `me`. Called only if the answer depends on it.
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

/** The text that names the two people who may be meant. */
export function eitherMeant(actor: string): string {
  return `${ME_WORD} may be you, ${JSON.stringify(actor)}, or the person who is called ${ME_WORD}`;
}
