import type { Glyphs } from "./glyphs.ts";
import type { KeyScope } from "./keys.ts";

/** The meaning of a sign. With `glyph`, a setting decides how the sign is drawn. */
export interface Sign {
  readonly text: string;
  readonly glyph?: keyof Glyphs;
  readonly label: string;
}

/** The signs, by the scope whose help explains them. */
export type SignTable = Readonly<Partial<Record<KeyScope, readonly Sign[]>>>;

/** A sign, and the scopes whose help explains it. */
export interface SignShown extends Sign {
  readonly on: readonly KeyScope[];
}

export const CURSOR: Sign = {
  text: ">",
  glyph: "cursor",
  label: "the cursor: what a key acts on",
};

export const PENDING: Sign = {
  text: "%",
  glyph: "pending",
  label: "a change is on its way to the daemon",
};

export const FAILED: Sign = {
  text: "!",
  glyph: "failed",
  label: "a change was refused: M shows why",
};

/** The states of an issue. */
export const STATES: readonly Sign[] = [
  { text: "o", glyph: "open", label: "open and ready: nothing holds it back" },
  { text: "b", glyph: "blocked", label: "open, and blocked by another issue" },
  { text: "w", glyph: "waiting", label: "waits: parked, for its day, or for its children" },
  { text: "x", glyph: "closed", label: "closed" },
];

export const PRIORITY: Sign = { text: "P0 P4", label: "the highest and the lowest priority" };

export const CUT: Sign = {
  text: "~ at an end",
  label: "the text goes on; the open issue has all of it",
};

/** The signs that belong to no screen. */
const SHARED: SignTable = {
  detail: [...STATES, PRIORITY, CUT],
  everywhere: [{ text: "Inbox(3)", label: "so many requests wait for you" }],
};

export const MEANT: Sign = {
  text: "=",
  glyph: "meant",
  label: "found by its meaning, not by its words",
};

/** All signs, each once. Help and docs/tui.md use this list. */
export function allSigns(screens: readonly { readonly signs: SignTable }[]): readonly SignShown[] {
  const shown = [...screens.map(({ signs }) => signs), SHARED].flatMap((signs) =>
    // The cast is safe: the keys of `signs` are scopes.
    (Object.keys(signs) as KeyScope[]).flatMap((scope) =>
      (signs[scope] ?? []).map((sign) => ({ sign, scope })),
    ),
  );
  return [...Map.groupBy(shown, ({ sign }) => sign)].map(([sign, places]) => ({
    ...sign,
    on: places.map(({ scope }) => scope),
  }));
}
