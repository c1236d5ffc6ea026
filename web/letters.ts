import { kept, remember } from "./storage.ts";

/** Whether keys without ctrl or alt that are a single character do nothing. */
export function lettersAreOff(): boolean {
  return kept(localStorage, "letters") === "off";
}

export function turnLetters(on: boolean): void {
  remember(localStorage, "letters", on ? undefined : "off");
}
