import { createContext, useContext } from "react";
import type { Screen } from "../src/screen/state.ts";
import type { PagePainter } from "./painter.ts";

/** The painters of all screens. The root of the page hands in the table of `painters.ts`. */
export const Painters = createContext<readonly PagePainter[]>([]);

export function usePainter(name: Screen): PagePainter {
  const found = useContext(Painters).find((one) => one.name === name);
  if (found === undefined) throw new Error(`nothing draws the screen ${name}`);
  return found;
}
