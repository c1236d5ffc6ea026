/**
 * A search for a part of a text in any letter case. Databases ignore the case of ASCII letters only, so a query
 * searches for `stable`, and `isIn` then checks each text that the query finds.
 */
export interface TextSearch {
  /** The longest part of the text, in lower case, whose characters are ASCII or have no upper case. It may be empty. */
  readonly stable: string;
  /** True if `stable` is the whole text, so that no further check is needed. */
  readonly isWhole: boolean;
  isIn(text: string): boolean;
}

export function textSearch(text: string): TextSearch {
  const whole = text.toLowerCase();
  let [stable, run] = ["", ""];
  for (const character of whole) {
    run = isStable(character) ? run + character : "";
    if (run.length > stable.length) stable = run;
  }
  return {
    stable,
    isWhole: stable === whole,
    isIn: (other) => other.toLowerCase().includes(whole),
  };
}

function isStable(character: string): boolean {
  return character < "\u0080" || character.toUpperCase() === character;
}
