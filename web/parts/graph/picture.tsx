import { type ReactElement, useEffect, useState } from "react";
import { systemClock } from "../../../src/base/clock.ts";
import { counted } from "../../../src/base/counted.ts";
import { type GraphPicture, pictureOf } from "../../../src/screen/graph/picture.ts";
import { keyFor } from "../../../src/screen/keymap.ts";
import type { State } from "../../../src/screen/state.ts";
import { Layouts, LIMIT_MS, MAX_BOXES, shapeOf } from "../../graph/client.ts";
import type { Places } from "../../graph/layout.ts";
import type { Limited } from "../../limited-worker.ts";
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
  const picture = pictureOf(state);
  if (picture === undefined || picture.uids.length < 2) return null;
  const { length } = picture.uids;
  if (length > MAX_BOXES) {
    const why = `A picture shows at most ${counted(MAX_BOXES, "issue")}, and these are ${length}.`;
    return <Unpictured state={state} why={why} />;
  }
  return <Pictured state={state} send={send} picture={picture} />;
}

function Pictured({
  state,
  send,
  picture,
}: PainterProps & { readonly picture: GraphPicture }): ReactElement {
  const places = useLayout(picture);
  if (places === "late") {
    const why = `The picture of these issues takes longer than ${counted(LIMIT_MS / 1000, "second")}.`;
    return <Unpictured state={state} why={why} />;
  }
  if (places === "failed") return <Unpictured state={state} why="The picture cannot be made." />;
  if (places === undefined) return <div className="picture" aria-busy="true" />;
  return <Canvas state={state} send={send} picture={picture} places={places.answer} />;
}

function Unpictured({ state, why }: { readonly state: State; readonly why: string }): ReactElement {
  return (
    <p className="said unpictured" role="status">
      {why} The list has all of them; {keyFor(state, "graph-less")} leaves out what is farther away.
    </p>
  );
}

function useLayout(picture: GraphPicture): Limited<Places> | undefined {
  const shape = shapeOf(picture);
  const [come, setCome] = useState<{ readonly shape: string; readonly places: Limited<Places> }>();
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
