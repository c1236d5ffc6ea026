import { type ReactElement, useId } from "react";
import { suggestions, takesOtherName } from "../../../src/screen/dialogs/suggestions.ts";
import { fieldOf } from "../../../src/screen/field.ts";
import { closeNotes } from "../../../src/screen/forms/close-line.ts";
import type { PromptDialog } from "../../../src/screen/forms/dialog.ts";
import type { State } from "../../../src/screen/state.ts";
import { pointMessage, type Send } from "../../painter.ts";
import { focusNow, inputKeys, Modal } from "./modal.tsx";
import { Options, optionId } from "./options.tsx";

interface PromptProps {
  readonly state: State;
  readonly send: Send;
  readonly dialog: PromptDialog;
}

const KEYS = {
  Enter: "enter",
  Escape: "esc",
  ArrowDown: "down",
  ArrowUp: "up",
  "ctrl+s": "ctrl+s",
  "ctrl+Enter": "ctrl+s",
} as const;

export function Prompt({ state, send, dialog }: PromptProps): ReactElement {
  const isClose = dialog.kind === "close";
  return (
    <Modal send={send} label={dialog.label} look="bar">
      <PromptInput state={state} send={send} dialog={dialog} label={dialog.label} />
      {isClose ? <CloseNotes state={state} dialog={dialog} /> : null}
      <p className="foot">
        {isClose ? (
          <button
            type="button"
            className="button plain"
            onClick={() => send(pointMessage({ is: "button", key: "ctrl+e" }))}
          >
            As a form
          </button>
        ) : null}
        {takesOtherName(state, dialog) ? (
          <button
            type="button"
            className="button plain"
            onClick={() => send(pointMessage({ is: "button", key: "ctrl+s" }))}
          >
            Use “{dialog.field.text.trim()}” as typed
          </button>
        ) : null}
        <span className="space" />
        <button
          type="button"
          className="button plain"
          onClick={() => send(pointMessage({ is: "button", key: "esc" }))}
        >
          Cancel
        </button>
        <button
          type="button"
          className="button strong"
          onClick={() => send(pointMessage({ is: "button", key: "enter" }))}
        >
          {isClose ? "Close" : "OK"}
        </button>
      </p>
    </Modal>
  );
}

/** Shows below the prompt of a close what the close still needs. */
function CloseNotes({ state, dialog }: Omit<PromptProps, "send">): ReactElement {
  return (
    <div className="hint lines" role="status">
      {closeNotes(state, dialog).map((note) => (
        <p key={note} className={note === dialog.error ? "said error" : undefined}>
          {note}
        </p>
      ))}
    </div>
  );
}

interface PromptInputProps extends PromptProps {
  readonly label: string;
}

export function PromptInput({ state, send, dialog, label }: PromptInputProps): ReactElement {
  const id = useId();
  const choices = suggestions(state, dialog);
  const chosen = dialog.choose ?? (takesOtherName(state, dialog) ? 0 : undefined);
  const keys =
    dialog.kind === "filter"
      ? { ...KEYS, "ctrl+f": "ctrl+f", ...(choices.length > 0 ? { Tab: "tab" } : {}) }
      : { ...KEYS, ...(choices.length > 0 ? { Tab: "tab" } : {}) };
  return (
    <div className="asked">
      <label className="asked-line">
        <span className="asked-label">{label}</span>
        <input
          // The person has just opened the prompt with a key or click, and types next, so the focus may move here.
          ref={focusNow}
          type="text"
          value={dialog.field.text}
          onChange={({ target: { value } }) => send({ type: "typed", field: fieldOf(value) })}
          onKeyDown={inputKeys(send, keys)}
          role="combobox"
          aria-expanded={choices.length > 0}
          aria-controls={id}
          aria-activedescendant={optionId(id, chosen)}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <Options id={id} send={send} label="suggestions" options={choices} at={chosen} />
    </div>
  );
}
