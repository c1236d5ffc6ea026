import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useLayoutEffect,
  useRef,
} from "react";
import { pointed, type Send } from "../../painter.ts";

interface ModalProps {
  readonly send: Send;
  readonly label: string;
  readonly look: "bar" | "sheet" | "question";
  readonly children: ReactNode;
}

/** A dialog over the page. Escape does what the state says; the browser keeps the focus inside and gives it back. */
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
        send(pointed({ is: "button", key: "esc" }));
      }}
      onMouseDown={(event) => {
        // A press beside the dialog lands on the dialog itself.
        if (event.target === dialog.current && look !== "sheet")
          send(pointed({ is: "button", key: "esc" }));
      }}
    >
      <div className="modal-inside">{children}</div>
    </dialog>
  );
}

/** The keys of an input that mean something to its dialog; all others are the input's own. */
export function inputKeys(send: Send, keys: Readonly<Record<string, string>>) {
  return (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const lead = ctrlKey || metaKey ? "ctrl+" : shiftKey ? "shift+" : "";
    const name = keys[`${lead}${key}`];
    if (name === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    send(pointed({ is: "button", key: name }));
  };
}

/** Focuses an element when it is drawn for the first time. */
export function focusNow(element: HTMLElement | null): void {
  element?.focus();
}
