import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeRequest } from "../../src/client/http/request.ts";
import { MalformedResponse, ResponseReader } from "../../src/client/http/response.ts";

interface Read {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the connection can be used again; `undefined` while the response is not complete. */
  readonly reusable: boolean | undefined;
}

function read(pieces: readonly Buffer[], { closed = false, method = "GET" } = {}): Read {
  const body: Buffer[] = [];
  let head = { status: 0, headers: {} };
  let reusable: boolean | undefined;
  const handler = {
    onHead: (given: typeof head) => {
      head = given;
    },
    onBody: (piece: Buffer) => body.push(piece),
    onEnd: (given: boolean) => {
      reusable = given;
    },
  };
  const reader = new ResponseReader(handler, method);
  for (const piece of pieces) reader.push(piece);
  if (closed) reader.end();
  return { ...head, body: Buffer.concat(body).toString("utf8"), reusable };
}

const bytes = (text: string): Buffer => Buffer.from(text.replaceAll("\n", "\r\n"), "utf8");

const CHUNKED = bytes(
  'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n4\n{"a"\n6;x=y\n:"é"}\n0\nTrailer: x\n\n',
);
const ANNOUNCED = bytes("HTTP/1.1 103 Early Hints\nLink: x\n\nHTTP/1.1 204 No Content\n\n");
const UNTIL_CLOSE = bytes('HTTP/1.1 200 OK\n\n{"a":1}');

describe("an HTTP response is parsed the same however it is cut into pieces", () => {
  test.each([
    [
      "with a length",
      bytes('HTTP/1.1 200 OK\nContent-Length: 10\n\n{"a":"é"}'),
      false,
      200,
      '{"a":"é"}',
      true,
    ],
    ["in chunks", CHUNKED, false, 200, '{"a":"é"}', true],
    ["after an announcement", ANNOUNCED, false, 204, "", true],
    ["until the connection closes", UNTIL_CLOSE, true, 200, '{"a":1}', false],
    [
      "that closes",
      bytes("HTTP/1.1 200 OK\nConnection: close\nContent-Length: 1\n\nx"),
      false,
      200,
      "x",
      false,
    ],
    ["without a body", bytes("HTTP/1.1 200 OK\nContent-Length: 0\n\n"), false, 200, "", true],
  ])(
    "a response %s is parsed the same however it is cut into pieces",
    (_name, whole, closed, status, body, reusable) => {
      expect(read([whole], { closed })).toMatchObject({ status, body, reusable });
      for (let at = 0; at <= whole.length; at++) {
        const halves = [whole.subarray(0, at), whole.subarray(at)];
        expect(read(halves, { closed })).toMatchObject({ status, body, reusable });
      }
      const single = [...whole].map((byte) => Buffer.of(byte));
      expect(read(single, { closed })).toMatchObject({ status, body, reusable });
    },
  );

  test("a long response is parsed the same at any cut", () => {
    const text = "é".repeat(5000);
    const whole = bytes(`HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n`);
    const size = Buffer.byteLength(text).toString(16);
    const response = Buffer.concat([whole, bytes(`${size}\n${text}\n0\n\n`)]);
    fc.assert(
      fc.property(fc.array(fc.nat(response.length), { maxLength: 20 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), response.length];
        const pieces = places.slice(1).map((end, at) => response.subarray(places[at], end));
        expect(read(pieces)).toMatchObject({ body: text, reusable: true });
      }),
    );
  });
});

test("repeated headers of a response are joined, and the names of headers become lower-case", () => {
  expect(
    read([bytes("HTTP/1.1 200 OK\nX-A: 1\nx-a:  2 \nContent-Length: 0\n\n")]).headers,
  ).toMatchObject({
    "x-a": "1, 2",
  });
});

test("a response to HEAD has no body, whatever its Content-Length says", () => {
  const answer = [bytes("HTTP/1.1 200 OK\nContent-Length: 10\n\n")];
  expect(read(answer, { method: "HEAD" }).reusable).toBe(true);
  expect(read(answer).reusable).toBeUndefined();
});

test("bytes after the end of the response make the connection unusable", () => {
  expect(read([bytes("HTTP/1.1 200 OK\nContent-Length: 1\n\nxy")])).toMatchObject({
    body: "x",
    reusable: false,
  });
});

describe("a response that is not HTTP/1.1 is refused", () => {
  test.each([
    ["HTTP/2 200 OK\n\n"],
    ["HTTP/1.0 200 OK\n\n"],
    ["SSH-2.0-OpenSSH\n\n"],
    ["HTTP/1.1 600 Odd\n\n"],
    ["HTTP/1.1 200 OK\nno colon\n\n"],
    ["HTTP/1.1 200 OK\nName : x\n\n"],
    ["HTTP/1.1 200 OK\nContent-Length: -1\n\n"],
    ["HTTP/1.1 200 OK\nContent-Length: 1, 2\n\n"],
    ["HTTP/1.1 200 OK\nTransfer-Encoding: gzip\n\n"],
    ["HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nx\n"],
    ["HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\nxy\n"],
    [`HTTP/1.1 200 OK\nX: ${"x".repeat(65 * 1024)}`],
  ])("the response %j is refused", (text) => {
    expect(() => read([bytes(text)])).toThrow(MalformedResponse);
  });

  test.each([
    ["HTTP/1.1 200"],
    ["HTTP/1.1 200 OK\nContent-Length: 2\n\nx"],
    ["HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nabc"],
    ["HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n0\n"],
    [""],
  ])("a response that ends in the middle is refused: %j", (text) => {
    expect(() => read([bytes(text)], { closed: true })).toThrow(MalformedResponse);
  });
});

describe("an HTTP request", () => {
  test("is written with its body's length in bytes", () => {
    const request = {
      method: "POST",
      target: "/api/v1/x?a=b",
      headers: { Host: "h" },
      body: '{"a":"é"}',
    };
    expect(encodeRequest(request).toString("utf8")).toBe(
      'POST /api/v1/x?a=b HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a":"é"}',
    );
  });

  test("a POST request without a body has a Content-Length of zero", () => {
    const text = (method: string): string =>
      encodeRequest({ method, target: "/", headers: {} }).toString("utf8");
    expect(text("GET")).toBe("GET / HTTP/1.1\r\n\r\n");
    expect(text("POST")).toBe("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
  });

  test.each([
    ["/a b", {}],
    ["/a\r\nX: y", {}],
    ["/é", {}],
    ["/", { X: "a\r\nY: b" }],
    ["/", { X: "a\0" }],
    ["/", { X: "\u{1f600}" }],
  ])(
    "a request to %j with the headers %j is refused, since it could be split into another one",
    (target, headers) => {
      expect(() => encodeRequest({ method: "GET", target, headers })).toThrow(TypeError);
    },
  );
});
