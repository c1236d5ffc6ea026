import { promptDialog } from "../forms/dialog.ts";
import { relationsOf } from "../issues/relations.ts";
import { orderOf } from "../issues/sort.ts";
import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { COLUMNS, type Column } from "./column-names.ts";

const USUAL: readonly Column[] = ["priority", "age", "owner", "labels", "due"];
const USUAL_CHOICE = "as usual";

export function columnsWanted(state: State): readonly Column[] {
  const { listColumns } = state.preferences;
  if (listColumns !== undefined) return listColumns;
  if (!relationsOf(state).hasDeadlines()) return USUAL.filter((column) => column !== "due");
  // In a list ordered by deadline, the terminal gives room to the column `due` before `owner`.
  return orderOf(state.board.order) === "due"
    ? ["priority", "age", "due", "owner", "labels"]
    : USUAL;
}

/** Opens a dialog that lists the columns. Enter or space shows or hides a column, and the dialog stays open. */
export function askColumns(state: State, choose = 0): State {
  const shown = state.preferences.listColumns ?? USUAL;
  const choices = COLUMNS.map(
    (column) => `${column}  ${shown.includes(column) ? "shown" : "hidden"}`,
  );
  const more = { choices: [...choices, USUAL_CHOICE] };
  return { ...state, dialog: { ...promptDialog("columns", "column", more), choose } };
}

export function toggleColumn(state: State, text: string): Step {
  if (text === USUAL_CHOICE) return withColumns(state, undefined, COLUMNS.length);
  const name = text.split(" ", 1)[0];
  const at = COLUMNS.findIndex((column) => column === name);
  const column = COLUMNS[at];
  if (column === undefined) return hint(state, `a column is one of ${COLUMNS.join(", ")}`);
  const shown = state.preferences.listColumns ?? USUAL;
  const next = COLUMNS.filter((one) => shown.includes(one) !== (one === column));
  return withColumns(state, next, at);
}

function withColumns(state: State, columns: readonly Column[] | undefined, at: number): Step {
  const next = { ...state, preferences: { ...state.preferences, listColumns: columns } };
  return step(askColumns(next, at), { effect: "save-columns", columns: columns?.join(" ") });
}
