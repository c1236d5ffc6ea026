import { SvcError } from "../../contract/errors.ts";

/** The maximum number of faults that an error names. */
const MAX_NAMED = 20;

/** Collects the faults of a source, so that one error names all of them and they can be fixed together. */
export class Faults {
  readonly #found: SvcError[] = [];

  /** Runs `read`. A refusal is collected, and the result is then `undefined`; any other error is thrown. */
  collect<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  /** Collects a refusal. Throws any other error. */
  add(error: unknown): void {
    if (!(error instanceof SvcError) || error.code !== "validation") throw error;
    this.#found.push(error);
  }

  /** Throws if a fault was collected. A single fault is thrown unchanged. */
  throwAny(): void {
    const [first, ...more] = this.#found;
    if (first === undefined) return;
    if (more.length === 0) throw first;
    const named = this.#found.slice(0, MAX_NAMED);
    const rest = this.#found.length - named.length;
    const texts = named.map(({ data: { file, line, why } }) => {
      const place = {
        file: typeof file === "string" ? file : undefined,
        line: typeof line === "number" ? line : undefined,
      };
      return `${placeText(place)}${typeof why === "string" ? why : "refused"}`;
    });
    if (rest > 0) texts.push(`and ${rest} more`);
    throw new SvcError(
      "validation",
      { files: named.map(({ data }) => data), count: this.#found.length },
      {
        message: `${this.#found.length} faults were found; nothing was written\n  ${texts.join("\n  ")}`,
        cause: first,
        ...(first.hint === undefined ? {} : { hint: first.hint }),
      },
    );
  }
}

/** Where a fault is in the source. `file` is set if the source is a folder, `line` if the fault is on one line. */
export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/**
 * Makes a `validation` error that names the place; `hint` says how to correct the fault. Its message says that nothing
 * was written: a source is read and checked before anything is sent to the daemon.
 */
export function brokenFileError(
  place: Place,
  why: string,
  hint?: string,
  cause?: unknown,
): SvcError {
  const { file, line } = place;
  return new SvcError(
    "validation",
    { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }), why },
    {
      message: `${placeText(place)}${why}; nothing was written`,
      cause,
      ...(hint === undefined ? {} : { hint }),
    },
  );
}

/** The start of a message: `file, line 3: `, or nothing if the place is unknown. */
function placeText({ file, line }: Place): string {
  const where = [
    ...(file === undefined ? [] : [file]),
    ...(line === undefined ? [] : [`line ${line}`]),
  ];
  return where.length === 0 ? "" : `${where.join(", ")}: `;
}
