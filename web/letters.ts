import { BROWSER_KEEP, remember, storedValue } from "./storage.ts";

/** Whether the person has switched off the keys that are a single character without ctrl or alt. */
export function lettersAreOff(): boolean {
  return storedValue(BROWSER_KEEP, "letters") === "off";
}

export function setSingleKeyShortcuts(on: boolean): void {
  remember(BROWSER_KEEP, "letters", on ? undefined : "off");
}
