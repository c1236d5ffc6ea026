import { describe, expect, test } from "vitest";
import { answerOf, PROTOCOL, redactedError, requestOf } from "../../src/connectors/exchange.ts";

const ID = "0123456789abcdef0123456789abcdef";
const asked = { protocol: PROTOCOL, id: ID };

function answer(text: string | Uint8Array) {
  return answerOf(Buffer.from(text), asked);
}

function document(members: object): string {
  return JSON.stringify({ ...asked, ...members });
}

test("a request is one line of JSON, whatever its texts are", () => {
  const line = requestOf({
    ...asked,
    ...{ method: "publish_comment", instance: "files", settings: { folder: "/x" } },
    params: { body: "two\nlines" },
  });
  expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(JSON.parse(line)).toEqual({
    ...asked,
    ...{ method: "publish_comment", instance: "files", settings: { folder: "/x" } },
    params: { body: "two\nlines" },
  });
});

describe("an answer", () => {
  test.each([
    ["nothing", ""],
    ["no JSON", "Hello"],
    ["half a document", '{"protocol":"svc.connector.v1"'],
    ["two documents", `${document({ result: {} })}\n${document({ result: {} })}`],
    ["a document and more", `${document({ result: {} })} x`],
    ["a list", "[]"],
    ["null", "null"],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0x7d])],
    ["lists nested 513 deep", `{"result":${"[".repeat(512)}${"]".repeat(512)}}`],
  ])("of %s is no document", (_, text) => {
    expect(answer(text)).toEqual({ broken: "answer.document" });
  });

  test.each([
    ["has another protocol", { protocol: "svc.connector.v2", result: {} }, "answer.protocol"],
    ["has no protocol", { protocol: undefined, result: {} }, "answer.protocol"],
    ["has the id of another request", { id: "1", result: {} }, "answer.id"],
    ["has no id", { id: undefined, result: {} }, "answer.id"],
    ["has neither result nor error", {}, "answer.one"],
    ["has result and error", { result: {}, error: { code: "a", message: "b" } }, "answer.one"],
    ["has a result that is null", { result: null }, "answer.one"],
    ["has a result that is a list", { result: [] }, "answer.one"],
    ["has a result that is text", { result: "x" }, "answer.one"],
    ["has an error that is text", { error: "x" }, "error.form"],
    ["has an error that is null", { error: null }, "error.form"],
    ["has an error without message", { error: { code: "a" } }, "error.form"],
    ["has an error without code", { error: { message: "a" } }, "error.form"],
  ])("that %s breaks a rule", (_, members, broken) => {
    expect(answer(document(members))).toEqual({ broken });
  });

  test.each([
    ["a", "m"],
    [`a${"_9".repeat(31)}b`, "é".repeat(256)],
  ])("may be the error %s", (code, message) => {
    expect(answer(document({ error: { code, message } }))).toEqual({ error: { code, message } });
  });

  test.each([
    ["", "m"],
    ["A", "m"],
    ["1a", "m"],
    ["a-b", "m"],
    [`a${"b".repeat(64)}`, "m"],
    ["a", ""],
    ["a", " m"],
    ["a", "m\n"],
    ["a", "two\nlines"],
    ["a", "a\u0007b"],
    ["a", "a\u0085b"],
    ["a", "a\ud800b"],
    ["a", `${"é".repeat(256)}x`],
  ])("may not be the error with the code %j and the message %j", (code, message) => {
    expect(answer(document({ error: { code, message } }))).toEqual({ broken: "error.form" });
  });

  test("may have more members, white space and a result of any depth up to the limit", () => {
    const text = ` {"more":1,"protocol":"${PROTOCOL}","id":"${ID}","result":{"a":${"[".repeat(510)}${"]".repeat(510)}}}\n`;
    expect(answer(text)).toHaveProperty("result.a");
  });
});

describe("an error of a connector", () => {
  const redact = (text: string): string => text.replaceAll("e", "[redacted]");

  test("whose code has a secret is a connector_error, but the codes that svc acts on stay", () => {
    expect(redactedError({ code: "te", message: "a" }, redact)).toEqual({
      ...{ code: "connector_error", message: "a" },
    });
    for (const code of ["root_not_found", "deleted", "gone", "field_conflict", "not_found"])
      expect(redactedError({ code, message: "e" }, redact)).toEqual({
        ...{ code, message: "[redacted]" },
      });
  });

  test("that is too long when its secrets are replaced is replaced as a whole", () => {
    expect(redactedError({ code: "a", message: "e".repeat(512) }, redact)).toEqual({
      ...{ code: "a", message: "[redacted]" },
    });
  });
});
