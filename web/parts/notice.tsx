import { type ReactElement, type ReactNode, useLayoutEffect, useRef } from "react";
import { keyBindingOf } from "../../src/screen/commands.ts";
import { keyFor } from "../../src/screen/keymap.ts";
import type { Command } from "../../src/screen/keys.ts";
import type { State } from "../../src/screen/state.ts";
import { focusPane } from "../focus.ts";
import { bannerOf, GAP, noticeOf } from "../notices.ts";
import { key, type PainterProps, pointMessage } from "../painter.ts";
import { Icon } from "./icon.tsx";

/**
 * Shows the last message. A part that begins with a key, such as `u undo`, is shown as a button. A message that offers
 * to undo or redo gets a button too. All other parts after the first are hints, and each has its own line.
 */
export function NoticeView({ state, send }: PainterProps): ReactElement | null {
  const notice = noticeOf(state);
  if (notice === undefined) return null;
  const [text = "", ...rest] = notice.text.split(GAP);
  const { offers } = notice;
  const offer = offers === undefined ? [] : [`${keyFor(state, offers)} ${offers}`];
  const acts = [...new Set([...offer, ...rest])].flatMap((part) => actIn(state, part) ?? []);
  const hints = rest.filter((part) => actIn(state, part) === undefined);
  return (
    <section
      className="notice"
      aria-label="message"
      data-tone={notice.tone}
      // Other screens than the board have buttons at the bottom, which a message must not cover.
      data-at={state.screen === "board" ? "bottom" : "top"}
    >
      <div className="words">
        <p>{text}</p>
        {hints.map((hint) => (
          <p key={hint} className="hint">
            {hint}
          </p>
        ))}
      </div>
      {acts.map(({ name, label }) => (
        <NoticeButton key={name} title={name} act={() => send(key(name))}>
          {label}
        </NoticeButton>
      ))}
      <NoticeButton label="dismiss" act={() => send(pointMessage({ is: "notice" }))}>
        <Icon name="close" />
      </NoticeButton>
    </section>
  );
}

interface NoticeButtonProps {
  readonly label?: string;
  readonly title?: string;
  readonly children: ReactNode;
  act(): void;
}

/**
 * A button of a message. If the button disappears while it has the focus, the pane that the keys act on gets the focus.
 */
function NoticeButton({ label, title, children, act }: NoticeButtonProps): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (current === document.activeElement) focusPane();
    };
  }, []);
  return (
    <button
      ref={button}
      type="button"
      className="button plain"
      aria-label={label}
      title={title}
      onClick={act}
    >
      {children}
    </button>
  );
}

const ACTS: Readonly<Partial<Record<Command, string>>> = {
  undo: "Undo",
  redo: "Redo",
  edit: "Try again",
  "cron-toggle": "Try again",
  "edit-comment": "Edit it",
  "series-edit": "Edit it",
  "series-delete": "End it",
  "show-view": "Show a view",
};

/**
 * Returns the key that a part of a message names, such as `u undo`, and the words of the button for this key. Returns
 * `undefined` if there is no such button.
 */
function actIn(
  state: State,
  part: string,
): { readonly name: string; readonly label: string } | undefined {
  const [name = "", ...words] = part.trim().split(" ");
  const row = words.length === 0 ? undefined : keyBindingOf(state, name);
  const label = row === undefined ? undefined : ACTS[row.command];
  return label === undefined ? undefined : { name, label };
}

/** A line at the top of the page. It says that nothing can be changed, or that what is shown may be out of date. */
export function Banner({ state, send }: PainterProps): ReactElement | null {
  const banner = bannerOf(state);
  if (banner === undefined) return null;
  const { text, tone, act } = banner;
  return (
    <section className={`banner ${tone}`} aria-label="state of the page">
      {text}
      {act === "try" ? <Again state={state} send={send} /> : null}
      {act === "load" ? (
        <button type="button" className="button bordered" onClick={() => location.reload()}>
          Load the new page
        </button>
      ) : null}
    </section>
  );
}

function Again({ send }: PainterProps): ReactElement {
  return (
    <button
      type="button"
      className="button bordered"
      onClick={() => send(pointMessage({ is: "command", command: "reload" }))}
    >
      Try now
    </button>
  );
}
