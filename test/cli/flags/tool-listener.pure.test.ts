import { describe, expect, test } from "vitest";
import { EXIT_CODES } from "../../../src/cli/failure/failure.ts";
import { toolListener } from "../../../src/cli/flags/tool-listener.ts";

const ENV = { TOKEN: "secret-token", EMPTY: "", SPACED: "two words" };

function listener(http: string | undefined, trusts = false, name = "TOKEN") {
  const flags = { http, "http-token-env": name, "trust-private-network": trusts };
  return toolListener(flags, ENV);
}

describe("--http of svc mcp serve", () => {
  test.each([
    ["127.0.0.1:7800", false, "127.0.0.1:7800", true],
    ["[::1]:7800", false, "[::1]:7800", true],
    ["localhost:7800", false, "localhost:7800", true],
    ["127.0.0.1:65535", false, "127.0.0.1:65535", true],
    ["10.0.0.5:7000", true, "10.0.0.5:7000", false],
    ["100.64.0.1:7000", true, "100.64.0.1:7000", false],
    ["[fd00::1]:7000", true, "[fd00::1]:7000", false],
    ["0.0.0.0:7000", true, "0.0.0.0:7000", false],
    [":7000", true, "0.0.0.0:7000", false],
  ])("accepts %s if --trust-private-network is %s", (http, trusts, authority, isLoopback) => {
    expect(listener(http, trusts)).toMatchObject({ authority, isLoopback, token: "secret-token" });
  });

  test.each([
    ["8.8.8.8:80", true, "public"],
    ["example.com:80", true, "literal IP"],
    ["127.0.0.1:0", false, "1 to 65535"],
    ["127.0.0.1:65536", false, "literal IP"],
    ["127.0.0.1", false, "literal IP"],
    ["10.0.0.5:7000", false, "other machines"],
    ["0.0.0.0:7000", false, "other machines"],
    [":7000", false, "other machines"],
    ["[::]:7000", false, "other machines"],
  ])("refuses %s if --trust-private-network is %s", (http, trusts, reason) => {
    expect(() => listener(http, trusts)).toThrow(reason);
  });

  test.each([["MISSING"], ["EMPTY"], ["SPACED"], [""], ["secret-token"]])(
    "is refused if the variable %j names no usable token, and the message does not repeat its value",
    (name) => {
      const thrown = failureOf(() => listener("127.0.0.1:7800", false, name));
      expect(EXIT_CODES[thrown.kind as "usage"]).toBe(2);
      expect(JSON.stringify(thrown)).not.toMatch(/secret-token|two words/);
    },
  );

  test("may be absent, and then no token is needed", () => {
    expect(listener(undefined)).toBeUndefined();
  });
});

function failureOf(run: () => unknown): { readonly kind: string } {
  try {
    run();
  } catch (error) {
    return (error as { readonly failure: { readonly kind: string } }).failure;
  }
  throw new Error("nothing was thrown");
}
