import { invalid } from "../contract/errors.ts";
import { ME, ME_WORD } from "../contract/reserved-actors.ts";

export interface Caller {
  /** The caller's own name. */
  actor(): Promise<string>;
  /** Whether somebody of this name has written something or owns an issue. */
  isSomebody(name: string): Promise<boolean>;
}

/**
 * Returns the name that a person means by `text`: `@me` is the caller, and so is `me`, unless somebody else is called
 * so. Then it is refused, since nobody can know which of the two is meant.
 */
export async function nameMeant(text: string, caller: Caller): Promise<string> {
  if (text !== ME && text !== ME_WORD) return text;
  const actor = await caller.actor();
  if (text === ME || actor === ME_WORD || !(await caller.isSomebody(ME_WORD))) return actor;
  throw invalid(
    `${ME_WORD} may be you, ${JSON.stringify(actor)}, or the person who is called ${ME_WORD}`,
    `${ME} is you; svc projects rewrite-author --from ${ME_WORD} --to <name> gives that person another name`,
  );
}
