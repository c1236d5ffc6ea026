import type { Screen } from "../state.ts";

/**
 * The fields that only one screen adds to a place, by the screen. The folder of the screen adds them, so that this file
 * knows no screen.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each screen adds its fields.
export interface ScreenPlaces {}

type AddedTo = ScreenPlaces[keyof ScreenPlaces];
export type PlaceField = {
  [Name in keyof ScreenPlaces]: keyof ScreenPlaces[Name];
}[keyof ScreenPlaces];
type Added = {
  readonly [Field in PlaceField]: Extract<AddedTo, Readonly<Record<Field, unknown>>>[Field];
};

/**
 * The place that an address of the browser page names: a screen with its project, filter and order, and the open issue.
 */
export interface Place extends Added {
  readonly screen: Screen;
  /** The name of the project; `undefined` for all projects. */
  readonly project: string | undefined;
  /** The uid of the open issue, or the name by which the page's address names it. */
  readonly issue: string | undefined;
  /** Whether the issue is open, and not only shown beside the list because the cursor is on its row. */
  readonly isOpen: boolean;
}

/** How the address of the page contains a field that a screen adds to a place. */
export interface AddressField<Value extends string | undefined = string | undefined> {
  readonly parameter: string;
  /** The default value, which the address leaves out. */
  readonly usual: Value;
  /** The value of the parameter; `undefined` if it is not valid on this screen. */
  readonly parse: (text: string, screen: Screen) => Value | undefined;
  /** Whether this change of the value leads to another place, so that the browser's back button restores `from`. */
  leadsElsewhere?(from: Value, to: Value): boolean;
}

export type AddressFields<Name extends keyof ScreenPlaces> = {
  readonly [Field in keyof ScreenPlaces[Name]]: ScreenPlaces[Name][Field] extends string | undefined
    ? AddressField<ScreenPlaces[Name][Field]>
    : never;
};

/** Parses a parameter that has one of these values. */
export function oneOf<Value extends string>(values: readonly Value[]) {
  return (text: string): Value | undefined => values.find((value) => value === text);
}
