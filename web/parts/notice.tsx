import type { ReactElement } from "react";
import { API_SCHEMA_VERSION } from "../../src/contract/version.ts";
import { rowOfKey } from "../../src/screen/commands.ts";
import { isStale } from "../../src/screen/connection/connection-status.ts";
import { detailUid } from "../../src/screen/detail/detail.ts";
import type { Command } from "../../src/screen/keys.ts";
import type { Notice } from "../../src/screen/messages/state.ts";
import type { State } from "../../src/screen/state.ts";
import { failureOf } from "../../src/screen/writes/failed.ts";
import { key, type PainterProps, pointed } from "../painter.ts";
import { Icon } from "./icon.tsx";

const GAP = "   ";

/** Shows the last message. Parts of it that name a key, such as `u undo`, become buttons. */
export function NoticeView({ state, send }: PainterProps): ReactElement | null {
  const { notice } = state.messages;
  if (notice === undefined || isInView(state, notice)) return null;
  const [text = "", ...rest] = notice.text.split(GAP);
  const acts = rest.flatMap((part) => actIn(state, part) ?? []);
  const others = rest.filter((part) => actIn(state, part) === undefined);
  const isError = notice.tone === "error";
  return (
    <div className="notice" data-tone={notice.tone} role={isError ? "alert" : "status"}>
      <p>{[text, ...others].join("  ")}</p>
      {acts.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          className="button plain"
          title={name}
          onClick={() => send(key(name))}
        >
          {label}
        </button>
      ))}
      {isError ? (
        <button
          type="button"
          className="button plain"
          aria-label="dismiss"
          onClick={() => send(pointed({ is: "command", command: "back" }))}
        >
          <Icon name="close" />
        </button>
      ) : null}
    </div>
  );
}

/** Whether the message is about a refused change of the issue in view. Such a message is shown with the issue. */
function isInView(state: State, { failed }: Notice): boolean {
  return failed !== undefined && failureOf(state, detailUid(state))?.id === failed;
}

/** The commands whose keys become buttons in a message, each with the words of its button. */
const ACTS: Readonly<Partial<Record<Command, string>>> = {
  undo: "Undo",
  redo: "Redo",
  edit: "Try again",
  "cron-turn": "Try again",
  "edit-comment": "Edit it",
  "series-edit": "Edit it",
  "series-delete": "End it",
  "show-view": "Show a view",
};

/** If a part of a message names a key, such as `u undo`: the key and the words of its button; else `undefined`. */
function actIn(
  state: State,
  part: string,
): { readonly name: string; readonly label: string } | undefined {
  const [name = "", ...words] = part.trim().split(" ");
  const row = words.length === 0 ? undefined : rowOfKey(state, name);
  const label = row === undefined ? undefined : ACTS[row.command];
  return label === undefined ? undefined : { name, label };
}

/** A line above everything. It says that nothing can be changed, or that what is shown may be out of date. */
export function Banner({ state, send }: PainterProps): ReactElement | null {
  const { live, readOnly } = state.connection;
  if (live === "refused")
    return (
      <p className="banner error" role="alert">
        The daemon does not accept this page any more
        {readOnly === undefined ? "." : `: ${readOnly}.`}
        <Again state={state} send={send} />
      </p>
    );
  if (isStale(state))
    return (
      <p className="banner warn" role="status">
        {live === "reconnecting"
          ? "The daemon does not answer. What you see is as of the last change; what you type is kept."
          : "Some changes could not be read yet: what you see may be out of date."}
        <Again state={state} send={send} />
      </p>
    );
  if (isOther(state.connection.api))
    return (
      <p className="banner warn" role="status">
        svc was updated since this page was loaded. What you type is kept.
        <button type="button" className="button bordered" onClick={() => location.reload()}>
          Load the new page
        </button>
      </p>
    );
  if (readOnly === undefined) return null;
  return (
    <p className="banner" role="status">
      You can read here and change nothing: {readOnly}
    </p>
  );
}

/** Whether the daemon's API has another version than the one that this page was built for. */
function isOther(api: string | undefined): boolean {
  return api !== undefined && api !== API_SCHEMA_VERSION;
}

function Again({ send }: PainterProps): ReactElement {
  return (
    <button
      type="button"
      className="button bordered"
      onClick={() => send(pointed({ is: "command", command: "reload" }))}
    >
      Try now
    </button>
  );
}
