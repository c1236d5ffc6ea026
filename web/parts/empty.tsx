import type { ReactElement } from "react";
import { emptyActs } from "../../src/screen/empty.ts";
import { type Empty, LOADING } from "../../src/screen/empty-text.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { CommandButton } from "./button.tsx";
import { capitalized } from "./words.tsx";

interface EmptyProps extends PainterProps {
  readonly empty: Empty;
}

/** Draws a screen without rows: why it is empty and what the person can do. While it loads, it shows grey rows. */
export function EmptyView({ state, send, empty }: EmptyProps): ReactElement {
  if (empty === LOADING) return <Skeleton />;
  return (
    <div className="empty">
      <p className="why">{capitalized(empty.why)}</p>
      {empty.next.map((line) => (
        <p key={line}>{capitalized(line)}</p>
      ))}
      <p className="acts">
        {emptyActs(state).map((act) =>
          "query" in act ? (
            <button
              key={act.label}
              type="button"
              className="button bordered"
              onClick={() => send(pointMessage({ is: "query", query: act.query }))}
            >
              {act.label}
            </button>
          ) : (
            <CommandButton key={act.label} {...{ state, send, ...act }} look="bordered" />
          ),
        )}
      </p>
    </div>
  );
}

const WIDTHS = [46, 62, 38, 55, 70, 44, 58, 35, 64, 50];

/** Grey rows, which the styles show only after 150 ms. */
function Skeleton(): ReactElement {
  return (
    <div className="skeleton" aria-busy="true">
      <p className="hidden">loading</p>
      {WIDTHS.map((width) => (
        <div key={width} className="bone" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
