import type { ReactElement, ReactNode } from "react";
import type { PainterProps } from "../painter.ts";
import { CommandButton, type CommandButtonProps } from "./button.tsx";

interface RowsScreenProps {
  /** The class name by which the styles find this screen. */
  readonly name?: string;
  /** What the screen shows, in words. If this is `undefined`, the line with the words and buttons is left out. */
  readonly about: string | undefined;
  /** The buttons of the screen. */
  readonly acts: ReactNode;
  readonly error?: string | undefined;
  /** The rows of the screen. */
  readonly children: ReactNode;
  /** More about the row under the cursor. */
  readonly below?: ReactNode;
}

/**
 * A screen other than the board: its line of tools, what could not be read, its rows, and more about the row under the
 * cursor.
 */
export function RowsScreen(props: RowsScreenProps): ReactElement {
  const { name, about, acts, error, children, below } = props;
  return (
    <div className={name === undefined ? "screen" : `screen ${name}`}>
      {about === undefined ? null : (
        <div className="head-line tools">
          <div className="showing">{about}</div>
          <div className="tool-acts">{acts}</div>
        </div>
      )}
      <ReadError error={error} />
      {children}
      {below}
    </div>
  );
}

/** Says why the rows of a screen could not be read. The rows that are known already remain below it. */
export function ReadError({ error }: { readonly error: string | undefined }): ReactElement | null {
  if (error === undefined) return null;
  return (
    <p className="said error" role="alert">
      {error}
    </p>
  );
}

interface BelowProps {
  readonly label: string;
  readonly title?: ReactNode;
  readonly children: ReactNode;
  /** Buttons for what can be done about the row. */
  readonly acts?: ReactNode;
}

/** A section below the rows, with more about the row under the cursor. */
export function Below({ label, title, children, acts }: BelowProps): ReactElement {
  return (
    <section className="below" aria-label={label}>
      {title === undefined ? null : <p className="below-title">{title}</p>}
      {children}
      {acts === undefined ? null : <div className="acts">{acts}</div>}
    </section>
  );
}

type Act = Omit<CommandButtonProps, keyof PainterProps>;

/** A button for each of the commands. */
export function Acts({
  state,
  send,
  acts,
}: PainterProps & { readonly acts: readonly Act[] }): ReactElement {
  return (
    <>
      {acts.map((act) => (
        <CommandButton key={act.command} state={state} send={send} {...act} />
      ))}
    </>
  );
}

interface TurnProps {
  readonly label: string;
  readonly title: string;
  readonly isOn: boolean;
  turn(): void;
}

/** A button that shows or hides something. It looks pressed while that is shown. */
export function Turn({ label, title, isOn, turn }: TurnProps): ReactElement {
  return (
    <button type="button" className="button" aria-pressed={isOn} title={title} onClick={turn}>
      {label}
    </button>
  );
}
