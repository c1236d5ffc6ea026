/**
 * Input from the keyboard: a key by name (`j`, `enter`, `ctrl+r`, `shift+tab`), a paste, or several characters at once.
 * The message `background` says whether the terminal's background is light.
 */
export type KeyboardInput =
  | { readonly type: "key"; readonly key: string }
  | { readonly type: "paste"; readonly text: string }
  /**
   * Several characters at once: a paste from a terminal that does not mark pastes, or keys that were pressed while the
   * program was busy.
   */
  | {
      readonly type: "burst";
      readonly text: string;
      /** Whether this text continues the previous burst. */
      readonly goesOn: boolean;
    }
  | { readonly type: "background"; readonly light: boolean };

const CONTROLS: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\u007F": "backspace",
  "\b": "backspace",
  " ": "space",
};

export function keyOf(plain: string): string {
  return CONTROLS[plain] ?? plain;
}
