import { Fragment, type ReactElement, useEffect, useLayoutEffect, useRef } from "react";
import { counted } from "../../src/base/counted.ts";
import { actsOnMarks, chosenIssues, shownIssue } from "../../src/screen/chosen.ts";
import { commandStateOf, keyBindingOf } from "../../src/screen/commands.ts";
import { withIssue } from "../../src/screen/input/on-issue.ts";
import type { Command } from "../../src/screen/keys.ts";
import type { Target } from "../../src/screen/message.ts";
import type { State } from "../../src/screen/state.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { shapeOf } from "../room.ts";
import { onMenuKey } from "./menu-keys.ts";
import { Key } from "./words.tsx";

export interface MenuSpot {
  readonly x: number;
  readonly y: number;
}

interface ContextMenuProps extends PainterProps {
  readonly spot: MenuSpot;
  /** The issue under the pointer. If it is absent, the commands act on the same issues as the keys. */
  readonly on?: string | undefined;
  close(): void;
}

/** The commands on an issue, the most used ones first. A line is drawn between two groups. */
const GROUPS: readonly (readonly Command[])[] = [
  ["mark", "edit", "comment", "list-comment", "edit-comment"],
  ["close", "close-with", "reopen", "carry-to"],
  ["assign", "unassign", "priority", "add-label", "remove-label", "dates"],
  ["set-parent", "add-blocker", "add-blocked", "add-related", "unlink", "new-child", "move"],
  ["notify", "copy", "copy-part", "graph-screen", "raw-text", "delete"],
];

interface MenuRow {
  readonly command: Command;
  readonly label: string;
  /** The key that runs the same command, if there is one. */
  readonly name: string | undefined;
}

/**
 * The groups of commands that can run on the issue `on`. Without `on`, the commands act on the same issues as the keys.
 */
export function menuGroups(state: State, on: string | undefined): readonly (readonly MenuRow[])[] {
  const there = on === undefined ? state : withIssue(state, on);
  const isInView = on === undefined || on === shownIssue(state);
  const rows = commandStateOf(there).filter(({ isHere, why }) => isHere && why === undefined);
  // The menu shows keys only if they act on the same issues as the menu. The key of `mark` is always shown.
  const [first, second] = chosenIssues(state);
  const isKeys = on === undefined || (second === undefined && first?.uid === on);
  const isUnderCursor = on !== undefined && on === state.board.cursor;
  const rowOf = (name: Command): readonly MenuRow[] => {
    // The command `mark` acts on the row under the cursor, even if the other commands of the menu act on another issue.
    const found = name === "mark" && isUnderCursor ? commandStateOf(state) : rows;
    const row = found.find((one) => one.row.command === name && one.isHere)?.row;
    // The command `raw-text` changes how the texts of all issues are shown, so only the menu of the issue in view has
    // it.
    if (row === undefined || (name === "raw-text" && !isInView)) return [];
    const [label = row.label] = row.label.split(/[;:]/, 1);
    const key = row.keys[0] ?? "";
    const isKey = (isKeys || name === "mark") && keyBindingOf(state, key)?.command === name;
    const isMarked = state.marks.has(on ?? state.board.cursor ?? "");
    const words = name === "mark" && isMarked ? "take the mark off" : label;
    return [{ command: name, label: words, name: isKey ? key : undefined }];
  };
  return GROUPS.map((names) => names.flatMap(rowOf)).filter(({ length }) => length > 0);
}

export function ContextMenu({ state, send, spot, on, close }: ContextMenuProps): ReactElement {
  const menu = useRef<HTMLDivElement>(null);
  // On a phone the menu is a sheet at the bottom, wherever the finger was.
  const isSheet = shapeOf(state.window.columns) === "column";
  const last = useRef<Element | null>(null);
  // Lifting the finger after the long press that opened the menu chooses nothing. Only a new press does.
  const isPressed = useRef(false);
  useLayoutEffect(() => {
    const { current } = menu;
    if (current === null) return;
    if (!isSheet) {
      // A menu that would reach out of the window is moved into it.
      const { width, height } = current.getBoundingClientRect();
      current.style.left = `${Math.max(8, Math.min(spot.x, window.innerWidth - width - 8))}px`;
      current.style.top = `${Math.max(8, Math.min(spot.y, window.innerHeight - height - 8))}px`;
    }
    last.current = document.activeElement;
    current.querySelector("button")?.focus();
  }, [spot, isSheet]);
  useEffect(
    () => () => {
      // If the chosen command opened something, such as a line to type in, that has the focus already and keeps it.
      const isFree = document.activeElement === null || document.activeElement === document.body;
      if (isFree && last.current instanceof HTMLElement) last.current.focus();
    },
    [],
  );
  const choose = (place: Target): void => {
    close();
    send(pointMessage(place));
  };
  return (
    <div
      className="menu-cover"
      role="presentation"
      onPointerDown={() => {
        isPressed.current = true;
      }}
      onClick={() => {
        if (isPressed.current) close();
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (isPressed.current) close();
      }}
    >
      <div ref={menu} className="menu">
        {isSheet || (on === undefined && actsOnMarks(state)) ? (
          <p className="menu-about">{aboutOf(on === undefined ? state : withIssue(state, on))}</p>
        ) : null}
        <div
          role="menu"
          aria-label="commands on the issue"
          onKeyDown={(event) => onMenuKey(event, close)}
        >
          {menuGroups(state, on).map((group) => (
            <div key={group[0]?.command} className="menu-group" role="group">
              {group.map(({ command, label, name }) => (
                <Fragment key={command}>
                  <Item
                    label={label}
                    name={name}
                    choose={() =>
                      choose({ is: "command", command, on: command === "mark" ? undefined : on })
                    }
                  />
                  {command === "copy" ? (
                    <Item
                      label="copy the link"
                      name={undefined}
                      choose={() => choose({ is: "copy", part: "link", on })}
                    />
                  ) : null}
                </Fragment>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/**
 * Returns the words for what the commands act on. The menu shows these words, because on a phone it may cover the
 * issue.
 */
function aboutOf(state: State): string {
  const [first, second] = chosenIssues(state);
  if (first === undefined) return "";
  return second === undefined ? first.title : counted(chosenIssues(state).length, "issue");
}

interface ItemProps {
  readonly label: string;
  readonly name: string | undefined;
  choose(): void;
}

function Item({ label, name, choose }: ItemProps): ReactElement {
  return (
    <button type="button" role="menuitem" onClick={choose}>
      <span className="menu-label">{label}</span>
      {name === undefined ? null : <Key name={name} />}
    </button>
  );
}
