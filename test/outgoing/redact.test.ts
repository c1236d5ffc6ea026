import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { redactor } from "../../src/outgoing/redact.ts";

const KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow==\n-----END RSA PRIVATE KEY-----";

test.each([
  [
    "the token of the remote server",
    "it got s3cr3t+/=, twice: s3cr3t+/=",
    "it got [redacted], twice: [redacted]",
  ],
  [
    "the token of the remote server in a URL",
    "/x?q=s3cr3t%2B%2F%3D&page=2",
    "/x?q=[redacted]&page=2",
  ],
  [
    "an Authorization header",
    "authorization: Basic dXNlcjpwYXNz\nnext",
    "authorization: [redacted]\nnext",
  ],
  [
    "an Authorization header in JSON",
    '{"Authorization":"Basic dXNlcjpwYXNz"}',
    '{"Authorization": [redacted]',
  ],
  ["a bearer token", "sent Bearer abc.def-1 to it", "sent Bearer [redacted] to it"],
  ["a named token", 'token="abc", x', 'token="[redacted]", x'],
  [
    "tokens of a code host",
    "ghp_abc123 github_pat_11AA_bb ghs_z9",
    "[redacted] [redacted] [redacted]",
  ],
  ["a private key", `before ${KEY} after`, "before [redacted] after"],
  ["a private key that is cut off", `before ${KEY.slice(0, 40)}`, "before [redacted]"],
  ["a user in a URL", "https://ann:pw@host/x", "https://[redacted]@host/x"],
  [
    "secrets in a query",
    "/x?api_key=1&page=2&sig=abc",
    "/x?api_key=[redacted]&page=2&sig=[redacted]",
  ],
  [
    "nothing from other texts",
    "tokens and bearers, ann@example.com, a ghost",
    "tokens and bearers, ann@example.com, a ghost",
  ],
])("the redactor removes %s", (_what, text, wanted) => {
  expect(redactor(["s3cr3t+/="])(text)).toBe(wanted);
});

test("the redactor cuts a long text at a whole character, after the secrets were removed", () => {
  const redact = redactor(["geheim"]);
  const shown = redact(`${"ü".repeat(4095)}xxgeheim ${"y".repeat(100)}`);
  expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(8192 + 4);
  expect(shown.endsWith(" …")).toBe(true);
  expect(shown).not.toMatch(/geh|\uFFFD/);
  expect(redact("x".repeat(8192))).toBe("x".repeat(8192));
  expect(redact("x".repeat(8193))).toBe(`${"x".repeat(8192)} …`);
});

test.each([
  ["beginnings of keys", "-----BEGIN A-----"],
  ["slashes", "//a"],
  ["equals signs", "token="],
  ["question marks", "?key"],
  ["blanks", "token "],
])("the redactor takes linear time for a megabyte of %s", (_what, part) => {
  const text = part.repeat(Math.ceil(1_000_000 / part.length));
  // Linear time is less than 0.2 seconds. A pattern that goes back for each part takes minutes, and is interrupted.
  const run = { redact: redactor(["geheim"]), text };
  const shown: string = runInNewContext("redact(text)", run, { timeout: 20_000 });
  expect(shown.length).toBeLessThanOrEqual(8194);
});
