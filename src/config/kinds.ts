import { parseDuration } from "../base/durations.ts";
import { isZone } from "./zones.ts";

/** How the value of a setting is read from text (flag, environment) and from TOML. */
export interface Kind<T> {
  /** Says which values are valid; completes the error "must be …". */
  readonly expects: string;
  fromText(text: string): T | undefined;
  fromToml(value: unknown): T | undefined;
  /** The kind of each entry, for a table in which the user chooses the names. */
  readonly entry?: Kind<unknown>;
}

/** A kind whose value in TOML is a string, which is read like text from a flag or the environment. */
export function textual<T>(expects: string, fromText: (text: string) => T | undefined): Kind<T> {
  const fromToml = (value: unknown): T | undefined =>
    typeof value === "string" ? fromText(value) : undefined;
  return { expects, fromText, fromToml };
}

export const text: Kind<string> = textual("text that is not empty", (value) =>
  value.trim() === "" ? undefined : value,
);

/** Text that may be blank. The code that uses such a setting treats blank text as if it were not set. */
export const anyText: Kind<string> = textual("text", (value) => value);

export const duration: Kind<number> = atLeast(0, "a duration such as 30s or 5m0s");

export function atLeast(minMs: number, expects: string): Kind<number> {
  return textual(expects, (value) => {
    const ms = parseDuration(value);
    return ms === undefined || ms < minMs ? undefined : ms;
  });
}

export const zone: Kind<string> = textual("an IANA time zone such as Europe/Paris", (value) =>
  isZone(value) ? value : undefined,
);

export const flag: Kind<boolean> = {
  expects: "true or false",
  fromText: (value) => BOOLEANS.get(value.toLowerCase()),
  fromToml: (value) => (typeof value === "boolean" ? value : undefined),
};

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);

export const count: Kind<number> = {
  expects: "a whole number above 0",
  fromText: (value) => (/^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined),
  fromToml: (value) =>
    typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined,
};

/** The name of an environment variable. */
export const variable: Kind<string> = textual("the name of a variable", (value) =>
  /^[A-Za-z_]\w{0,127}$/.test(value) ? value : undefined,
);

/** A whole number from `least` to `most`. */
export function wholeNumber(least: number, most: number): Kind<number> {
  const inRange = (value: number) => Number.isInteger(value) && value >= least && value <= most;
  return {
    expects: `a whole number from ${least} to ${most}`,
    fromText: (value) =>
      /^\d{1,9}$/.test(value) && inRange(Number(value)) ? Number(value) : undefined,
    fromToml: (value) => (typeof value === "number" && inRange(value) ? value : undefined),
  };
}

/** A program and its arguments; text cannot say where an argument ends, so only TOML is accepted. */
export const argv: Kind<readonly string[]> = {
  expects: "a list of texts, a program and its arguments",
  fromText: () => undefined,
  fromToml: (value) => (isArgv(value) ? value : undefined),
};

function isArgv(value: unknown): value is readonly string[] {
  if (!Array.isArray(value)) return false;
  const [program]: readonly unknown[] = value;
  const texts = value.every((word) => typeof word === "string" && !word.includes("\0"));
  return texts && typeof program === "string" && program.trim() !== "";
}

/** A switch that any text turns on, such as `NO_COLOR`. */
export const presence: Kind<boolean> = { ...flag, expects: "anything", fromText: () => true };

export const port: Kind<number> = textual("a port from 0 to 65535", (value) =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined,
);

export function oneOf<const T extends string>(...choices: readonly T[]): Kind<T> {
  return textual(choices.join(" or "), (value) => choices.find((choice) => choice === value));
}

/** One of the named choices; any other text counts as the first choice. */
export function oneOfOrFirst<const T extends string>(first: T, ...others: readonly T[]): Kind<T> {
  const expects = [first, ...others].join(", ");
  return textual(expects, (value) => others.find((choice) => choice === value) ?? first);
}

export function tableOf<T>(entry: Kind<T>): Kind<Readonly<Record<string, T>>> {
  const expects = `a table; each entry is ${entry.expects}`;
  return { expects, fromText: () => undefined, fromToml: () => undefined, entry };
}

/** Keys for a command of the terminal screen; an empty list removes its keys. */
export const keyNames: Kind<readonly string[]> = {
  expects: 'a list of keys such as ["j", "ctrl+n"]',
  fromText: () => undefined,
  fromToml: (value) => (isTexts(value) ? value : undefined),
};

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "");
}

export const COLOUR_NAMES = [
  ...["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"],
  ...["bright-black", "bright-red", "bright-green", "bright-yellow"],
  ...["bright-blue", "bright-magenta", "bright-cyan", "bright-white"],
];

export const colour: Kind<number> = {
  expects: "a number from 0 to 255, or a name such as blue or bright-blue",
  fromText: colourNumber,
  fromToml: (value) =>
    typeof value === "string" || typeof value === "number"
      ? colourNumber(String(value))
      : undefined,
};

function colourNumber(value: string): number | undefined {
  const named = COLOUR_NAMES.indexOf(value);
  if (named !== -1) return named;
  return /^\d{1,3}$/.test(value) && Number(value) <= 255 ? Number(value) : undefined;
}
