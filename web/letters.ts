import { kept, remember } from "./storage.ts";

/** Whether the person has switched off the keys that are a single character without ctrl or alt. */
export function lettersAreOff(): boolean {
  return kept(localStorage, "letters") === "off";
}

export function turnLetters(on: boolean): void {
  remember(localStorage, "letters", on ? undefined : "off");
}
