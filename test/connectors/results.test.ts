import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import * as results from "../../src/connectors/results.ts";
import { BrokenRule } from "../../src/connectors/results.ts";
import type { FieldValue } from "../../src/domain/bridges/values.ts";

/** The rule that reading breaks; undefined if it breaks none. */
function brokenBy(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof BrokenRule) return error.rule;
    throw error;
  }
}

const DESCRIBED = {
  ...{ connector_id: "files", display_name: "", protocol: "svc.connector.v1" },
  ...{ capabilities: ["fields", "publish_comment"], account_identity: "a", self_actor_id: "svc" },
};

describe("a result of describe", () => {
  test("may have a schema of settings and members that svc does not know", () => {
    expect(results.describedOf({ ...DESCRIBED, config_schema: {}, more: 1 })).toEqual({
      ...DESCRIBED,
      config_schema: {},
    });
  });

  test.each<[string, JsonObject, string | undefined]>([
    ["no capabilities", { capabilities: [] }, undefined],
    ["no self_actor_id where it cannot publish", { capabilities: ["fields"] }, undefined],
    ["an empty connector_id", { connector_id: "" }, "text.id"],
    ["an account with a space at its end", { account_identity: "a " }, "text.id"],
    ["an account with NUL", { account_identity: "a\0b" }, "text.id"],
    ["an account that is a number", { account_identity: 7 }, "text.id"],
    ["a name that is no text", { display_name: 7 }, "describe.form"],
    ["a name of 256 characters", { display_name: "n".repeat(256) }, undefined],
    ["a name of 257 characters", { display_name: "n".repeat(257) }, "describe.names"],
    ["a name of two lines", { display_name: "a\nb" }, "describe.names"],
    ["a connector_id that is too long", { connector_id: "n".repeat(257) }, "describe.names"],
    ["an account that is too long", { account_identity: "n".repeat(257) }, "describe.names"],
    ["an author of two lines", { self_actor_id: "a\u2028b" }, "describe.names"],
    ["another protocol", { protocol: "svc.connector.v2" }, "describe.form"],
    ["capabilities that are no list", { capabilities: "fields" }, "describe.form"],
    ["a capability twice", { capabilities: ["fields", "fields"] }, "describe.capabilities"],
    ["an unknown capability", { capabilities: ["labels"] }, "describe.capabilities"],
    ["a schema that is a list", { config_schema: [] }, "describe.form"],
  ])("with %s", (_, members, rule) => {
    expect(brokenBy(() => results.describedOf({ ...DESCRIBED, ...members }))).toBe(rule);
  });

  test("needs a self_actor_id to publish comments", () => {
    const { self_actor_id: _, ...without } = DESCRIBED;
    expect(brokenBy(() => results.describedOf(without))).toBe("describe.self");
  });
});

const ROOT = {
  ...{ key: "A1", identity_key: "a", title: "", body: "", state: "open", revision: "1" },
  ...{ updated_at: "2026-01-01T00:00:00Z", observed_at: "2026-01-01T01:00:00+01:00" },
};

describe("a root", () => {
  test("has its times in svc's own form", () => {
    expect(results.rootOf(ROOT)).toEqual({
      ...ROOT,
      ...{ updated_at: "2026-01-01T00:00:00.000Z", observed_at: "2026-01-01T00:00:00.000Z" },
    });
  });

  test.each<[string, JsonObject, string | undefined]>([
    ["an actor", { actor: { id: "ann", display_name: "Ann" } }, undefined],
    ["an actor with an empty name", { actor: { id: "ann", display_name: "" } }, undefined],
    ["a long name", { actor: { id: "ann", display_name: "n".repeat(4096) } }, undefined],
    ["a name too long", { actor: { id: "ann", display_name: "n".repeat(4097) } }, "text.id"],
    ["a name with NUL", { actor: { id: "ann", display_name: "a\0b" } }, "text.id"],
    ["a long revision", { revision: "\u{1F600}".repeat(512) }, undefined],
    ["a revision too long", { revision: "\u{1F600}".repeat(513) }, "text.id"],
    ["a key too long", { key: "k".repeat(513) }, "text.id"],
    ["fields", { fields: { due: { kind: "date", value: "2026-01-01" } } }, undefined],
    ["the state deleted", { state: "deleted" }, undefined],
    ["an unknown state", { state: "closed" }, "root.state"],
    ["no title", { title: null }, "root.form"],
    ["half a character", { body: "a\ud800" }, "root.form"],
    ["an empty key", { key: "" }, "text.id"],
    ["a revision that is a number", { revision: 3 }, "text.id"],
    ["an observation before its change", { observed_at: "2025-12-31T23:59:59.999Z" }, "root.times"],
    ["a time without zone", { updated_at: "2026-01-01T00:00:00" }, "root.times"],
    ["an actor without name", { actor: { id: "ann" } }, "root.form"],
    ["a wrong value", { fields: { due: "2026-01-01" } }, "value.form"],
    ["fields that are a list", { fields: [] }, "value.form"],
  ])("with %s", (_, members, rule) => {
    expect(brokenBy(() => results.rootOf({ ...ROOT, ...members }))).toBe(rule);
  });

  test("that was completed is the same root and complete", () => {
    const done = { ...ROOT, state: "complete" };
    expect(brokenBy(() => results.completedRootOf(done, "A1"))).toBeUndefined();
    expect(brokenBy(() => results.completedRootOf(done, "A2"))).toBe("complete.state");
    expect(brokenBy(() => results.completedRootOf(ROOT, "A1"))).toBe("complete.state");
  });
});

const COMMENT = {
  ...{ id: "c1", revision: "1", body: "hello", author: { id: "ann" }, deleted: false },
  ...{ created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" },
};

describe("comments", () => {
  test.each<[string, readonly JsonObject[], string | undefined]>([
    ["none", [], undefined],
    ["two of one moment, by id", [COMMENT, { ...COMMENT, id: "c2" }], undefined],
    ["two of one moment, not by id", [{ ...COMMENT, id: "c2" }, COMMENT], "comments.order"],
    [
      "the newer first",
      [
        { ...COMMENT, created_at: "2026-01-01T00:00:00Z" },
        { ...COMMENT, id: "c0", created_at: "2025-01-01T00:00:00Z" },
      ],
      "comments.order",
    ],
    ["two with one id", [COMMENT, COMMENT], "comments.unique"],
    [
      "changed before it was written",
      [{ ...COMMENT, updated_at: "2025-01-01T00:00:00Z" }],
      "comments.times",
    ],
    ["no author", [{ ...COMMENT, author: "ann" }], "comments.form"],
    ["an author without id", [{ ...COMMENT, author: {} }], "text.id"],
    ["deleted that is text", [{ ...COMMENT, deleted: "no" }], "comments.form"],
    ["a body that is null", [{ ...COMMENT, body: null }], "comments.form"],
    ["a revision that is empty", [{ ...COMMENT, revision: "" }], "text.id"],
    ["a long id", [{ ...COMMENT, id: "i".repeat(512) }], undefined],
    ["an id too long", [{ ...COMMENT, id: "i".repeat(513) }], "text.id"],
  ])("with %s", (_, comments, rule) => {
    expect(brokenBy(() => results.commentsOf({ comments }))).toBe(rule);
  });

  test("are a list", () => {
    expect(brokenBy(() => results.commentsOf({}))).toBe("comments.form");
    expect(brokenBy(() => results.commentsOf({ comments: [null] }))).toBe("comments.form");
  });

  test.each<[string, JsonObject, string | undefined]>([
    ["the comment", {}, undefined],
    ["another body", { body: "hallo" }, "publish.comment"],
    ["another author", { author: { id: "bea" } }, "publish.comment"],
    ["a deleted comment", { deleted: true }, "publish.comment"],
  ])("are published with %s", (_, members, rule) => {
    const asked = { body: "hello", self_actor_id: "ann" };
    expect(brokenBy(() => results.publishedCommentOf({ ...COMMENT, ...members }, asked))).toBe(
      rule,
    );
  });
});

const FIELD = {
  ...{ id: "due", display_name: "Due", accepted_kinds: ["date"], nullable: true, writable: true },
  schema_revision: "1",
};

describe("fields", () => {
  test.each<[string, readonly JsonObject[], string | undefined]>([
    ["one", [FIELD], undefined],
    ["one without kinds", [{ ...FIELD, accepted_kinds: [] }], undefined],
    ["two with one id", [FIELD, FIELD], "fields.unique"],
    ["an unknown kind", [{ ...FIELD, accepted_kinds: ["text"] }], "fields.form"],
    ["kinds that are text", [{ ...FIELD, accepted_kinds: "date" }], "fields.form"],
    ["writable that is text", [{ ...FIELD, writable: "yes" }], "fields.form"],
    ["nullable that is missing", [{ ...FIELD, nullable: null }], "fields.form"],
    ["a schema_revision that is a number", [{ ...FIELD, schema_revision: 1 }], "text.id"],
    ["a long name", [{ ...FIELD, display_name: "n".repeat(4096) }], undefined],
    ["a name too long", [{ ...FIELD, display_name: "n".repeat(4097) }], "text.id"],
    ["a name with NUL", [{ ...FIELD, display_name: "a\0b" }], "text.id"],
    ["an id too long", [{ ...FIELD, id: "i".repeat(513) }], "text.id"],
  ])("with %s", (_, fields, rule) => {
    expect(brokenBy(() => results.descriptorsOf({ fields }))).toBe(rule);
  });

  const date = (value: string): FieldValue => ({ kind: "date", value });
  const fields = { due: { kind: "date", value: "2026-01-01" }, start: { kind: "null" } };

  test("that were read are those that were asked for", () => {
    expect(brokenBy(() => results.readValuesOf({ fields }, ["start", "due"]))).toBeUndefined();
    expect(brokenBy(() => results.readValuesOf({ fields }, ["due"]))).toBe("read_fields.ids");
    expect(brokenBy(() => results.readValuesOf({ fields }, ["due", "start", "end"]))).toBe(
      "read_fields.ids",
    );
    expect(brokenBy(() => results.readValuesOf({}, []))).toBe("value.form");
  });

  test.each<[string, readonly (readonly [string, FieldValue])[], string | undefined]>([
    [
      "the values",
      [
        ["due", date("2026-01-01")],
        ["start", { kind: "null" }],
      ],
      undefined,
    ],
    [
      "another value",
      [
        ["due", date("2026-01-02")],
        ["start", { kind: "null" }],
      ],
      "write_fields.values",
    ],
    ["one more field", [["due", date("2026-01-01")]], "write_fields.ids"],
  ])("that were written are answered with %s", (_, written, rule) => {
    expect(brokenBy(() => results.writtenValuesOf({ fields }, new Map(written)))).toBe(rule);
  });
});
