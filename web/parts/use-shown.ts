import { useState } from "react";
import { kept, remember } from "../storage.ts";

/**
 * Whether the picture or the lanes are shown, and a function that shows or hides them. The browser stores the choice to
 * hide.
 */
export function useShown(name: "picture" | "lanes"): readonly [isShown: boolean, turn: () => void] {
  const [isShown, setShown] = useState(() => kept(localStorage, name) !== "off");
  const turn = (): void => {
    remember(localStorage, name, isShown ? "off" : undefined);
    setShown(!isShown);
  };
  return [isShown, turn];
}
