import { type KeyboardInput, keyOf } from "../src/screen/input/typed.ts";
import { luminance, MIDDLE } from "./style.ts";

export type Input =
  | KeyboardInput
  | {
      readonly type: "mouse";
      readonly act: "click" | "up" | "down";
      readonly x: number;
      readonly y: number;
    };

const ESC = "\u001B";
const PASTE_START = "\u001B[200~";
const PASTE_END = "\u001B[201~";

/** The names of keys, by the end of their CSI or SS3 sequence without modifiers. */
const SEQUENCES: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  Z: "shift+tab",
  "1~": "home",
  "2~": "insert",
  "3~": "delete",
  "4~": "end",
  "5~": "pgup",
  "6~": "pgdn",
  "7~": "home",
  "8~": "end",
};

/**
 * Splits terminal input into keys. A read may contain many keys, a part of a sequence, or a paste. An incomplete rest
 * waits for the next read. A lone Escape may be the start of a sequence. If nothing follows it, the caller calls
 * `flush`, and the Escape becomes a key.
 */
export class Keyboard {
  #rest = "";
  #goesOn = false;

  /**
   * True if the incomplete rest contains an Escape that may be a key. Usually this Escape is the first character of the
   * rest. If the rest starts like an answer of the terminal whose end was lost, this Escape is the last character.
   */
  get pending(): boolean {
    if (this.#rest === "" || this.#rest.startsWith(PASTE_START)) return false;
    return !isAnswer(this.#rest) || this.#rest.endsWith(ESC);
  }

  /** True if the last read was a piece of a long text. Input that follows within a moment continues this text. */
  get goesOn(): boolean {
    return this.#goesOn;
  }

  push(text: string): readonly Input[] {
    this.#rest += text;
    const inputs = this.#take(false);
    return text.length >= LONG || this.#goesOn || inputs.length > MOST_TYPED
      ? this.#withBursts(inputs, text.length >= LONG)
      : inputs;
  }

  /** Ends a long text. The caller calls this when no input arrived for a moment. */
  rest(): void {
    this.#goesOn = false;
  }

  #withBursts(inputs: readonly Input[], isLong: boolean): readonly Input[] {
    const found: Input[] = [];
    let run: string[] = [];
    const end = (): void => {
      const text = run.join("");
      if (this.#goesOn ? text !== "" : isBurst(text))
        found.push({ type: "burst", text, goesOn: this.#goesOn });
      else for (const one of run) found.push({ type: "key", key: keyOf(one) });
      run = [];
    };
    for (const input of inputs) {
      const plain = input.type === "key" ? plainOf(input.key) : undefined;
      if (plain !== undefined) run.push(plain);
      else {
        end();
        found.push(input);
      }
    }
    end();
    this.#goesOn = isLong && found.at(-1)?.type === "burst";
    return found;
  }

  flush(): readonly Input[] {
    return this.pending ? this.#take(true) : [];
  }

  #take(whole: boolean): readonly Input[] {
    const inputs: Input[] = [];
    while (this.#rest !== "") {
      const found = read(this.#rest, whole);
      if (found === undefined) break;
      this.#rest = this.#rest.slice(found.length);
      if (found.input !== undefined) inputs.push(found.input);
    }
    return inputs;
  }
}

/** Up to this many keys in one read may have been typed while the screen was busy. More keys are a burst. */
const MOST_TYPED = 8; // docs/contract/command-line.md#81-start: bursts of more printable characters are no commands
/** Terminals send a long text in pieces. All pieces but the last have at least this many characters. */
const LONG = 500;

/**
 * Whether several printable characters are a burst. The same character repeated means that a key is held down, which is
 * not a burst.
 */
function isBurst(text: string): boolean {
  const printed = text.replaceAll(/[\n\t]/g, "");
  return [...printed].length > MOST_TYPED && new Set(printed).size > 1;
}

const PLAIN: Readonly<Record<string, string>> = { space: " ", enter: "\n", tab: "\t" };

function plainOf(key: string): string | undefined {
  return PLAIN[key] ?? ([...key].length === 1 ? key : undefined);
}

interface ReadSequence {
  readonly length: number;
  /** What the person did; `undefined` for a sequence that is not a key. */
  readonly input?: Input;
}

/** Reads the first input of a text. Returns `undefined` while the input may be incomplete. */
function read(text: string, whole: boolean): ReadSequence | undefined {
  if (!text.startsWith(ESC)) return readPlain(text, "");
  if (text.startsWith(PASTE_START)) {
    const end = text.indexOf(PASTE_END);
    if (end === -1) return undefined;
    const pasted = text.slice(PASTE_START.length, end).replaceAll(/\r\n?/g, "\n");
    return { length: end + PASTE_END.length, input: { type: "paste", text: pasted } };
  }
  if (text.length === 1) return whole ? named(1, "esc") : undefined;
  if (text[1] === "[" || text[1] === "O") return readSequence(text, whole);
  if (text[1] === ESC) return named(1, "esc");
  if (text[1] === "]") return readAnswer(text, whole);
  const found = readPlain(text.slice(1), "alt+");
  return { ...found, length: found.length + 1 };
}

function readPlain(text: string, prefix: string): ReadSequence {
  const [first = ""] = text;
  const key = keyOf(first);
  if (key !== first) return named(1, prefix + key);
  const code = first.codePointAt(0) ?? 0;
  if (code === 0) return named(1, `${prefix}ctrl+space`);
  if (code < 27) return named(1, `${prefix}ctrl+${String.fromCodePoint(code + 96)}`);
  if (code < 32) return { length: 1 };
  return named(first.length, prefix + first);
}

const SEQUENCE =
  /^(?:\[<(?<mouse>\d+;\d+;\d+[Mm])|\[(?<csi>[0-9;?]*[ -/]*[@-~])|O(?<ss3>[A-Za-z]))/;

function readSequence(text: string, whole: boolean): ReadSequence | undefined {
  const match = SEQUENCE.exec(text.slice(1));
  if (match === null) return whole ? named(1, "esc") : undefined;
  const { mouse, csi, ss3 } = match.groups ?? {};
  const length = match[0].length + 1;
  const scheme = /^\?997;([12])n$/.exec(csi ?? "")?.[1];
  if (scheme !== undefined) return { length, input: { type: "background", light: scheme === "2" } };
  if (mouse !== undefined) return { length, ...mouseInput(mouse) };
  const { body, modifier } = withoutModifier(csi ?? ss3 ?? "");
  const name = SEQUENCES[body];
  return name === undefined ? { length } : named(length, modifier + name);
}

/** The maximum length of an answer of the terminal, in characters. A longer answer has lost its end and is dropped. */
const MAX_ANSWER = 100;

/** True if the text starts like an answer of the terminal about itself. No key starts like this. */
function isAnswer(text: string): boolean {
  return text.startsWith(`${ESC}]`) && /^\d/.test(text.slice(2));
}

/**
 * Reads an answer of the terminal, so that no part of it is taken for keys. If the end of the answer was lost, the next
 * control character ends it.
 */
function readAnswer(text: string, whole: boolean): ReadSequence | undefined {
  if (text.length === 2) return whole ? named(2, "alt+]") : undefined;
  if (!isAnswer(text)) return named(2, "alt+]");
  const body = /^\P{Cc}*/u.exec(text.slice(2))?.[0] ?? "";
  const length = body.length + 2;
  if (length > MAX_ANSWER) return { length };
  const rest = text.slice(length);
  if (rest === "" || (rest === ESC && !whole)) return undefined;
  const end = ["\u0007", `${ESC}\\`].find((one) => rest.startsWith(one)) ?? "";
  const light = isLight(body);
  const found = { length: length + end.length };
  return light === undefined ? found : { ...found, input: { type: "background", light } };
}

/**
 * Whether a background such as `11;rgb:ffff/ffff/dddd` has more contrast with black than with white; `undefined` if the
 * answer is not about the background.
 */
function isLight(answer: string): boolean | undefined {
  const match = /^11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(answer);
  if (match === null) return undefined;
  const [red = 0, green = 0, blue = 0] = match
    .slice(1)
    .map((digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
  return luminance(red, green, blue) > MIDDLE;
}

/**
 * Separates the modifiers from the sequence of a key: `1;5A` is Ctrl and `A` (the key up), `3;2~` is Shift and `3~`
 * (the key delete). The second number minus one is a set of bits, one for each modifier.
 */
function withoutModifier(body: string): { readonly body: string; readonly modifier: string } {
  const match = /^(\d+);(\d+)([A-Z~])$/.exec(body);
  if (match === null) return { body, modifier: "" };
  const [, number = "", bits = "", end = ""] = match;
  const set = Number(bits) - 1;
  const modifier = `${set & 4 ? "ctrl+" : ""}${set & 2 ? "alt+" : ""}${set & 1 ? "shift+" : ""}`;
  return { body: end === "~" ? `${number}~` : end, modifier };
}

function mouseInput(report: string): { readonly input?: Input } {
  const [button = 0, x = 1, y = 1] = report.slice(0, -1).split(";").map(Number);
  const at = { x: x - 1, y: y - 1 };
  if (button === 64) return { input: { type: "mouse", act: "up", ...at } };
  if (button === 65) return { input: { type: "mouse", act: "down", ...at } };
  const pressed = report.endsWith("M") && button === 0;
  return pressed ? { input: { type: "mouse", act: "click", ...at } } : {};
}

function named(length: number, key: string): ReadSequence {
  return { length, input: { type: "key", key } };
}
