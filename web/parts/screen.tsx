import type { ReactElement, ReactNode } from "react";

interface ToolsProps {
  /** What the screen shows, in words. */
  readonly children: ReactNode;
  /** The buttons of the screen. */
  readonly acts: ReactNode;
}

/** The line above the rows of a screen: what is shown, and what can be done. */
export function Tools({ children, acts }: ToolsProps): ReactElement {
  return (
    <div className="head-line tools">
      <div className="showing">{children}</div>
      <span className="space" />
      {acts}
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
  readonly children: ReactNode;
}

/** A section below the rows, with more about the row under the cursor. */
export function Below({ label, children }: BelowProps): ReactElement {
  return (
    <section className="below" aria-label={label}>
      {children}
    </section>
  );
}
