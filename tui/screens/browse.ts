import type { Pane } from "../layout.ts";
import { countsOf } from "../state/counts.ts";
import { parseQuery, STATUSES } from "../state/query.ts";
import type { State } from "../state/state.ts";
import type { Paint } from "../style.ts";
import { fit } from "../text.ts";
import { cellsRow, padded, plainRow } from "./rows.ts";

/** Views, projects, labels and owners with their counts, to see what there is. */
export function drawBrowse(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const query = parseQuery(state.board.query);
  const title = (text: string): string => plainRow(paint, width, text, "bold");
  const line = (name: string, count: number, isOn: boolean): string =>
    cellsRow(
      paint,
      width,
      [
        { text: isOn ? ">" : "", width: 1 },
        { text: name, width: width - 8 },
        { text: String(count), width: 5, right: true, role: "dim" },
      ],
      isOn ? "bold" : undefined,
    );
  const { statuses, labels, owners } = countsOf(state);
  const listed = [
    title("VIEWS"),
    ...STATUSES.map((status) => line(status, statuses[status] ?? 0, query.status === status)),
    "",
    title("PROJECTS"),
    ...state.projects
      .slice(0, 8)
      .map(({ id, name, open }) => line(name, open, state.scope.project?.id === id)),
    "",
    title("LABELS"),
    ...labels.slice(0, 8).map(([name, count]) => line(name, count, query.labels.includes(name))),
    "",
    title("OWNERS"),
    ...owners.slice(0, 8).map(([name, count]) => line(name, count, query.owner === name)),
  ];
  return padded(
    [
      plainRow(paint, width, "BROWSE", "dim"),
      ...listed.map((text) => (text === "" ? fit("", width) : text)),
    ],
    width,
    height,
  );
}
