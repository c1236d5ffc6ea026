import type { ReactElement } from "react";

interface AwayProps {
  readonly title: string;
  readonly why: string;
  readonly act: string;
  again(): void;
}

/** Fills the page with the reason why it cannot be shown, such as a daemon that does not answer. */
export function Away({ title, why, act, again }: AwayProps): ReactElement {
  return (
    <main className="gate">
      <div role="alert">
        <h1>{title}</h1>
        <p>{why}</p>
        <button type="button" className="button strong" onClick={again}>
          {act}
        </button>
      </div>
    </main>
  );
}
