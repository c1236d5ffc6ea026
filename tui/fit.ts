import type { Fit } from "../src/screen/fit.ts";
import type { State } from "../src/screen/state.ts";
import { areaWidth, vertical } from "./area.ts";
import { documentPane, shownDocument } from "./document/document.ts";
import { versionsIn } from "./document/versions.ts";
import { boardHeight, boardLayout, browseHeight, fleetHeight, isWide } from "./room.ts";
import { cardLines, lanesIn } from "./screens/cards.ts";

export const TERMINAL: Fit<State> = {
  board: (state) => {
    const { list, browse, detail } = boardLayout(state);
    if (list === undefined) return undefined;
    const rows = boardHeight(state);
    return { rows, browse: browse !== undefined, detail: detail !== undefined };
  },
  isWide,
  page: (state) => {
    if (state.screen === "fleet") return Math.max(1, fleetHeight(state) - 1);
    return Math.max(1, (boardLayout(state).list?.height ?? 4) - 3);
  },
  browse: browseHeight,
  lanes: (state) => lanesIn(state).count,
  card: cardLines,
  document: (state, uid) => {
    const document = shownDocument(state, uid);
    if (document === undefined) return undefined;
    const { lines, refs, tabs } = document;
    return { lines: lines.length, height: documentPane(state).height, refs, tabs };
  },
  versions: (state) => {
    const { lines, height } = versionsIn(state);
    return { lines: lines.length, height };
  },
  vertical: (state, field, by) => vertical(field, by, areaWidth(state)),
};
