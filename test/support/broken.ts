import type { z } from "zod";
import type { Route } from "../../src/contract/route.ts";
import { Nothing } from "../../src/contract/shape.ts";
import { brokenValues, HUGE, type Json, sampleOf, shown } from "./broken-values.ts";
import { jsonOf, unwrapped } from "./schema-json.ts";

/** A valid request as text. A broken request differs from it in one place. */
export interface Whole {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
}

/** What is sent. `query` and `path` are parts of a URL, and `body` is the bytes. */
export interface Raw {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

export interface Broken {
  /** Which place is broken, and how. */
  readonly how: string;
  readonly raw: Raw;
}

/** Returns the request with each fault that the route's schemas forbid, one at a time. */
export function brokenRequests(route: Route, whole: Whole): readonly Broken[] {
  const found = [
    ...brokenParams(route, whole),
    ...brokenQuery(route, whole),
    ...brokenHeaders(route, whole),
    ...brokenBodies(route, whole),
    ...brokenFrames(route, whole),
  ];
  return found.map(([how, parts]) => ({ how, raw: rawOf(route, whole, parts) }));
}

export function takesInput({ params, query, body }: Route): boolean {
  return [params, query, body].some((shape) => shape !== Nothing);
}

type Parts = Partial<Omit<Raw, "path">> & {
  readonly params?: Readonly<Record<string, string>>;
  /** Text after the path. */
  readonly suffix?: string;
};
type Ways = readonly (readonly [how: string, parts: Parts])[];

export function rawOf(route: Route, whole: Whole, parts: Parts = {}): Raw {
  const params = { ...encodedParams(whole.params), ...parts.params };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
  return {
    method: parts.method ?? route.method,
    path: path + (parts.suffix ?? ""),
    query: parts.query ?? new URLSearchParams(whole.query).toString(),
    headers: parts.headers ?? headersOf(route, whole),
    body: "body" in parts ? parts.body : textOf(whole.body),
  };
}

function encodedParams(params: Whole["params"]) {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]),
  );
}

function headersOf({ body }: Route, { headers }: Whole): Readonly<Record<string, string>> {
  return body === Nothing ? headers : { "content-type": "application/json", ...headers };
}

function textOf(body: Json | undefined): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body).replaceAll(`"${HUGE}"`, "1e400");
}

const NO_INTEGERS = [
  "0",
  "-1",
  "+1",
  "1.0",
  "1.5",
  "1e3",
  "0x1",
  "x",
  "true",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "1,2",
  "[1]",
  "{}",
  "%20",
  "%201",
  "1%20",
  "1%0a",
  "1%2f2",
  "%00",
  "%D9%A1",
  "%EF%BC%91",
  "%ff",
  "%zz",
  "%",
];

/** Integers that nothing has as its id. */
const NO_IDS = ["9007199254740993", "99999999999999999999"];

/** Texts that are no reference to anything, in any project. */
const NO_NAMES = [
  "0",
  "123",
  "-",
  "%20",
  "%00",
  "a%00b",
  "%23",
  "web%23",
  "%23a",
  "nobody%23zzzz",
  "..%2Fx",
  "%2e%2e%2f",
  "%ff",
  "%zz",
  "%",
  "%F0%9F%A6%85",
  "%ED%A0%BD",
  "'%20or%201=1",
  "x".repeat(5000),
  "01J0000000000000000000000",
  "01J000000000000000000000000",
  "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
  "zzzz",
  "*",
];

/** Bytes that are no valid text. */
const NO_TEXTS = ["%00", "a%00b", "%ff", "%zz", "%", "%ED%A0%BD"];

function brokenParams({ params }: Route, _whole: Whole): Ways {
  return Object.entries(params().shape).flatMap(([name, schema]) => {
    // Removing a label or link that does not exist is not a fault, whatever the name is.
    const names = name === "label" ? NO_TEXTS : NO_NAMES;
    const integers = name === "link_id" ? NO_INTEGERS : [...NO_INTEGERS, ...NO_IDS];
    const texts = jsonOf(schema).type === "integer" ? integers : names;
    return texts.map(
      (text) => [`${name} in the path is ${shown(text)}`, { params: { [name]: text } }] as const,
    );
  });
}

function brokenQuery({ query }: Route, whole: Whole): Ways {
  return Object.entries(query().shape).flatMap(([name, schema]) => {
    const { inner, optional } = unwrapped(schema);
    const own = whole.query[name];
    const rest = Object.entries(whole.query).filter(([other]) => other !== name);
    const missing: Ways = optional
      ? []
      : [[`query ${name} is missing`, { query: new URLSearchParams(rest).toString() }]];
    const texts = brokenTexts(schema).map((text) => {
      const before = new URLSearchParams(rest).toString();
      const query = `${before}${before === "" ? "" : "&"}${name}=${text}`;
      return [`query ${name} is ${shown(text)}`, { query }] as const;
    });
    if (inner._zod.def.type === "array") return [...missing, ...texts];
    const one = `${name}=${encodeURIComponent(own ?? String(sampleOf(inner)))}`;
    const before = new URLSearchParams(rest).toString();
    const twice = `${before}${before === "" ? "" : "&"}${one}&${one}`;
    return [...missing, ...texts, [`query ${name} stands twice`, { query: twice }] as const];
  });
}

/** Texts that only the most general pattern accepts, as they appear in a URL. */
const UNLIKELY = ["nobody", "STATS", "1", "-", "*", ";", "a,b", "~!", "x".repeat(500), "(", "'"];

const NULS = ["%00", "a%00", "%00a", "a%00b", "a%00b%00"];

const NO_BOOLEANS = [
  "yes",
  "no",
  "0",
  "1",
  "on",
  "TRUE",
  "False",
  "",
  "null",
  "%00",
  "true%20",
  "%20true",
  "true,false",
];

const NO_TIMES = [
  "",
  "%00",
  "yesterday",
  "1767225600",
  "2026-01-01",
  "2026-01-01T00:00:00",
  "2026-02-30T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:60:00Z",
  "2026-01-01T00:00:00%2B25:00",
  "99999-01-01T00:00:00Z",
];

/** Valid but unlikely requests. Whatever the answer is, nothing may break. */
export function oddRequests(route: Route, whole: Whole): readonly Broken[] {
  if (route.method !== "GET" || route.responseType !== undefined) return [];
  return Object.entries(route.query().shape).flatMap(([name, schema]) => {
    const rest = Object.entries(whole.query).filter(([other]) => other !== name);
    const before = new URLSearchParams(rest).toString();
    const texts = jsonOf(unwrapped(schema).inner).type === "integer" ? ODD_INTEGERS : ODD_TEXTS;
    return texts.map((text) => ({
      how: `query ${name} is ${shown(text)}`,
      raw: rawOf(route, whole, { query: `${before}${before === "" ? "" : "&"}${name}=${text}` }),
    }));
  });
}

const ODD_INTEGERS = ["1", "2147483648", "999999999999999", "-999999999999999"];

const ODD_TEXTS = [
  "",
  "%00",
  "a%00b",
  "%20%09",
  "%ff",
  "%ED%A0%BD",
  "'",
  "%22",
  "%25",
  "*",
  "(",
  "AND",
  "a%20NEAR%20b",
  "%F0%9F%A6%85",
  "%2e%2e%2f",
  "=",
  "%3D",
  "key%3D%00",
  "%5C",
  "x".repeat(8000),
  "__proto__",
];

/** The minimum that zod writes for an integer without bounds. */
const NO_MINIMUM = Number.MIN_SAFE_INTEGER;

/** The texts are percent-encoded. */
function brokenTexts(schema: z.core.$ZodType): readonly string[] {
  const json = {
    ...jsonOf(unwrapped(schema).inner),
    description: jsonOf(schema).description ?? "",
  };
  if (json.type === "integer") {
    const { minimum = NO_MINIMUM, maximum = -NO_MINIMUM } = json;
    const integers = [...NO_INTEGERS, ...NO_IDS];
    const fits = integers.filter((text) => /^-?\d{1,15}$/.test(text) && Number(text) >= minimum);
    const below = minimum === NO_MINIMUM ? [] : [String(minimum - 1)];
    const above = maximum === -NO_MINIMUM ? [] : [String(maximum + 1)];
    return [...integers.filter((text) => !fits.includes(text)), ...below, ...above, ""];
  }
  if (json.type === "boolean") return NO_BOOLEANS;
  if (json.enum !== undefined) {
    const word = encodeURIComponent(String(json.enum[0]));
    const near = [
      `${word}x`,
      `x${word}`,
      `${word}%20`,
      `%20${word}`,
      `${word}%00`,
      `${word},${word}`,
    ];
    return [...near, "nobody", "NOBODY", "%00", "%20", "%ff", "null", "[]", "*"];
  }
  if (json.format === "date-time" || json.description.includes("RFC 3339")) return NO_TIMES;
  const { pattern, description } = json;
  const others =
    pattern === undefined ? [] : UNLIKELY.filter((text) => !new RegExp(pattern).test(text));
  const bytes = Number(/at most (\d+) bytes/.exec(description)?.[1] ?? 0);
  return [...others, ...NULS, ...(bytes === 0 ? [] : ["x".repeat(bytes + 1)])];
}

function brokenHeaders(route: Route, whole: Whole): Ways {
  const names = [
    ...Object.keys(route.headers().shape),
    ...(route.fenced !== undefined ? ["x-svc-fence"] : []),
  ];
  const headers = headersOf(route, whole);
  return names.flatMap((name) => {
    const texts = NO_HEADERS[name] ?? [];
    return texts.map(
      (text) =>
        [`header ${name} is ${shown(text)}`, { headers: { ...headers, [name]: text } }] as const,
    );
  });
}

const NO_HEADERS: Readonly<Record<string, readonly string[]>> = {
  "if-match": [
    "",
    "rev-1",
    '"rev-0"',
    '"rev--1"',
    '"rev-x"',
    '"rev-1',
    "*",
    '"rev-1","rev-2"',
    '"rev-99999999999999999999"',
  ],
  "idempotency-key": ["x".repeat(256)],
  "x-svc-confirm": ["PURGE something else", "x".repeat(5000)],
  "x-svc-fence": ["0", "-1", "1.5", "x", "1e3", "99999999999999999999", "NaN"],
  "last-event-id": ["x", "-1", "1.5", "99999999999999999999"],
};

function brokenFrames(route: Route, whole: Whole): Ways {
  const headers = headersOf(route, whole);
  return [
    ...["https://evil.example", "null", "http://localhost", "http://127.0.0.1:1"].map(
      (origin) =>
        [`it comes from the page ${origin}`, { headers: { ...headers, origin } }] as const,
    ),
    ...["PROPFIND", "SEARCH", "LINK", "REPORT", "COPY"].map(
      (method) => [`its method is ${method}`, { method }] as const,
    ),
    ...["//", "/x", "/x/y", "/%20", "%00"].map(
      (suffix) => [`its path ends with ${suffix}`, { suffix }] as const,
    ),
  ];
}

function brokenBodies(route: Route, whole: Whole): Ways {
  if (route.body === Nothing) return [];
  const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
  const max = route.maxBodyBytes ?? 1024 * 1024;
  const frames: readonly (readonly [string, string | Uint8Array<ArrayBuffer>])[] = [
    ["is half an object", "{"],
    ["has more behind it", "{} {}"],
    ["is a list", "[]"],
    ["is a list of objects", "[{}]"],
    ["is null", "null"],
    ["is a number", "1"],
    ["is text", '"{}"'],
    ["is true", "true"],
    ["is no JSON", "actor=ann"],
    ["is NaN", "NaN"],
    ["holds NaN", '{"actor":NaN}'],
    ["has single quotes", "{'actor':'ann'}"],
    ["holds NUL", '{"actor":"\u0000"}'],
    ["is not UTF-8", bytes],
    ["nests too deep", `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`],
    ["is too large", `{"actor":"${"x".repeat(max)}"}`],
  ];
  const sent: Ways = frames.map(([how, body]) => [`the body ${how}`, { body }]);
  const types: Ways = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "",
    "application/jsonp",
  ].map((type) => [
    `the body's type is ${shown(type)}`,
    { headers: { ...whole.headers, "content-type": type } },
  ]);
  const broken = brokenValues(route.body(), whole.body ?? {}, "").map(
    ([how, body]) => [how, { body: textOf(body) }] as const,
  );
  return [...sent, ...types, ...broken];
}
