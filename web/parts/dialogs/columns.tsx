import { type KeyboardEvent, type ReactElement, useLayoutEffect, useRef } from "react";
import type { PromptDialog } from "../../../src/screen/forms/dialog.ts";
import { pointMessage, type Send } from "../../painter.ts";
import { Icon } from "../icon.tsx";
import { Modal } from "./modal.tsx";
import { KeyButton } from "./questions.tsx";

interface ColumnsProps {
  readonly send: Send;
  readonly dialog: PromptDialog;
}

const SHOWN = /^(\S+) {2}(shown|hidden)$/;

/**
 * Asks which columns the list shows. The dialog stays open after a choice, so that the person sees what the choice
 * does.
 */
export function Columns({ send, dialog }: ColumnsProps): ReactElement {
  const choices = useRef<HTMLDivElement>(null);
  const opening = useRef(dialog.choose ?? 0);
  // Keys may have moved the choice before this dialog was loaded, so that choice gets the focus. From then on, the
  // browser moves the focus.
  useLayoutEffect(() => choices.current?.querySelectorAll("button")[opening.current]?.focus(), []);
  return (
    <Modal send={send} label="columns of the list" look="question">
      <h2 className="sheet-title">Columns</h2>
      <div
        ref={choices}
        className="column-choices"
        role="menu"
        aria-label="columns"
        onKeyDown={onArrow}
      >
        {dialog.choices.map((choice, at) => {
          const [, name, is] = SHOWN.exec(choice) ?? [];
          return (
            <button
              key={name ?? choice}
              type="button"
              role={name === undefined ? "menuitem" : "menuitemcheckbox"}
              aria-checked={name === undefined ? undefined : is === "shown"}
              className="column-choice"
              onClick={() => send(pointMessage({ is: "option", at }))}
            >
              <span className="tick" data-on={is === "shown"} data-none={name === undefined}>
                <Icon name="check" />
              </span>
              <span className="option-label">{name ?? choice}</span>
            </button>
          );
        })}
      </div>
      <p className="foot">
        <span className="space" />
        <KeyButton send={send} name="esc" label="Done" look="strong" />
      </p>
    </Modal>
  );
}

function onArrow(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const items = [...event.currentTarget.querySelectorAll("button")];
  const at = items.findIndex((item) => item === document.activeElement);
  items[(at + by + items.length) % items.length]?.focus();
}
