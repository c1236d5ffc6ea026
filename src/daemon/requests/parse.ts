import { DEFAULT_BODY_BYTES } from "../../contract/limits.ts";
import type { Input, Route, StrictJson } from "../../contract/route.ts";
import { Nothing, type OutputOf, type Shape } from "../../contract/shape.ts";
import { readJsonBody } from "./body.ts";
import { FAST_FIELDS, FAST_HEADERS, parseFast, parseFastTexts } from "./fast-parser.ts";
import type { Incoming } from "./incoming.ts";
import { paramValues, parseInput, queryValues, textReader } from "./input.ts";

export type InputParser<T extends Route> = (
  incoming: Incoming,
  params: Readonly<Record<string, string>>,
) => Promise<Input<T>>;

/**
 * Returns the function that parses the requests of a route. The schemas are built when the first request needs them,
 * not when the daemon starts.
 */
export function parserOf<T extends Route>(route: T): InputParser<T> {
  const params = fromText<T["params"]>(route.params, "path");
  const query = fromText<T["query"]>(route.query, "query");
  const headers = fromHeaders<T["headers"]>(route.headers);
  const { maxBodyBytes = DEFAULT_BODY_BYTES, strict } = route;
  const body = fromBody<T["body"]>(route.body, maxBodyBytes, strict);
  return async (incoming, raw) => ({
    params: params(() => paramValues(raw)),
    query: query(() => queryValues(incoming.url)),
    headers: headers(incoming),
    body: await body(incoming),
  });
}

type Texts = ReadonlyMap<string, readonly string[]>;

function fromText<S extends Route["params"]>(
  shape: S,
  place: "path" | "query",
): (texts: () => Texts) => OutputOf<S> {
  if (isNothing(shape)) return () => ({}) as OutputOf<S>;
  const plain = FAST_FIELDS.get(shape);
  const read = once(() => textReader(shape(), place));
  return (texts) => {
    const query = texts();
    const values = plain && parseFastTexts(plain, query);
    return (values ?? parseInput(shape(), read()(query))) as OutputOf<S>;
  };
}

function fromHeaders<S extends Route["headers"]>(shape: S): (incoming: Incoming) => OutputOf<S> {
  if (isNothing(shape)) return () => ({}) as OutputOf<S>;
  const optional = FAST_HEADERS.get(shape);
  const names = once(() => Object.keys(shape().shape));
  return (incoming) => {
    if (optional?.every((name) => incoming.header(name) === undefined) === true)
      return {} as OutputOf<S>;
    const raw: Record<string, string> = {};
    for (const name of names()) {
      const value = incoming.header(name);
      if (value !== undefined) raw[name] = value;
    }
    return parseInput(shape(), raw) as OutputOf<S>;
  };
}

function fromBody<S extends Shape>(
  shape: S,
  maxBytes: number,
  strict: StrictJson | undefined,
): (incoming: Incoming) => Promise<OutputOf<S>> {
  if (isNothing(shape)) return async () => ({}) as OutputOf<S>;
  const plain = FAST_FIELDS.get(shape);
  return async (incoming) => {
    const body = await readJsonBody(incoming, maxBytes, strict);
    return ((plain && parseFast(plain, body)) ?? parseInput(shape(), body)) as OutputOf<S>;
  };
}

function isNothing(shape: Shape): boolean {
  return shape === Nothing;
}

function once<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
