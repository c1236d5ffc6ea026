import { useState } from "react";
import { kept, remember } from "../storage.ts";

/** Whether a picture is shown, with a function that shows or hides it. The browser stores the choice to hide it. */
export function useShown(name: "picture" | "lanes"): readonly [isShown: boolean, turn: () => void] {
  const [isShown, setShown] = useState(() => kept(localStorage, name) !== "off");
  const turn = (): void => {
    remember(localStorage, name, isShown ? "off" : undefined);
    setShown(!isShown);
  };
  return [isShown, turn];
}
