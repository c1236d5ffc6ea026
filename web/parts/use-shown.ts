import { useState } from "react";
import { kept, remember } from "../storage.ts";

/**
 * Whether the picture of the graph or the lanes of the fleet are shown, and a function that shows or hides them. What a
 * person has hidden stays hidden on later visits.
 */
export function useShown(name: "picture" | "lanes"): readonly [isShown: boolean, turn: () => void] {
  const [isShown, setShown] = useState(() => kept(localStorage, name) !== "off");
  const turn = (): void => {
    remember(localStorage, name, isShown ? "off" : undefined);
    setShown(!isShown);
  };
  return [isShown, turn];
}
