import { expect, test } from "vitest";
import type { z } from "zod";
import { ERRORS, type ErrorEntry } from "../../src/contract/error-codes.ts";
import { EVENT_KINDS, isHidden, SNAPSHOT_KINDS } from "../../src/contract/event-kinds.ts";
import { PAYLOADS } from "../../src/contract/events.ts";
import { openApiYaml } from "../../src/contract/openapi/text.ts";
import { golden } from "../support/golden.ts";

test("the committed OpenAPI document matches the routes", () => {
  const text = openApiYaml("3.1");
  expect(text).toBe(golden("api/openapi.yaml", text));
});

test("every error code keeps its status, message and hint", () => {
  const lines = Object.entries<ErrorEntry>(ERRORS).map(
    ([code, { status, message, hint }]) =>
      `${status} ${code}: ${message}${hint === undefined ? "" : ` (${hint})`}\n`,
  );
  const text = lines.join("");
  expect(text).toBe(golden("test/golden/error-codes.txt", text));
});

test("every kind of event keeps its name, its fields and whether it is federated, hidden or a snapshot", () => {
  const lines = Object.entries(PAYLOADS).map(([kind, payload]) => {
    const { shape }: z.ZodObject = payload();
    const name = kind as keyof typeof PAYLOADS;
    const marks = [
      ...(EVENT_KINDS[name].federated ? [" federated"] : []),
      ...(isHidden(name) ? [" hidden"] : []),
      ...(SNAPSHOT_KINDS.includes(name) ? [" snapshot"] : []),
    ].join("");
    const fields = Object.entries(shape).map(
      ([name, field]) => name + (field._zod.optin === "optional" ? "?" : ""),
    );
    return `${kind}${marks}: ${fields.join(", ")}\n`;
  });
  const text = lines.join("");
  expect(text).toBe(golden("test/golden/event-kinds.txt", text));
});
