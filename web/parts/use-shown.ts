import { useState } from "react";
import { BROWSER_KEEP, remember, storedValue } from "../storage.ts";

/**
 * Whether the picture of the graph or the lanes of the fleet are shown, and a function that shows or hides them. What a
 * person has hidden stays hidden on later visits.
 */
export function useShown(
  name: "picture" | "lanes",
): readonly [isShown: boolean, toggle: () => void] {
  const [isShown, setShown] = useState(() => storedValue(BROWSER_KEEP, name) !== "off");
  const toggle = (): void => {
    remember(BROWSER_KEEP, name, isShown ? "off" : undefined);
    setShown(!isShown);
  };
  return [isShown, toggle];
}
