import { type ReactElement, useId, useLayoutEffect, useRef } from "react";
import { daysText, HOW_SERIES_GO } from "../../../src/screen/cron/series-days.ts";
import { fieldOf } from "../../../src/screen/field.ts";
import { closeHelp, closeObstacles } from "../../../src/screen/forms/close-form.ts";
import { fieldSuggestions } from "../../../src/screen/forms/completion.ts";
import type { FormDialog, FormField } from "../../../src/screen/forms/dialog.ts";
import { type PainterProps, pointMessage, type Send } from "../../painter.ts";
import { FORM_KEYS, inputKeys, Modal } from "./modal.tsx";
import { Options, optionId } from "./options.tsx";
import { TextArea } from "./text-area.tsx";

interface FormProps extends PainterProps {
  readonly dialog: FormDialog;
}

const LINE_KEYS = { ...FORM_KEYS, Enter: "enter", ArrowDown: "down", ArrowUp: "up" } as const;

/** A dialog with several fields. It stays open until the daemon has accepted the values of the fields. */
export function Form({ state, send, dialog }: FormProps): ReactElement {
  const { title, fields, saving, leaving, error, notes, kind, about } = dialog;
  const way = closeObstacles(state, dialog).filter((text) => text !== error);
  const isFilter = kind.form === "filter";
  const days = daysText(dialog);
  return (
    <Modal send={send} label={title} look="sheet">
      <h2 className="sheet-title">{title}</h2>
      <div className="fields" aria-busy={saving}>
        {fields.map((field, at) => (
          <FieldRow key={field.name} {...{ state, send, dialog, field, at }} />
        ))}
      </div>
      {error === undefined ? null : (
        <p className="said error" role="alert">
          {error}
        </p>
      )}
      {notes.length + way.length === 0 ? null : (
        <div className="said warn lines">
          {[...notes, ...way].map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
      {about === undefined ? null : <p className="hint">{about}</p>}
      {kind.form === "close" ? <p className="hint">{closeHelp(state, dialog)}</p> : null}
      {days === undefined ? null : (
        <p className="hint" role="status">
          {days}
          <br />
          {HOW_SERIES_GO}
        </p>
      )}
      <p className="foot">
        {leaving ? <span className="said warn">What you typed would be lost.</span> : null}
        <span className="space" />
        {leaving ? (
          <button
            type="button"
            className="button plain"
            onClick={({ currentTarget }) => {
              // This button disappears together with the question, so the focus returns to the field where it was.
              currentTarget.closest("dialog")?.querySelector<HTMLElement>("[autofocus]")?.focus();
              send(pointMessage({ is: "field", at: dialog.focus }));
            }}
          >
            Go on editing
          </button>
        ) : null}
        <button
          type="button"
          className="button plain"
          onClick={() => send(pointMessage({ is: "button", key: "esc" }))}
        >
          {leaving ? "Discard it" : "Cancel"}
        </button>
        <button
          type="button"
          className="button strong"
          disabled={saving}
          title={isFilter ? "enter" : "ctrl+enter"}
          onClick={() => send(pointMessage({ is: "button", key: "ctrl+s" }))}
        >
          {saving ? "Saving …" : (SAVE_WORDS[kind.form] ?? "Save")}
        </button>
      </p>
    </Modal>
  );
}

/** The words of the button that sends a form; `Save` for forms that are not listed. */
const SAVE_WORDS: Readonly<Partial<Record<FormDialog["kind"]["form"], string>>> = {
  new: "Create",
  "new-series": "Create",
  comment: "Comment",
  close: "Close",
  filter: "Show",
};

interface FieldProps extends FormProps {
  readonly field: FormField;
  readonly at: number;
}

function FieldRow(props: FieldProps): ReactElement {
  const { dialog, field, send, at } = props;
  const id = useId();
  const isFocused = dialog.focus === at;
  const focused = (): void => {
    if (!isFocused) send(pointMessage({ is: "field", at }));
  };
  return (
    <div
      className={`field${field.lines > 1 ? " long" : ""}`}
      data-name={field.name}
      onFocus={focused}
    >
      <label htmlFor={id} id={`${id}-label`}>
        {field.label}
      </label>
      {field.choices === undefined ? (
        <TextField {...props} id={id} isFocused={isFocused} />
      ) : (
        <Choices send={send} field={field} at={at} id={id} isFocused={isFocused} />
      )}
    </div>
  );
}

interface InputProps {
  readonly id: string;
  readonly isFocused: boolean;
}

/** Returns a ref for the input of a field. The input gets the focus when `isFocused` becomes true. */
function useFocus<Field extends HTMLElement>(isFocused: boolean) {
  const input = useRef<Field>(null);
  useLayoutEffect(() => {
    // When a dialog opens, the browser focuses the first element with this attribute, or else the first field.
    input.current?.toggleAttribute("autofocus", isFocused);
    if (isFocused && document.activeElement !== input.current) input.current?.focus();
  }, [isFocused]);
  return input;
}

function TextField({
  state,
  send,
  dialog,
  field,
  id,
  isFocused,
}: FieldProps & InputProps): ReactElement {
  const line = useFocus<HTMLInputElement>(isFocused && field.lines === 1);
  const area = useFocus<HTMLTextAreaElement>(isFocused && field.lines > 1);
  const value = field.value.text;
  const onChange = ({ target }: { readonly target: { readonly value: string } }): void =>
    send({ type: "typed", field: fieldOf(target.value) });
  if (field.lines > 1) return <TextArea {...{ send, dialog, field, id, isFocused, area }} />;
  const choices = isFocused ? fieldSuggestions(state, dialog) : [];
  const isLocked = field.locked === true;
  const keys =
    choices.length > 0 && dialog.choose !== undefined ? { ...LINE_KEYS, Tab: "tab" } : LINE_KEYS;
  return (
    <div className="completed">
      <input
        ref={line}
        id={id}
        type="text"
        value={value}
        placeholder={field.hint}
        readOnly={isLocked}
        onChange={onChange}
        onKeyDown={inputKeys(send, keys)}
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-options`}
        aria-activedescendant={optionId(`${id}-options`, dialog.choose)}
        autoComplete="off"
      />
      {isLocked ? (
        <button
          type="button"
          className="button plain"
          onClick={() => send(pointMessage({ is: "button", key: "backspace" }))}
        >
          Change
        </button>
      ) : null}
      <Options
        id={`${id}-options`}
        send={send}
        label={field.label}
        options={choices}
        at={dialog.choose}
      />
    </div>
  );
}

/** The priority as the list writes it: P0 is the most urgent. */
function priorityWord(choice: string): string {
  return choice === "-" ? "none" : `P${choice}`;
}

interface ChoicesProps extends InputProps {
  readonly send: Send;
  readonly field: FormField;
  readonly at: number;
}

function Choices({ send, field, at, id, isFocused }: ChoicesProps): ReactElement {
  const group = useFocus<HTMLDivElement>(isFocused);
  const { choices = [], value } = field;
  const keys = {
    ...FORM_KEYS,
    Enter: "enter",
    ArrowRight: "right",
    ArrowLeft: "left",
    ArrowDown: "right",
    ArrowUp: "left",
  };
  const take = (option: number): void => {
    send(pointMessage({ is: "field", at }));
    send(pointMessage({ is: "option", at: option }));
  };
  return (
    <div
      ref={group}
      id={id}
      className="choices"
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      tabIndex={0}
      onKeyDown={inputKeys(send, keys)}
    >
      {choices.map((choice, option) => (
        <button
          key={choice}
          type="button"
          role="radio"
          tabIndex={-1}
          aria-checked={choice === value.text}
          onClick={() => take(option)}
        >
          {field.name === "priority" ? priorityWord(choice) : choice}
        </button>
      ))}
    </div>
  );
}
