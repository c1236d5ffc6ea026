import type { ReactElement } from "react";
import type { Dialog, Draft } from "../../../src/screen/forms/dialog.ts";
import { draftsHere } from "../../../src/screen/forms/drafts.ts";
import { agoPhrase } from "../../../src/screen/times.ts";
import { commandOf } from "../../../src/screen/writes/command-line.ts";
import type { PainterProps } from "../../painter.ts";
import { Modal } from "./modal.tsx";
import { Options } from "./options.tsx";
import { KeyButton } from "./questions.tsx";

type ListDialog = Extract<Dialog, { readonly dialog: "list" }>;

/** Lists the messages, or the changes of this session, each written as the svc command that does the same. */
export function Lists({
  state,
  send,
  dialog,
}: PainterProps & { readonly dialog: ListDialog }): ReactElement {
  const isWrites = dialog.kind === "writes";
  const options = isWrites
    ? state.writes.sent.map((done) => (
        <span key={done.id} className="written" data-state={done.state}>
          <code>{commandOf(done.write, state.session.actor)}</code>
          {done.state === "failed" ? <span className="why">{done.text}</span> : null}
        </span>
      ))
    : state.messages.all.map(({ text, tone, at }) => (
        <span
          key={`${at} ${text}`}
          className="written"
          data-state={tone === "error" ? "failed" : "done"}
        >
          <span>{text}</span> <time>{agoPhrase(at, state.now)}</time>
        </span>
      ));
  const title = isWrites ? "Changes of this session" : "Messages";
  return (
    <Modal send={send} label={title} look="bar">
      <h2 className="sheet-title">{title}</h2>
      <Options id="list" send={send} label={title} options={options} at={dialog.at} />
      {options.length === 0 ? (
        <p className="none">{isWrites ? "Nothing was changed yet." : "There are no messages."}</p>
      ) : null}
      <p className="foot">
        {options.length === 0 ? null : <KeyButton send={send} name="y" label="Copy" />}
        {options.length === 0 ? null : <KeyButton send={send} name="e" label="Try again" />}
        <span className="space" />
        <KeyButton send={send} name="esc" label="Close" look="bordered" isFirst />
      </p>
    </Modal>
  );
}

/** Lists the forms that were filled in on an earlier visit and not sent. */
export function Drafts({ state, send, at }: PainterProps & { readonly at: number }): ReactElement {
  const drafts = draftsHere(state);
  return (
    <Modal send={send} label="drafts that were not sent" look="bar">
      <h2 className="sheet-title">Drafts that were not sent</h2>
      <Options
        id="drafts"
        send={send}
        label="drafts"
        at={at}
        options={drafts.map((draft) => (
          <span key={draft.id} className="written">
            <strong>{draft.form.title}</strong> <span>{beginningOf(draft)}</span>{" "}
            <time>{agoPhrase(draft.at, state.now)}</time>
          </span>
        ))}
      />
      <p className="foot">
        <KeyButton send={send} name="x" label="Drop it" />
        <span className="space" />
        <KeyButton send={send} name="esc" label="Later" />
        <KeyButton send={send} name="enter" label="Open" look="strong" isFirst />
      </p>
    </Modal>
  );
}

function beginningOf({ form }: Draft): string {
  const typed = form.fields.find(({ value, initial }) => value.text !== initial);
  return typed?.value.text.trim().split("\n", 1)[0] ?? "";
}
