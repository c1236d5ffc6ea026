/**
 * Rows of an answer that are read in slices while the answer is sent, so that the list is never in memory as a whole.
 * Only for reads whose snapshot stays open until the answer has been sent (`ReadDeps.streams`).
 */
export class StreamedRows<T> {
  readonly parts: AsyncIterable<readonly T[]>;

  constructor(parts: AsyncIterable<readonly T[]>) {
    this.parts = parts;
  }
}

/** A field whose value is known only after the slices before it have been read; `undefined` leaves the field out. */
export class DeferredField<T> {
  readonly value: () => T | Promise<T>;

  constructor(value: () => T | Promise<T>) {
    this.value = value;
  }
}

export type Streamed<O> = {
  readonly [K in keyof O]:
    | O[K]
    | DeferredField<O[K]>
    | (O[K] extends readonly (infer T)[] ? StreamedRows<T> : never);
};

/** Reads all slices of an answer, for a caller that needs the whole answer at once. */
export async function readWhole<O extends object>(answer: Streamed<O>): Promise<O> {
  const whole: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(answer)) {
    const value: unknown =
      given instanceof StreamedRows
        ? await allRows(given.parts as AsyncIterable<readonly unknown[]>)
        : given instanceof DeferredField
          ? await given.value()
          : given;
    if (value !== undefined) whole[name] = value;
  }
  return whole as O;
}

export async function allRows<T>(parts: AsyncIterable<readonly T[]>): Promise<T[]> {
  const rows: T[] = [];
  for await (const part of parts) for (const row of part) rows.push(row);
  return rows;
}

export function hasStreamedRows(answer: object): boolean {
  return Object.values(answer).some((value) => value instanceof StreamedRows);
}

/** Yields the JSON of an answer in pieces, which together equal `JSON.stringify` of the whole. */
export async function* jsonPieces(answer: object): AsyncGenerator<string, void, void> {
  if (!hasStreamedRows(answer)) return yield JSON.stringify(answer);
  let text = "{";
  let fields = 0;
  for (const [name, given] of Object.entries(answer)) {
    const head = `${fields === 0 ? "" : ","}${JSON.stringify(name)}:`;
    if (given instanceof StreamedRows) {
      text += `${head}[`;
      let rows = 0;
      for await (const part of given.parts as AsyncIterable<readonly unknown[]>) {
        if (part.length === 0) continue;
        yield `${text}${rows === 0 ? "" : ","}${JSON.stringify(part).slice(1, -1)}`;
        text = "";
        rows += part.length;
      }
      text += "]";
    } else {
      const value: unknown = given instanceof DeferredField ? await given.value() : given;
      const json = JSON.stringify(value) as string | undefined;
      if (json === undefined) continue;
      text += head + json;
    }
    fields++;
  }
  yield `${text}}`;
}
