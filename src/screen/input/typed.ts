/** What a person did at the keyboard: a key by its name (`j`, `enter`, `ctrl+r`, `shift+tab`), or a paste. */
export type Typed =
  | { readonly type: "key"; readonly key: string }
  | { readonly type: "paste"; readonly text: string }
  /** More at once than is typed: a paste that the terminal does not call one, or typing that had to wait. */
  | {
      readonly type: "burst";
      readonly text: string;
      /** Another piece of the text before. */
      readonly goesOn: boolean;
    }
  /** The background is light, or is not. */
  | { readonly type: "background"; readonly light: boolean };

const CONTROLS: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\u007F": "backspace",
  "\b": "backspace",
  " ": "space",
};

/** The name of the key that writes it. */
export function keyOf(plain: string): string {
  return CONTROLS[plain] ?? plain;
}
