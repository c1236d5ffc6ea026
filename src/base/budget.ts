/** A reading takes more than its budget: it is to be done where nobody waits for it. */
export class TooMuch extends Error {
  override readonly name = "TooMuch";
}

/** Beside its long texts a row costs about so much. */
const ROW_BYTES = 200;

/** The columns that may be long. Looking at every column of every row would cost a list of 200 issues a tenth. */
interface LongTexts {
  readonly body?: unknown;
  readonly payload?: unknown;
  readonly metadata?: unknown;
  readonly definition?: unknown;
}

/** What one request may read on a thread where others wait. `take` throws `TooMuch` when that is used up. */
export class Budget {
  #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  take({ body, payload, metadata, definition }: LongTexts): void {
    this.#bytes -=
      ROW_BYTES + length(body) + length(payload) + length(metadata) + length(definition);
    if (this.#bytes < 0) throw new TooMuch();
  }
}

function length(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}
