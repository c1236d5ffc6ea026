import type { ConnectionState } from "../../src/screen/connection/state.ts";
import { wrap } from "../text.ts";
import { type DrawDialog, keysLine, title } from "./input.ts";
import { type Cell, cellsRow, plainRow, rowsAround } from "./rows.ts";

export const drawDaemons: DrawDialog<"daemons"> = (state, { at }, paint, width, height) => {
  const { daemons, configFile } = state.connection;
  const cure = wrap(`another one: a [[daemon]] with name and url in ${configFile}`, width - 1);
  const room = Math.max(1, height - 3 - cure.length);
  const name = Math.min(22, Math.floor(width / 4));
  const current = ["current", ...standing(state.connection)].join(", ");
  const size = Math.max(8, current.length);
  const widths = [1, name, Math.max(8, width - name - size - 14), 8, size];
  const cells = (...texts: readonly string[]): readonly Cell[] =>
    widths.map((each, place) => ({ text: texts[place] ?? "", width: each }));
  const lines = rowsAround(daemons, at, room, (daemon, isCursor) => {
    const mark = isCursor ? paint.glyphs.cursor : "";
    const auth = daemon.hasToken ? "token" : "no token";
    const how = daemon.name === state.connection.daemon ? current : "";
    const row = cells(mark, daemon.name, daemon.endpoint, auth, how);
    return cellsRow(paint, width, row, isCursor ? "inverse" : undefined);
  });
  const chosen = daemons[at];
  const insecure = chosen?.allowInsecure === true ? "plain http is allowed to it" : "";
  return [
    title(paint, width, "daemons"),
    cellsRow(paint, width, cells("", "DAEMON", "ENDPOINT", "AUTH", "STATE"), "dim"),
    ...lines,
    ...cure.map((text) => plainRow(paint, width, ` ${text}`, "dim")),
    keysLine(paint, width, "enter change to it   j/k choose   esc back", insecure),
  ];
};

function standing({ live, readOnly }: ConnectionState): readonly string[] {
  if (live === "refused") return ["refused"];
  return readOnly === undefined ? [] : ["read-only"];
}
