import { DEFAULT_BODY_BYTES } from "../contract/limits.ts";
import type { Input, Route } from "../contract/route.ts";
import { Nothing, type Of, type Shape } from "../contract/shape.ts";
import { readJsonBody } from "./body.ts";
import type { Incoming } from "./incoming.ts";
import { paramValues, parseInput, queryValues, textReader } from "./input.ts";

export type InputParser<T extends Route> = (
  incoming: Incoming,
  params: Readonly<Record<string, string>>,
) => Promise<Input<T>>;

/** Reads everything a route is given. Its schemas are built at the first request, not at start. */
export function parserOf<T extends Route>(route: T): InputParser<T> {
  let built: InputParser<T> | undefined;
  return async (incoming, params) => {
    built ??= build(route);
    return await built(incoming, params);
  };
}

function build<T extends Route>(route: T): InputParser<T> {
  const params = fromText<T["params"]>(route.params);
  const query = fromText<T["query"]>(route.query);
  const headers = fromHeaders<T["headers"]>(route.headers);
  const body = fromBody<T["body"]>(route.body, route.maxBodyBytes ?? DEFAULT_BODY_BYTES);
  return async (incoming, raw) => ({
    params: params(() => paramValues(raw)),
    query: query(() => queryValues(incoming.url)),
    headers: headers(incoming),
    body: await body(incoming),
  });
}

type Texts = () => ReadonlyMap<string, readonly string[]>;

/** Path and query schemas are objects, whatever the route (`Route` says so). */
function fromText<S extends Route["params"]>(shape: S): (texts: Texts) => Of<S> {
  const schema = shape();
  if (isNothing(shape)) return () => parseInput(schema, {}) as Of<S>;
  const read = textReader(schema);
  return (texts) => parseInput(schema, read(texts())) as Of<S>;
}

function fromHeaders<S extends Route["headers"]>(shape: S): (incoming: Incoming) => Of<S> {
  const schema = shape();
  const names = Object.keys(schema.shape);
  return (incoming) => {
    const raw: Record<string, string> = {};
    for (const name of names) {
      const value = incoming.header(name);
      if (value !== undefined) raw[name] = value;
    }
    return parseInput(schema, raw) as Of<S>;
  };
}

function fromBody<S extends Shape>(
  shape: S,
  maxBytes: number,
): (incoming: Incoming) => Promise<Of<S>> {
  const schema = shape();
  if (isNothing(shape)) return async () => parseInput(schema, {}) as Of<S>;
  return async (incoming) => parseInput(schema, await readJsonBody(incoming, maxBytes)) as Of<S>;
}

function isNothing(shape: Shape): boolean {
  return shape === Nothing;
}
