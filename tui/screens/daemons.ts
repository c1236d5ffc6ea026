import type { Dialog } from "../../src/screen/forms/dialog.ts";
import { centred } from "../../src/screen/scroll.ts";
import type { State } from "../../src/screen/state.ts";
import type { Paint } from "../style.ts";
import { wrap } from "../text.ts";
import { keysLine, title } from "./input.ts";
import { type Cell, cellsRow, plainRow } from "./rows.ts";

/** A choice of the daemons in config.toml. */
export function drawDaemons(
  state: State,
  { at }: Extract<Dialog, { dialog: "daemons" }>,
  paint: Paint,
  width: number,
  height: number,
): readonly string[] {
  const { daemons, configFile } = state.connection;
  const cure = wrap(`another one: a [[daemon]] with name and url in ${configFile}`, width - 1);
  const room = Math.max(1, height - 3 - cure.length);
  const top = centred(at, daemons.length, room);
  const name = Math.min(22, Math.floor(width / 4));
  const cells = (
    mark: string,
    texts: readonly [string, string, string, string],
  ): readonly Cell[] => [
    { text: mark, width: 1 },
    { text: texts[0], width: name },
    { text: texts[1], width: Math.max(8, width - name - 22) },
    { text: texts[2], width: 8 },
    { text: texts[3], width: 8 },
  ];
  const lines = daemons.slice(top, top + room).map((daemon, place) => {
    const isCursor = top + place === at;
    const auth = daemon.hasToken ? "token" : "no token";
    const how = daemon.name === state.connection.daemon ? "current" : "";
    const row = cells(isCursor ? paint.glyphs.cursor : "", [
      daemon.name,
      daemon.endpoint,
      auth,
      how,
    ]);
    return cellsRow(paint, width, row, isCursor ? "inverse" : undefined);
  });
  const chosen = daemons[at];
  const insecure = chosen?.allowInsecure === true ? "plain http is allowed to it" : "";
  return [
    title(paint, width, "daemons"),
    cellsRow(paint, width, cells("", ["DAEMON", "ENDPOINT", "AUTH", "STATE"]), "dim"),
    ...lines,
    ...cure.map((text) => plainRow(paint, width, ` ${text}`, "dim")),
    keysLine(paint, width, "enter change to it   j/k choose   esc back", insecure),
  ];
}
