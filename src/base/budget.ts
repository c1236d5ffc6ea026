/** Thrown when a request is too large for the daemon's main thread; a worker thread then repeats the request. */
export class NeedsWorker extends Error {
  override readonly name = "NeedsWorker";
}

/** Estimated size of a row without its long texts, in bytes. */
const ROW_BYTES = 200;

/**
 * The columns whose lengths count. All other columns count as `ROW_BYTES` together, because measuring every column
 * would make a list of 200 issues a tenth slower.
 */
interface LongTexts {
  readonly body?: unknown;
  readonly payload?: unknown;
  readonly metadata?: unknown;
  readonly definition?: unknown;
}

/**
 * Limits the estimated number of bytes that one request reads on the daemon's main thread. `spend` throws `NeedsWorker`
 * when this number is used up.
 */
export class Budget {
  #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  spend({ body, payload, metadata, definition }: LongTexts): void {
    this.#bytes -=
      ROW_BYTES + lengthOf(body) + lengthOf(payload) + lengthOf(metadata) + lengthOf(definition);
    if (this.#bytes < 0) throw new NeedsWorker();
  }
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}
