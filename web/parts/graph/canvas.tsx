import { type MouseEvent, type ReactElement, type ReactNode, useRef } from "react";
import { counted } from "../../../src/base/counted.ts";
import { graphIssue, graphRows } from "../../../src/screen/graph/graph.ts";
import type { GraphPicture } from "../../../src/screen/graph/picture.ts";
import type { Places } from "../../graph/layout.ts";
import { STEP } from "../../graph/scale.ts";
import { type PainterProps, pointMessage } from "../../painter.ts";
import { Icon } from "../icon.tsx";
import { Drawing } from "./drawing.tsx";
import { useCursorInView } from "./use-cursor-in-view.ts";
import { useDrag } from "./use-drag.ts";
import { useScale } from "./use-scale.ts";

interface CanvasProps extends PainterProps {
  readonly picture: GraphPicture;
  readonly places: Places;
  /** A sentence above the drawing, such as that it leaves out issues. */
  readonly note?: ReactNode;
}

/**
 * Shows the drawing in an area that scrolls. A drag moves the drawing. Buttons, two fingers, or ctrl with the wheel
 * change its size.
 */
export function Canvas({ state, send, picture, places, note }: CanvasProps): ReactElement {
  const canvas = useRef<HTMLDivElement>(null);
  const { scale, fits, sizeBy, fit } = useScale(canvas, places);
  const drag = useDrag(canvas);
  useCursorInView(canvas, graphIssue(state), fits, scale);
  const open = (event: MouseEvent): void => {
    const box = event.target instanceof Element ? event.target.closest("[data-uid]") : null;
    const uid = box?.getAttribute("data-uid");
    if (uid == null || drag.wasDragged()) return;
    const at = graphRows(state).findIndex((row) => row.uid === uid);
    if (at === -1) return send(pointMessage({ is: "issue", uid }));
    if (at !== state.graph?.cursor) send(pointMessage({ is: "row", at }));
    send(pointMessage({ is: "command", command: "graph-open" }));
  };
  return (
    <div className="picture">
      <div
        ref={canvas}
        className="canvas"
        role="img"
        aria-label={`picture of ${counted(picture.uids.length, "issue")} and ${counted(picture.links.length, "link")}, which the list tells too`}
        // An element that scrolls must be able to get the focus, so that the keyboard can scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onClick={open}
        {...drag.handlers}
      >
        <Drawing state={state} picture={picture} places={places} scale={scale} />
      </div>
      {note === undefined ? null : <p className="picture-note">{note}</p>}
      <div className="picture-tools">
        <ToolButton label="Smaller" icon="minus" act={() => sizeBy(1 / STEP)} />
        <ToolButton label="Larger" icon="plus" act={() => sizeBy(STEP)} />
        <ToolButton label="Show all of it" icon="whole" act={fit} />
      </div>
    </div>
  );
}

interface ToolButtonProps {
  readonly label: string;
  readonly icon: "minus" | "plus" | "whole";
  act(): void;
}

function ToolButton({ label, icon, act }: ToolButtonProps): ReactElement {
  return (
    <button type="button" className="button" aria-label={label} title={label} onClick={act}>
      <Icon name={icon} />
    </button>
  );
}
