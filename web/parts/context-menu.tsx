import {
  Fragment,
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { counted } from "../../src/base/counted.ts";
import { chosen } from "../../src/screen/board/board.ts";
import { commandStateOf } from "../../src/screen/commands.ts";
import type { Command } from "../../src/screen/keys.ts";
import type { Target } from "../../src/screen/message.ts";
import type { State } from "../../src/screen/state.ts";
import { type PainterProps, pointed } from "../painter.ts";
import { shapeOf } from "../room.ts";
import { Key } from "./words.tsx";

/** Where the menu opens, in pixels of the window. */
export interface MenuSpot {
  readonly x: number;
  readonly y: number;
}

interface ContextMenuProps extends PainterProps {
  readonly spot: MenuSpot;
  close(): void;
}

/** The commands on an issue, the most used ones first. A line is drawn between two groups. */
const GROUPS: readonly (readonly Command[])[] = [
  ["mark", "edit", "comment", "list-comment", "close", "reopen", "carry-to"],
  ["assign", "unassign", "priority", "add-label", "remove-label", "dates"],
  ["set-parent", "add-blocker", "add-related", "unlink", "new-child", "move"],
  ["notify", "copy", "copy-part", "graph-screen", "delete"],
];

/** A menu of the commands that can be run on the issue under the pointer, each with its key. */
export function ContextMenu({ state, send, spot, close }: ContextMenuProps): ReactElement {
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
    () => () => (last.current instanceof HTMLElement ? last.current.focus() : undefined),
    [],
  );
  const rows = commandStateOf(state).filter(({ isHere, why }) => isHere && why === undefined);
  const groups = GROUPS.map((names) =>
    names.flatMap((name) => rows.find(({ row }) => row.command === name) ?? []),
  ).filter((group) => group.length > 0);
  const choose = (place: Target): void => {
    close();
    send(pointed(place));
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
        {isSheet ? <p className="menu-about">{aboutOf(state)}</p> : null}
        <div
          role="menu"
          aria-label="commands on the issue"
          onKeyDown={(event) => onMenuKey(event, close)}
        >
          {groups.map((group) => (
            <div key={group[0]?.row.command} className="menu-group" role="group">
              {group.map(({ row: { command, label, keys } }) => (
                <Fragment key={command}>
                  <Item
                    label={label.split(/[;:]/, 1)[0] ?? label}
                    name={keys[0]}
                    choose={() => choose({ is: "command", command })}
                  />
                  {command === "copy" ? (
                    <Item
                      label="copy the link"
                      name={undefined}
                      choose={() => choose({ is: "copy", part: "link" })}
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

/** What the commands act on. The menu says so, because on a phone it may cover the issue. */
function aboutOf(state: State): string {
  const [first, second] = chosen(state);
  if (first === undefined) return "";
  return second === undefined ? first.title : counted(chosen(state).length, "issue");
}

interface ItemProps {
  readonly label: string;
  /** The key that does the same. */
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

function onMenuKey(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll("button")];
  const at = items.findIndex((item) => item === document.activeElement);
  const to = (index: number): void => items[(index + items.length) % items.length]?.focus();
  switch (event.key) {
    case "ArrowDown":
      to(at + 1);
      break;
    case "ArrowUp":
      to(at - 1);
      break;
    case "Home":
      to(0);
      break;
    case "End":
      to(-1);
      break;
    case "Escape":
    case "Tab":
      close();
      break;
    case "Enter":
    case " ":
      return event.stopPropagation();
    default:
  }
  event.preventDefault();
  event.stopPropagation();
}
