import { type ReactElement, type ReactNode, useEffect, useMemo, useState } from "react";
import { systemClock } from "../../../src/base/clock.ts";
import { counted } from "../../../src/base/counted.ts";
import { type GraphPicture, nearestOf, pictureOf } from "../../../src/screen/graph/picture.ts";
import { keyFor } from "../../../src/screen/keymap.ts";
import type { State } from "../../../src/screen/state.ts";
import { focusPane } from "../../focus.ts";
import { FIRST_BOXES, Layouts, LIMIT_MS, MAX_BOXES, shapeOf } from "../../graph/client.ts";
import type { Places } from "../../graph/layout.ts";
import type { LimitedAnswer } from "../../limited-worker.ts";
import type { PainterProps } from "../../painter.ts";
import { Canvas } from "./canvas.tsx";

let made: Layouts | undefined;

function layouts(): Layouts {
  return (made ??= new Layouts(
    () => new Worker(WORKER_URLS["layout"] ?? "", { type: "module" }),
    systemClock,
  ));
}

/**
 * Draws the graph as boxes and arrows. The list of rows beside it says the same to screen readers, and remains if the
 * picture cannot be drawn.
 */
export function Picture({ state, send }: PainterProps): ReactElement | null {
  const [wholeOf, setWholeOf] = useState<string>();
  const picture = pictureOf(state);
  const source = state.graph?.source;
  if (picture === undefined || source === undefined || picture.uids.length < 2) return null;
  const { length } = picture.uids;
  if (length <= FIRST_BOXES) return <Pictured state={state} send={send} picture={picture} />;
  const nearest = (note: ReactNode): ReactElement => (
    <Nearest state={state} send={send} picture={picture} source={source}>
      The {FIRST_BOXES} nearest of {counted(length, "issue")}. {note}
    </Nearest>
  );
  if (length > MAX_BOXES) return nearest("The list has all of them.");
  if (wholeOf === source)
    return <Pictured state={state} send={send} picture={picture} instead={nearest} />;
  const drawAll = (): void => {
    // The button disappears while it has the focus, so the focus moves to the pane.
    focusPane();
    setWholeOf(source);
  };
  return nearest(
    <button type="button" className="button bordered" onClick={drawAll}>
      Draw all
    </button>,
  );
}

interface NearestProps extends PainterProps {
  readonly picture: GraphPicture;
  readonly source: string;
  readonly children: ReactNode;
}

function Nearest({ state, send, picture, source, children }: NearestProps): ReactElement {
  const nearest = useMemo(() => nearestOf(picture, source, FIRST_BOXES), [picture, source]);
  return <Pictured state={state} send={send} picture={nearest} note={children} />;
}

interface PicturedProps extends PainterProps {
  readonly picture: GraphPicture;
  readonly note?: ReactNode;
  /** What is drawn if the picture cannot be made, with the reason. */
  readonly instead?: (why: string) => ReactElement;
}

function Pictured({ state, send, picture, note, instead }: PicturedProps): ReactElement {
  const places = useLayout(picture);
  if (places === "late" || places === "failed") {
    const why =
      places === "late"
        ? `The picture of these issues takes longer than ${counted(LIMIT_MS / 1000, "second")}.`
        : "The picture cannot be made.";
    return instead?.(why) ?? <Unpictured state={state} why={why} />;
  }
  if (places === undefined) return <div className="picture" aria-busy="true" />;
  return <Canvas {...{ state, send, picture, note }} places={places.answer} />;
}

function Unpictured({ state, why }: { readonly state: State; readonly why: string }): ReactElement {
  return (
    <p className="said unpictured" role="status">
      {why} The list has all of them; {keyFor(state, "graph-less")} leaves out what is farther away.
    </p>
  );
}

function useLayout(picture: GraphPicture): LimitedAnswer<Places> | undefined {
  const shape = shapeOf(picture);
  const [come, setCome] = useState<{
    readonly shape: string;
    readonly places: LimitedAnswer<Places>;
  }>();
  const known = layouts().known(shape);
  useEffect(() => {
    let isLeft = false;
    void layouts()
      .layOut(shape, () => !isLeft)
      .then((places) => {
        if (!isLeft) setCome({ shape, places });
      });
    return () => {
      isLeft = true;
    };
  }, [shape]);
  return known ?? (come?.shape === shape ? come.places : undefined);
}
