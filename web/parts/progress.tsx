import type { ReactElement, ReactNode } from "react";
import type { Part } from "../../src/screen/issues/parts.ts";
import type { Letter } from "../../src/screen/issues/relations.ts";

/** The sign for each part of a progress bar. `open` has the sign of ready issues, as in the rows of the board. */
export const SIGN_OF: Readonly<Record<Part["is"], Letter>> = {
  closed: "x",
  ready: "o",
  waiting: "w",
  blocked: "b",
  open: "o",
};

interface PartBarProps {
  readonly parts: readonly Part[];
  /** Draws an element for a part. `look` holds the element's attributes, with a width in proportion to the count. */
  draw(part: Part, look: BarStyle): ReactNode;
}

interface BarStyle {
  readonly className: string;
  readonly "data-is": Part["is"];
  readonly style: { readonly flexGrow: number };
  readonly title: string;
}

export function PartBar({ parts, draw }: PartBarProps): ReactElement {
  return (
    <span className="part-bar">
      {parts.map((part) => {
        const { is, count } = part;
        const title = `${count} ${is}`;
        const look = { className: "bar-part", "data-is": is, style: { flexGrow: count }, title };
        return draw(part, look);
      })}
    </span>
  );
}
