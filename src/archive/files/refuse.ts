import { SvcError } from "../../contract/errors.ts";

/** The place of a fault in the source: a file of a folder, a line of it, or both. */
export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** Makes a `validation` error that names the place and the cure. Readers throw it before anything is sent. */
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
