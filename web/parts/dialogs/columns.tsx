import type { KeyboardEvent, ReactElement } from "react";
import type { PromptDialog } from "../../../src/screen/forms/dialog.ts";
import { pointed, type Send } from "../../painter.ts";
import { Icon } from "../icon.tsx";
import { focusNow, Modal } from "./modal.tsx";
import { KeyButton } from "./questions.tsx";

interface ColumnsProps {
  readonly send: Send;
  readonly dialog: PromptDialog;
}

const SHOWN = /^(\S+) {2}(shown|hidden)$/;

/** Asks which columns the list shows if there is room. It stays open, so that the person sees what each choice does. */
export function Columns({ send, dialog }: ColumnsProps): ReactElement {
  return (
    <Modal send={send} label="columns of the list" look="question">
      <h2 className="sheet-title">Columns</h2>
      <div className="column-choices" role="menu" aria-label="columns" onKeyDown={onArrow}>
        {dialog.choices.map((choice, at) => {
          const [, name, is] = SHOWN.exec(choice) ?? [];
          return (
            <button
              key={name ?? choice}
              type="button"
              role={name === undefined ? "menuitem" : "menuitemcheckbox"}
              aria-checked={name === undefined ? undefined : is === "shown"}
              className="column-choice"
              ref={at === 0 ? focusFirst : undefined}
              onClick={() => send(pointed({ is: "option", at }))}
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

/** Focuses the first choice when the dialog opens. Later the focus is inside already, and a choice leaves it there. */
function focusFirst(element: HTMLElement | null): void {
  const isInside = element?.parentElement?.contains(document.activeElement) === true;
  if (!isInside) focusNow(element);
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
