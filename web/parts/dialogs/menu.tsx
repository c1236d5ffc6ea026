import { type ReactElement, type ReactNode, useId, useState } from "react";
import { helpOf } from "../../../src/screen/commands.ts";
import { fieldOf } from "../../../src/screen/field.ts";
import type { MenuDialog } from "../../../src/screen/forms/dialog.ts";
import { UNICODE } from "../../../src/screen/glyphs.ts";
import { type MenuRow, menuRows } from "../../../src/screen/palette/menu.ts";
import { type PaletteRow, paletteRows } from "../../../src/screen/palette/palette.ts";
import type { State } from "../../../src/screen/state.ts";
import { lettersAreOff, setSingleKeyShortcuts } from "../../letters.ts";
import type { PainterProps } from "../../painter.ts";
import { Key } from "../words.tsx";
import { focusNow, inputKeys, Modal } from "./modal.tsx";
import { Options, optionId } from "./options.tsx";

interface MenuProps extends PainterProps {
  readonly dialog: MenuDialog;
}

const KEYS = {
  Enter: "enter",
  Escape: "esc",
  ArrowDown: "down",
  ArrowUp: "up",
  PageDown: "pgdn",
  PageUp: "pgup",
  "ctrl+n": "down",
  "ctrl+p": "up",
} as const;

/** Only this many rows are drawn. A person finds the others by typing, which reduces the rows. */
const MAX_ROWS = 120;

export function Menu({ state, send, dialog }: MenuProps): ReactElement {
  const id = useId();
  const { field, at, kind } = dialog;
  const isHelp = kind === "help";
  const help = isHelp ? menuRows(state, field.text) : [];
  const rows: readonly ReactNode[] = isHelp
    ? help.map(helpRow)
    : paletteRows(state, field.text).map(paletteRow);
  const shown = rows.slice(0, MAX_ROWS);
  const active = Math.min(at, Math.max(0, rows.length - 1));
  return (
    <Modal send={send} label={isHelp ? "keys and signs" : "commands"} look="bar">
      <label className="asked-line">
        <span className="hidden">{isHelp ? "find a key or sign" : "find a command"}</span>
        <input
          ref={focusNow}
          type="text"
          placeholder={isHelp ? "Find a key or a sign" : "What would you do?"}
          value={field.text}
          onChange={({ target: { value } }) => send({ type: "typed", field: fieldOf(value) })}
          onKeyDown={inputKeys(send, isHelp ? KEYS : { ...KEYS, Tab: "tab" })}
          role="combobox"
          aria-expanded={rows.length > 0}
          aria-controls={id}
          aria-activedescendant={optionId(id, active)}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <Options
        {...{ id, send }}
        label="commands"
        options={shown}
        heads={headsOf(state, help.slice(0, MAX_ROWS))}
        at={active}
      />
      {rows.length === 0 ? <p className="none">Nothing fits.</p> : null}
      {isHelp ? <Letters /> : null}
    </Modal>
  );
}

function paletteRow({ entry, choice }: PaletteRow): ReactNode {
  const { name, keys, label, why, argument } = entry;
  if (choice !== undefined)
    return (
      <>
        <span className="option-name">{name}</span> <span>{choice}</span>
      </>
    );
  return (
    <span className="option-line" data-off={why !== undefined}>
      <span className="option-name">
        {name}
        {argument === undefined ? null : <span className="what"> {argument.what}</span>}
      </span>
      <span className="option-label">{why ?? label}</span>
      <span className="keys">
        {keys.slice(0, 2).map((key) => (
          <Key key={key} name={key} />
        ))}
      </span>
    </span>
  );
}

/**
 * Returns the headings of the help by the index of the row below each heading. Consecutive keys of the same scope have
 * one common heading, and the signs have one common heading too.
 */
function headsOf(state: State, rows: readonly MenuRow[]): ReadonlyMap<number, string> {
  const names = rows.map(({ row }) =>
    row === undefined ? "Signs" : helpOf(state, row.scope).heading,
  );
  return new Map([...names.entries()].filter(([at, name]) => name !== names[at - 1]));
}

function helpRow(menuRow: MenuRow): ReactNode {
  if (menuRow.row === undefined) {
    const { text, glyph, label } = menuRow.sign;
    return (
      <span className="option-line">
        <span className="option-name">sign {glyph === undefined ? text : UNICODE[glyph]}</span>
        <span className="option-label">{label}</span>
      </span>
    );
  }
  const { row, why } = menuRow;
  return (
    <span className="option-line" data-off={why !== undefined}>
      <span className="keys option-name">
        {row.keys.slice(0, 3).map((key) => (
          <Key key={key} name={key} />
        ))}
      </span>
      <span className="option-label">
        {row.label}
        {why === undefined ? "" : ` — ${why}`}
      </span>
    </span>
  );
}

/**
 * Lets a person switch off single letters as keys, because speech input or a hand that slips can press them by mistake.
 */
function Letters(): ReactElement {
  const [isOff, setOff] = useState(lettersAreOff);
  return (
    <label className="letters">
      <input
        type="checkbox"
        checked={!isOff}
        onChange={({ target: { checked } }) => {
          setSingleKeyShortcuts(checked);
          setOff(!checked);
        }}
      />
      Single letters are keys
    </label>
  );
}
