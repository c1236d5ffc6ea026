import { utf8InHeader } from "../base/header-text.ts";
import { SvcError } from "../contract/errors.ts";
import { BASE_PATH } from "../contract/version.ts";

type Scalar = string | number | boolean;
type Values = Readonly<Record<string, Scalar | readonly Scalar[] | undefined>>;

export interface CallParts {
  readonly params?: Values;
  readonly query?: Values;
  readonly headers?: Values;
  readonly body?: object;
}

/** The URL of a request without its origin: the path of a route with its parameters filled in, and the query. */
export function targetOf(path: string, params: Values, query: Values): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    return encodeURIComponent(String(params[name]));
  });
  return BASE_PATH + filled + queryText(query);
}

export function sentHeaders(headers: Values): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, headerText(name, String(value))]],
    ),
  );
}

/**
 * Returns the text of a request header as it is sent. Throws if the text contains a line break, which would end the
 * header, or a character beyond Latin 1. Only `x-svc-confirm` may contain characters beyond Latin 1, because it repeats
 * the name of a project. This header is then sent as UTF-8.
 */
function headerText(name: string, text: string): string {
  const written = name === "x-svc-confirm" && /[^\0-\xff]/.test(text) ? utf8InHeader(text) : text;
  if (!/[^\t\x20-\x7e\x80-\xff]/.test(written)) return written;
  const message = `${name}: may hold printable Latin characters only`;
  throw new SvcError("validation", { field: name }, { message });
}

/** A list becomes a repeated parameter (docs/contract/http-api.md#11-transport-and-formats). */
function queryText(query: Values): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const values = typeof value === "object" ? value : [value];
    return values.flatMap((one) =>
      one === undefined ? [] : [`${name}=${encodeURIComponent(String(one))}`],
    );
  });
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
