import { HOME_SCREEN } from "../home-screen.ts";
import type { ScreenRecord } from "../screen.ts";
import type { AddressField, Place, PlaceField } from "./place.ts";

type Addressed = Pick<ScreenRecord, "address">;

/** The fields that the screens add to a place, in the order of the screens. */
export function addressFields(
  screens: readonly Addressed[],
): readonly (readonly [PlaceField, AddressField])[] {
  // The cast is safe: the fields of an address are those that its screen adds to a place.
  return screens.flatMap(({ address }) =>
    Object.entries(address?.fields ?? {}),
  ) as unknown as readonly (readonly [PlaceField, AddressField])[];
}

/** The place that an address without parameters names. */
export function homeOf(screens: readonly Addressed[]): Place {
  const usual = addressFields(screens).map(([name, field]) => [name, field.usual] as const);
  const home = { screen: HOME_SCREEN, project: undefined, issue: undefined, isOpen: false };
  // The cast is safe: a screen describes each field that it adds.
  return { ...home, ...Object.fromEntries(usual) } as unknown as Place;
}
