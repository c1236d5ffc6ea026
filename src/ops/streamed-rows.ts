/**
 * Rows of an answer that are made while it is sent, a slice at a time: the whole list never stands in memory. Only a
 * reading that streams (`ReadDeps.streams`) gives them, since its snapshot stays open until the answer has ended.
 */
export class StreamedRows<T> {
  readonly parts: AsyncIterable<readonly T[]>;

  constructor(parts: AsyncIterable<readonly T[]>) {
    this.parts = parts;
  }
}

/** A field of an answer that is known only when the slices before it have been made. `undefined` leaves it out. */
export class DeferredField<T> {
  readonly value: () => T;

  constructor(value: () => T) {
    this.value = value;
  }
}

/** An answer of which some fields may still be to come. */
export type Streamed<O> = {
  readonly [K in keyof O]:
    | O[K]
    | DeferredField<O[K]>
    | (O[K] extends readonly (infer T)[] ? StreamedRows<T> : never);
};

export function hasStreamedRows(answer: object): boolean {
  return Object.values(answer).some((value) => value instanceof StreamedRows);
}

/** The JSON of an answer, in pieces; together they are what `JSON.stringify` gives of the whole. */
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
      const value: unknown = given instanceof DeferredField ? given.value() : given;
      const json = JSON.stringify(value) as string | undefined;
      if (json === undefined) continue;
      text += head + json;
    }
    fields++;
  }
  yield `${text}}`;
}
