/** A reading takes more than its budget: it is to be done where nobody waits for it. */
export class TooMuch extends Error {
  override readonly name = "TooMuch";
}

/** Beside its text a row costs about so much. */
const ROW_BYTES = 64;

/** What one request may read on a thread where others wait. `take` throws `TooMuch` when that is used up. */
export class Budget {
  #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  take(row: object): void {
    let bytes = ROW_BYTES;
    for (const value of Object.values(row)) if (typeof value === "string") bytes += value.length;
    this.#bytes -= bytes;
    if (this.#bytes < 0) throw new TooMuch();
  }
}
