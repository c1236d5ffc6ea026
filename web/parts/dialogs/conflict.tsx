import type { ReactElement } from "react";
import { isOnlyRevision, sidesOf } from "../../../src/screen/forms/conflict.ts";
import type { CompareDialog, ConflictDialog, Side } from "../../../src/screen/forms/dialog.ts";
import { trueIssue } from "../../../src/screen/writes/optimism.ts";
import type { PainterProps, Send } from "../../painter.ts";
import { capitalized } from "../words.tsx";
import { Modal } from "./modal.tsx";
import { KeyButton } from "./questions.tsx";

/**
 * Reports that somebody else has changed the issue while it was edited here. Shows the text as it was before, as it is
 * now, and as it was typed here.
 */
export function Conflict({
  state,
  send,
  dialog,
}: PainterProps & { readonly dialog: ConflictDialog }): ReactElement {
  const theirs = trueIssue(state, dialog.uid);
  const name = theirs?.qualified_id ?? "The issue";
  const other =
    theirs?.status === "closed" ? "It is closed now" : "Something else of it was changed";
  const lead = isOnlyRevision(state, dialog)
    ? `${other}; title and text are as you found them.`
    : "What you began with, what is there now, and what you typed.";
  return (
    <Modal send={send} label={`${name} was changed while you edited it`} look="sheet">
      <h2 className="sheet-title">{name} was changed while you edited it</h2>
      <p className="said warn">{lead}</p>
      <Sides sides={sidesOf(state, dialog)} />
      <p className="foot">
        <KeyButton send={send} name="esc" label="Back to my draft" look="bordered" isFirst />
        <span className="space" />
        <KeyButton
          send={send}
          name="r"
          label={dialog.leaving ? "Discard what I typed" : "Take theirs"}
        />
        <KeyButton send={send} name="o" label="Overwrite with mine" look="strong" />
      </p>
    </Modal>
  );
}

/** Shows a change of somebody else beside the one that the person wants. */
export function Comparison({
  send,
  dialog,
}: {
  readonly send: Send;
  readonly dialog: CompareDialog;
}): ReactElement {
  const { title, lead, sides, keys } = dialog;
  return (
    <Modal send={send} label={title} look="sheet">
      <h2 className="sheet-title">{title}</h2>
      <p className="said warn">{capitalized(lead)}.</p>
      <Sides sides={sides} />
      <p className="foot">
        <span className="space" />
        {keys.toReversed().map(({ key, label }, at) => (
          <KeyButton
            key={key}
            send={send}
            name={key}
            label={capitalized(label)}
            look={at === 0 ? "bordered" : at === keys.length - 1 ? "strong" : "plain"}
            isFirst={at === 0}
          />
        ))}
      </p>
    </Modal>
  );
}

function Sides({ sides }: { readonly sides: readonly Side[] }): ReactElement {
  return (
    <div className="sides">
      {sides.map(({ label, base, theirs, mine }) => (
        <section key={label}>
          <h3>{label}</h3>
          <div className="versions">
            {base === undefined ? null : <Version name="before" text={base} />}
            <Version name="theirs" text={theirs} />
            {mine === undefined ? null : <Version name="mine" text={mine} />}
          </div>
        </section>
      ))}
    </div>
  );
}

function Version({ name, text }: { readonly name: string; readonly text: string }): ReactElement {
  return (
    <figure className={`version ${name}`}>
      <figcaption>{name}</figcaption>
      <pre>{text}</pre>
    </figure>
  );
}
