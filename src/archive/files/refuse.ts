import { SvcError } from "../../contract/errors.ts";

/** Where a fault is in the source. `file` is set if the source is a folder, `line` if the fault is on one line. */
export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/**
 * Makes a `validation` error that names the place; `hint` says how to correct the fault. Its message says that nothing
 * was written: a source is read and checked before anything is sent to the daemon.
 */
export function broken(place: Place, why: string, hint?: string, cause?: unknown): SvcError {
  const { file, line } = place;
  const where = [
    ...(file === undefined ? [] : [file]),
    ...(line === undefined ? [] : [`line ${line}`]),
  ];
  const start = where.length === 0 ? "" : `${where.join(", ")}: `;
  return new SvcError(
    "validation",
    { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }), why },
    {
      message: `${start}${why}; nothing was written`,
      cause,
      ...(hint === undefined ? {} : { hint }),
    },
  );
}
