import { age } from "../../src/base/age.ts";
import { instantToMs } from "../../src/base/clock.ts";
import type { Glyphs } from "../../src/screen/glyphs.ts";
import { firstRow } from "../../src/screen/scroll.ts";
import type { State } from "../../src/screen/state.ts";
import { commandOf } from "../../src/screen/writes/command-line.ts";
import type { SentWrite } from "../../src/screen/writes/done.ts";
import { wrap } from "../text.ts";
import { type DrawDialog, keysLine, title } from "./input.ts";
import { plainRow } from "./rows.ts";

export const drawList: DrawDialog<"list"> = (state, dialog, paint, width, height) => {
  const isWrites = dialog.kind === "writes";
  const rows = isWrites
    ? state.writes.sent.map((done) => writeRow(state, paint.glyphs, done))
    : messageRows(state);
  const room = Math.max(1, height - 2);
  const shown = rows.flatMap(({ text, failed }, at) => {
    if (at !== dialog.at) return plainRow(paint, width, ` ${text}`, failed ? "error" : undefined);
    return wrap(text, width - 1).map((part, place) =>
      plainRow(paint, width, `${place === 0 ? paint.glyphs.cursor : " "}${part}`, "cursor"),
    );
  });
  const top = firstRow(dialog.at, shown.length, room);
  const lines = shown.slice(top, top + room);
  const none = isWrites ? "nothing was changed in this session" : "no messages";
  const place = rows.length === 0 ? "0" : `${dialog.at + 1} of ${rows.length}`;
  return [
    title(paint, width, isWrites ? "changes of this session" : "messages"),
    ...(lines.length > 0 ? lines : [plainRow(paint, width, none, "dim")]),
    keysLine(paint, width, "j/k move   y copy   e try again   esc back", place),
  ];
};

interface ListRow {
  readonly text: string;
  readonly failed: boolean;
}

function writeRow({ session }: State, glyphs: Glyphs, done: SentWrite): ListRow {
  const mark = done.state === "done" ? " " : glyphs[done.state];
  const failed = done.state === "failed";
  const command = `${mark} ${commandOf(done.write, session.actor)}`;
  return { text: failed ? `${command}  # ${done.text}` : command, failed };
}

function messageRows({ now, messages, writes }: State): readonly ListRow[] {
  const nowMs = instantToMs(now);
  return messages.all.map(({ text, tone, at, failed }) => {
    const write = writes.sent.find(({ id }) => id === failed)?.write;
    const name = write === undefined || write.act === "create" ? "" : write.at.name;
    const about = name === "" || text.includes(name) ? "" : `${name}: `;
    return { text: ` ${age(instantToMs(at), nowMs)}  ${about}${text}`, failed: tone === "error" };
  });
}
