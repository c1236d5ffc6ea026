import type { ReactElement, ReactNode } from "react";
import type { PainterProps } from "../painter.ts";
import { CommandButton, type CommandButtonProps } from "./button.tsx";

interface RowsScreenProps {
  /** The class name by which the styles find this screen. */
  readonly name?: string;
  /** What the screen shows, in words. If this is `undefined`, the line with the words and buttons is left out. */
  readonly about: string | undefined;
  readonly acts: ReactNode;
  readonly error?: string | undefined;
  readonly children: ReactNode;
  readonly below?: ReactNode;
}

/** The frame of every screen other than the board. */
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

/** Shows why the rows could not be read. The rows of an earlier read remain below the error. */
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
  readonly acts?: ReactNode;
}

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

interface ToggleProps {
  readonly label: string;
  readonly title: string;
  readonly isOn: boolean;
  toggle(): void;
}

export function Toggle({ label, title, isOn, toggle }: ToggleProps): ReactElement {
  return (
    <button type="button" className="button" aria-pressed={isOn} title={title} onClick={toggle}>
      {label}
    </button>
  );
}
