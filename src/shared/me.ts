import { invalid } from "../contract/errors.ts";
import { ME, ME_WORD } from "../contract/reserved-actors.ts";
import { eitherMeant, personMeant } from "./person-meant.ts";

export interface Caller {
  /** The caller's own name. */
  actor(): Promise<string>;
  /** Whether a person of this name has written something or owns an issue. */
  isSomebody(name: string): Promise<boolean>;
}

/** Returns the name that `text` means (`personMeant`). Refuses `me` if it may mean another person. */
export async function nameMeant(text: string, caller: Caller): Promise<string> {
  if (text !== ME && text !== ME_WORD) return text;
  const actor = await caller.actor();
  const isTaken = text === ME_WORD && actor !== ME_WORD && (await caller.isSomebody(ME_WORD));
  const name = personMeant(text, actor, () => isTaken);
  if (name !== undefined) return name;
  throw invalid(
    eitherMeant(actor),
    `${ME} is you; svc projects rewrite-author --from ${ME_WORD} --to <name> gives that person another name`,
  );
}
