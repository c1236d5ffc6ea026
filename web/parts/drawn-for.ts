import { type ComponentType, memo } from "react";
import type { State } from "../../src/screen/state.ts";
import type { PainterProps } from "../painter.ts";

/**
 * A part that is drawn again only when something of the state changed that it shows, as `shows` lists it, or another of
 * its properties. A key that moves the cursor so costs the row and the issue, and not the whole page.
 */
export function drawnFor<Props extends PainterProps>(
  part: ComponentType<Props>,
  shows: (state: State) => readonly unknown[],
): ComponentType<Props> {
  const isSame = (before: Props, now: Props): boolean => {
    const names = Object.keys(now) as (keyof Props)[];
    if (names.some((name) => name !== "state" && before[name] !== now[name])) return false;
    const [old, next] = [shows(before.state), shows(now.state)];
    return next.every((one, at) => one === old[at]);
  };
  return memo(part, isSame) as unknown as ComponentType<Props>;
}
