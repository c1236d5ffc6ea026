import { type ComponentType, memo } from "react";
import type { State } from "../../src/screen/state.ts";
import type { PainterProps } from "../painter.ts";

/**
 * Makes a component that is drawn again only when one of its props has changed. The prop `state` counts as changed only
 * if one of the values that `shows` takes from it has changed. So a key that moves the cursor draws only the rows and
 * the issue again, and not the whole page.
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
