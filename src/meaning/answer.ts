import { yieldToLoop } from "../base/yield-to-loop.ts";
import { normalised } from "../domain/meaning/vectors.ts";

/** How many vectors are checked before the event loop handles other work. */
const AT_ONCE = 16;

/**
 * Reads the vectors from the body of a provider's answer, in the order of the inputs and with length 1. Returns
 * `undefined` unless there is exactly one usable vector for each input: a width of `dims`, finite numbers, not all zero.
 */
export async function vectorsIn(
  body: Buffer,
  { inputs, dims }: { readonly inputs: number; readonly dims: number },
): Promise<readonly Float32Array[] | undefined> {
  const embeddings = embeddingsIn(body, inputs);
  if (embeddings === undefined) return undefined;
  const vectors: Float32Array[] = [];
  for (const values of embeddings) {
    if (vectors.length % AT_ONCE === 0) await yieldToLoop();
    const vector = Array.isArray(values) ? normalised(values, dims) : "width";
    if (typeof vector === "string") return undefined;
    vectors.push(vector);
  }
  return vectors;
}

/** The value of each input, unchecked. `undefined` if there is not exactly one for each input. */
function embeddingsIn(body: Buffer, inputs: number): readonly unknown[] | undefined {
  const data = memberOf(parsed(body), "data");
  if (!Array.isArray(data) || data.length !== inputs) return undefined;
  const indexes = data.map((item) => memberOf(item, "index"));
  const embeddings = data.map((item) => memberOf(item, "embedding"));
  if (indexes.every((index) => index === undefined)) return embeddings;
  const ordered = new Map(indexes.map((index, at) => [index, embeddings[at]]));
  const places = embeddings.map((_, place) => place);
  // As many indexes as inputs: if each place is named, none is named twice and none is out of range.
  if (!places.every((place) => ordered.has(place))) return undefined;
  return places.map((place) => ordered.get(place));
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
