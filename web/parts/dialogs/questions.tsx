import type { ReactElement } from "react";
import { fieldOf } from "../../../src/screen/field.ts";
import type { Dialog } from "../../../src/screen/forms/dialog.ts";
import { aboutAll } from "../../../src/screen/forms/forms.ts";
import { type PainterProps, pointMessage, type Send } from "../../painter.ts";
import { focusNow, inputKeys, Modal } from "./modal.tsx";

type Of<Kind extends Dialog["dialog"]> = Extract<Dialog, { readonly dialog: Kind }>;

/** A button of a dialog. A click on it does the same as the key `name`. */
export function KeyButton({
  send,
  name,
  label,
  look = "plain",
  isFirst = false,
}: {
  readonly send: Send;
  readonly name: string;
  readonly label: string;
  readonly look?: "plain" | "strong" | "bordered";
  readonly isFirst?: boolean;
}): ReactElement {
  return (
    <button
      type="button"
      className={`button ${look}`}
      title={name}
      ref={isFirst ? focusNow : undefined}
      onClick={() => send(pointMessage({ is: "button", key: name }))}
    >
      {label}
    </button>
  );
}

export function Confirm({
  send,
  dialog,
}: {
  readonly send: Send;
  readonly dialog: Of<"confirm">;
}): ReactElement {
  return (
    <Modal send={send} label={dialog.text} look="question">
      <p className="asks">{dialog.text}</p>
      <p className="foot">
        <span className="space" />
        <KeyButton send={send} name="n" label="No" isFirst />
        <KeyButton send={send} name="y" label="Yes" look="strong" />
      </p>
    </Modal>
  );
}

export function TypeToConfirm({
  send,
  dialog,
}: {
  readonly send: Send;
  readonly dialog: Of<"type">;
}): ReactElement {
  return (
    <Modal send={send} label={dialog.text} look="question">
      <p className="asks">{dialog.text}</p>
      <label className="asked-line">
        <span className="asked-label">Type {dialog.expected} to go on</span>
        <input
          ref={focusNow}
          type="text"
          value={dialog.field.text}
          onChange={({ target: { value } }) => send({ type: "typed", field: fieldOf(value) })}
          onKeyDown={inputKeys(send, { Enter: "enter", Escape: "esc" })}
          autoComplete="off"
        />
      </label>
      <p className="foot">
        <span className="space" />
        <KeyButton send={send} name="esc" label="Cancel" />
        <KeyButton send={send} name="enter" label="Go on" look="strong" />
      </p>
    </Modal>
  );
}

const LEVELS = [
  ["0", "P0", "the highest"],
  ["1", "P1", ""],
  ["2", "P2", ""],
  ["3", "P3", ""],
  ["4", "P4", "the lowest"],
  ["-", "none", ""],
] as const;

export function AskPriority({
  state,
  send,
  dialog,
}: PainterProps & { readonly dialog: Of<"priority"> }): ReactElement {
  const about = aboutAll(dialog.uids.flatMap((uid) => state.issues.get(uid) ?? []));
  return (
    <Modal send={send} label={`priority of ${about}`} look="question">
      <p className="asks">Priority of {about}</p>
      <div className="levels">
        {LEVELS.map(([key, name, more]) => (
          <button
            key={key}
            type="button"
            className="level"
            ref={key === "0" ? focusNow : undefined}
            onClick={() => send(pointMessage({ is: "button", key }))}
          >
            <span className={`priority p${key}`}>{name}</span>
            <span className="more">{more}</span>
            <kbd>{key}</kbd>
          </button>
        ))}
      </div>
    </Modal>
  );
}
