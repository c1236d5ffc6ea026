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

/**
 * A field whose value is known only after the slices before it have been read. If the value is `undefined`, the answer
 * does not have the field.
 */
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

export async function allRows<T>(parts: AsyncIterable<readonly T[]>): Promise<T[]> {
  const rows: T[] = [];
  for await (const part of parts) for (const row of part) rows.push(row);
  return rows;
}

/** Reads everything that is streamed or deferred in an answer, and returns the answer with the values. */
export async function readWholeAnswer<A extends object>(answer: A): Promise<A> {
  const fields: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(answer) as readonly [string, unknown][]) {
    const value =
      member instanceof StreamedRows
        ? await allRows(member.parts)
        : member instanceof DeferredField
          ? await member.value()
          : member;
    if (value !== undefined) fields[name] = value;
  }
  return fields as A;
}

export function hasStreamedRows(answer: object): boolean {
  return Object.values(answer).some((value) => value instanceof StreamedRows);
}

/** Rows per piece of JSON: the text of a hundred issues is written in a fraction of a millisecond. */
const PIECE_ROWS = 100;

/** Yields the JSON of an answer in pieces, which together equal `JSON.stringify` of the whole. */
export async function* jsonPieces(answer: object): AsyncGenerator<string, void, void> {
  if (!hasStreamedRows(answer)) return yield JSON.stringify(answer);
  let text = "{";
  let fields = 0;
  for (const [name, member] of Object.entries(answer)) {
    const head = `${fields === 0 ? "" : ","}${JSON.stringify(name)}:`;
    if (member instanceof StreamedRows) {
      text += `${head}[`;
      let rows = 0;
      for await (const part of member.parts as AsyncIterable<readonly unknown[]>) {
        for (let at = 0; at < part.length; at += PIECE_ROWS) {
          const some = part.slice(at, at + PIECE_ROWS);
          yield `${text}${rows === 0 ? "" : ","}${JSON.stringify(some).slice(1, -1)}`;
          text = "";
          rows += some.length;
        }
      }
      text += "]";
    } else {
      const value: unknown = member instanceof DeferredField ? await member.value() : member;
      const json = JSON.stringify(value) as string | undefined;
      if (json === undefined) continue;
      text += head + json;
    }
    fields++;
  }
  yield `${text}}`;
}
