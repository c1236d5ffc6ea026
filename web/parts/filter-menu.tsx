import { type ReactElement, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { filterChoices } from "../../src/screen/board/filter-choices.ts";
import { focusPane } from "../focus.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { shapeOf } from "../room.ts";
import { onMenuKey } from "./menu-keys.ts";

interface FilterMenuProps extends PainterProps {
  readonly part: string;
  /** The chip below which the menu opens. On a phone the menu is a sheet at the bottom. */
  readonly chip: HTMLElement;
  close(): void;
}

export function FilterMenu({ state, send, part, chip, close }: FilterMenuProps): ReactElement {
  const menu = useRef<HTMLDivElement>(null);
  const isSheet = shapeOf(state.window.columns) === "column";
  useLayoutEffect(() => {
    const { current } = menu;
    if (current === null) return;
    if (!isSheet) {
      const { left, bottom } = chip.getBoundingClientRect();
      const { width, height } = current.getBoundingClientRect();
      current.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`;
      current.style.top = `${Math.max(8, Math.min(bottom + 4, window.innerHeight - height - 8))}px`;
    }
    const chosen = current.querySelector<HTMLElement>("[aria-checked=true]");
    (chosen ?? current.querySelector("button"))?.focus();
  }, [chip, isSheet]);
  const dismiss = (): void => {
    close();
    chip.focus({ preventScroll: true });
  };
  // A choice replaces the chip, so the list gets the focus.
  const choose = (query: string): void => {
    close();
    focusPane();
    send(pointMessage({ is: "query", query }));
  };
  // The header is a CSS container, so a menu inside it would be positioned by the header instead of by the window.
  return createPortal(
    <div className="menu-cover" role="presentation" onClick={dismiss}>
      <div ref={menu} className="menu">
        {isSheet ? <p className="menu-about">{part}</p> : null}
        <div
          role="menu"
          aria-label={`values instead of ${part}`}
          onKeyDown={(event) => onMenuKey(event, dismiss)}
        >
          {filterChoices(state, part).map(({ name, count, isOn, query }) => (
            <button
              key={name}
              type="button"
              role="menuitemradio"
              aria-checked={isOn}
              onClick={() => choose(query)}
            >
              <span className="menu-value">{name}</span>
              {count === undefined ? null : <span className="count">{count}</span>}
            </button>
          ))}
        </div>
      </div>
    </div>,
    chip.closest("main") ?? document.body,
  );
}
