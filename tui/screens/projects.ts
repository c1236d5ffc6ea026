import { instantToMs } from "../../src/base/clock.ts";
import { age } from "../age.ts";
import type { Pane } from "../layout.ts";
import type { State } from "../state/state.ts";
import type { Paint } from "../style.ts";
import { type Cell, cellsRow, padded, plainRow } from "./rows.ts";

/** All projects, to choose what the board shows. */
export function drawProjects(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const { projects, projectCursor: cursor } = state;
  if (projects.length === 0)
    return padded(
      [
        plainRow(paint, width, "There is no project yet."),
        plainRow(paint, width, ""),
        plainRow(paint, width, "In the folder of your project, run: svc init", "bold"),
      ],
      width,
      height,
    );
  const row = (mark: string, name: string, open: string, closed: string, when: string): Cell[] => [
    { text: mark, width: 1 },
    { text: name, width: Math.max(8, width - 26) },
    { text: open, width: 6, right: true },
    { text: closed, width: 7, right: true },
    { text: when, width: 8, right: true, role: "dim" },
  ];
  const sum = (of: "open" | "closed"): string =>
    String(projects.reduce((total, project) => total + project[of], 0));
  const nowMs = instantToMs(state.now);
  const rows = [
    ["All projects", sum("open"), sum("closed"), ""] as const,
    ...projects.map(({ name, open, closed, last }) => {
      const when = last === undefined ? "" : age(instantToMs(last), nowMs);
      return [name, String(open), String(closed), when] as const;
    }),
  ];
  const top = Math.max(0, Math.min(cursor - Math.floor(height / 2), rows.length - (height - 1)));
  const lines = rows.slice(top, top + height - 1).map(([name, open, closed, when], at) => {
    const isCursor = top + at === cursor;
    return cellsRow(
      paint,
      width,
      row(isCursor ? paint.glyphs.cursor : "", name, open, closed, when),
      isCursor ? "inverse" : undefined,
    );
  });
  const head = cellsRow(paint, width, row("", "PROJECT", "OPEN", "CLOSED", "CHANGED"), "dim");
  return padded([head, ...lines], width, height);
}
