import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useLayoutEffect,
  useRef,
} from "react";
import { isComposing } from "../../keys.ts";
import { pointMessage, type Send } from "../../painter.ts";

interface ModalProps {
  readonly send: Send;
  readonly label: string;
  readonly look: "bar" | "sheet" | "question";
  readonly children: ReactNode;
}

/**
 * A dialog over the page. Escape is sent to the state, which decides what it does. The browser keeps the focus inside
 * the dialog, and gives it back when the dialog closes.
 */
export function Modal({ send, label, look, children }: ModalProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`modal ${look}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        send(pointMessage({ is: "button", key: "esc" }));
      }}
      onMouseDown={(event) => {
        // For a press on the background, the target is the dialog element itself.
        if (event.target === dialog.current && look !== "sheet")
          send(pointMessage({ is: "button", key: "esc" }));
      }}
    >
      <div className="modal-inside">{children}</div>
    </dialog>
  );
}

/** The browser's names of the keys that work in every field of a form, each with the name that the screen uses. */
export const FORM_KEYS = { Escape: "esc", "ctrl+s": "ctrl+s", "ctrl+Enter": "ctrl+s" } as const;

/**
 * A key handler for an input in a dialog. `keys` has the keys that the dialog handles, each with the name under which
 * it is sent; all other keys are left to the input.
 */
export function inputKeys(send: Send, keys: Readonly<Record<string, string>>) {
  return (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return;
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const lead = ctrlKey || metaKey ? "ctrl+" : shiftKey ? "shift+" : "";
    const name = keys[`${lead}${key}`];
    if (name === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    send(pointMessage({ is: "button", key: name }));
  };
}

export function focusNow(element: HTMLElement | null): void {
  element?.focus();
}
