/**
 * A search for a part of a text in any letter case. Databases compare only ASCII letters without regard to case, so
 * they look for `stable`, and `isIn` decides.
 */
export interface TextSearch {
  /** The longest part whose characters have no other case, or are of ASCII; in lower case, perhaps empty. */
  readonly stable: string;
  /** True if every text that contains `stable` contains the whole. */
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
