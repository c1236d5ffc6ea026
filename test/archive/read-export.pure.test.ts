import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { readExport } from "../../src/archive/read-export.ts";
import { withoutRecords } from "../../src/archive/without-records.ts";
import { canonicalJson, type JsonObject } from "../../src/base/json.ts";
import { IN_MEMORY } from "../../src/domain/maps.ts";
import { readLines } from "../../src/sources/files/lines.ts";
import type { RestoreRow } from "../../src/store/admin-store.ts";
import { contentHash } from "../../src/store/log/content-hash.ts";

const VERSION = 3;
const AT = "2026-01-02T03:04:05.678Z";
const uid = (n: number): string => `01HZZZZZZZ${String(n).padStart(16, "0")}`;

const META = record("meta", { key: "export_version", value: "3" });
const INSTANCE = record("meta", { key: "instance_uid", value: uid(1) });
const PROJECT = record("project", {
  id: 4,
  uid: uid(2),
  name: "p",
  created_at: AT,
  metadata: {},
  revision: 1,
});
const ISSUE = record("issue", issueData());
const LABEL = record("issue_label", { issue_id: 9, label: "bug", author: "a", created_at: AT });
const EVENT = record("event", eventData());
const ENDING = META.replace("}}", '},"ends_with":"digest"}');
const digest = (more: object = {}) =>
  record("digest", { records: 2, counts: { meta: 1, project: 1 }, sha256: "x", ...more });
const GOOD = [META, INSTANCE, PROJECT, ISSUE, LABEL, EVENT];

function issueData(more: object = {}): object {
  return {
    id: 9,
    uid: uid(3),
    project_id: 4,
    short_id: "abcd",
    title: "t",
    body: "",
    status: "open",
    author: "a",
    created_at: AT,
    updated_at: AT,
    metadata: {},
    revision: 1,
    ...more,
  };
}

function eventData(payload: JsonObject = { from: "o", to: "p" }, more: object = {}): object {
  const event = {
    uid: uid(4),
    origin_instance_uid: uid(1),
    project_uid: uid(2),
    type: "project.renamed",
    actor: "a",
    hlc_physical_ms: 5,
    hlc_counter: 0,
    created_at: AT,
  };
  const { project_uid: _, ...written } = event;
  const content_hash = contentHash(event, canonicalJson(payload));
  return { id: 1, ...written, project_id: 4, project_name: "p", payload, content_hash, ...more };
}

function record(kind: string, data: object): string {
  return JSON.stringify({ kind, data });
}

async function read(lines: readonly string[]): Promise<readonly RestoreRow[]> {
  const { rows } = await readExport(
    readLines(Readable.from([Buffer.from(lines.join("\n"))])),
    VERSION,
  );
  const found: RestoreRow[] = [];
  for await (const row of withoutRecords(rows, IN_MEMORY)) found.push(row);
  return found;
}

describe("reading an export", () => {
  test("turns local ids into uids and absent fields into null", async () => {
    const rows = await read(GOOD);
    expect(rows.map(({ table }) => table)).toEqual(["project", "issue", "label", "event"]);
    expect(rows[0]?.row).toMatchObject({ id: 4, uid: uid(2), deleted_at: null });
    expect(rows[1]?.row).toMatchObject({
      id: 9,
      project_uid: uid(2),
      owner: null,
      closed_at: null,
    });
    expect(rows[2]?.row).toMatchObject({ issue_uid: uid(3), label: "bug" });
    expect(rows[3]?.row).toMatchObject({ project_uid: uid(2), type: "project.renamed" });
    expect(rows[3]?.row).not.toHaveProperty("issue_uid");
  });

  test("expects a digest at the end of the file", async () => {
    expect((await read([ENDING, PROJECT, digest()])).map(({ table }) => table)).toEqual([
      "project",
    ]);
  });

  test("reads from the head which program made the file", async () => {
    const head = async (...lines: string[]) =>
      await readExport(readLines(Readable.from([Buffer.from(lines.join("\n"))])), VERSION);
    expect(await head(META, INSTANCE)).toMatchObject({ version: 3, instanceUid: uid(1) });
    const older = record("meta", { key: "export_version", value: "2" });
    expect(await head(older, PROJECT)).toMatchObject({ version: 2, instanceUid: undefined });
  });

  test("remembers the idempotency key of a request from its event", async () => {
    const payload = {
      reason: "done",
      closed_at: AT,
      parent_uid: "",
      parent_short_id: "",
      idempotency_key: "k",
      idempotency_fingerprint: "f",
    };
    const type = "issue.closed";
    const event = {
      uid: uid(5),
      origin_instance_uid: uid(1),
      project_uid: uid(2),
      issue_uid: uid(3),
      type,
      actor: "a",
      hlc_physical_ms: 5,
      hlc_counter: 0,
      created_at: AT,
    };
    const { project_uid: _, ...written } = event;
    const line = record("event", {
      id: 2,
      ...written,
      project_id: 4,
      payload,
      content_hash: contentHash(event, canonicalJson(payload)),
    });
    const rows = await read([...GOOD, line]);
    expect(rows.at(-1)).toEqual({
      table: "idempotency",
      row: {
        scope_uid: uid(2),
        origin_instance_uid: uid(1),
        operation: "close",
        key: "k",
        fingerprint: "f",
        event_uid: uid(5),
        created_at: AT,
      },
    });
  });

  test("keeps the spelling of numbers in payloads, and hashes that spelling", async () => {
    const data = JSON.stringify(eventData({ from: "o", to: "p" }));
    const exact = '{"from":"o","to":"p","n":1.50,"big":123456789012345678901234567890}';
    const hash = contentHash(
      {
        uid: uid(4),
        origin_instance_uid: uid(1),
        project_uid: uid(2),
        type: "project.renamed",
        actor: "a",
        hlc_physical_ms: 5,
        hlc_counter: 0,
        created_at: AT,
      },
      '{"big":123456789012345678901234567890,"from":"o","n":1.50,"to":"p"}',
    );
    const line = `{"kind":"event","data":${data.replace('{"from":"o","to":"p"}', exact).replace(/"content_hash":"\w+"/, `"content_hash":"${hash}"`)}}`;
    const rows = await read([META, PROJECT, line]);
    expect(JSON.stringify(rows.at(-1)?.row)).toContain(exact);
  });
});

describe("a file with a wrong line is refused, and the error has the number of the line", () => {
  test.each<[string, number, readonly string[]]>([
    ["an empty file", 1, []],
    ["no version", 1, [PROJECT]],
    ["another first record", 1, [INSTANCE, META]],
    ["a version that is no number", 1, [record("meta", { key: "export_version", value: "three" })]],
    ["a newer version", 1, [record("meta", { key: "export_version", value: "4" })]],
    ["meta that stands twice", 2, [META, META]],
    ["unknown meta", 2, [META, record("meta", { key: "colour", value: "red" })]],
    ["meta after rows", 3, [META, PROJECT, INSTANCE]],
    ["an unknown kind", 3, [META, PROJECT, record("cloud", {})]],
    ["a kind that comes too late", 4, [META, PROJECT, ISSUE, PROJECT]],
    ["no JSON", 2, [META, '{"kind"']],
    ["no object", 2, [META, "[]"]],
    ["a number where an object belongs", 2, [META, "1.0"]],
    ["a record without data", 2, [META, '{"kind":"project"}']],
    ["a record with more than kind and data", 2, [META, '{"kind":"project","data":{},"x":1}']],
    ["a missing field", 3, [META, PROJECT, record("issue", issueData({ title: undefined }))]],
    ["an unknown field", 3, [META, PROJECT, record("issue", issueData({ colour: "red" }))]],
    ["a field of another type", 3, [META, PROJECT, record("issue", issueData({ title: 1 }))]],
    ["an unknown status", 3, [META, PROJECT, record("issue", issueData({ status: "hooked" }))]],
    ["an invalid uid", 3, [META, PROJECT, record("issue", issueData({ uid: "abc" }))]],
    [
      "a uid in lower case",
      3,
      [META, PROJECT, record("issue", issueData({ uid: uid(3).toLowerCase() }))],
    ],
    [
      "an invalid time",
      3,
      [META, PROJECT, record("issue", issueData({ created_at: "2026-02-30T00:00:00Z" }))],
    ],
    ["an id of zero", 3, [META, PROJECT, record("issue", issueData({ id: 0 }))]],
    ["a fractional id", 3, [META, PROJECT, record("issue", issueData({ id: 1.5 }))]],
    ["metadata that is a number", 2, [META, PROJECT.replace('"metadata":{}', '"metadata":1.0')]],
    [
      "a project that no line defines",
      3,
      [META, PROJECT, record("issue", issueData({ project_id: 5 }))],
    ],
    ["an issue that no line defines", 3, [META, PROJECT, LABEL]],
    [
      "an unknown kind of event",
      3,
      [META, PROJECT, record("event", eventData(undefined, { type: "issue.sold" }))],
    ],
    [
      "an assigned short id that is no text",
      3,
      [META, PROJECT, record("event", eventData(undefined, { assigned_ids: { A: { P: 7 } } }))],
    ],
    [
      "an event that was changed",
      3,
      [META, PROJECT, record("event", eventData(undefined, { actor: "b" }))],
    ],
    [
      "a payload that was changed",
      3,
      [META, PROJECT, record("event", eventData(undefined, { payload: { from: "o", to: "q" } }))],
    ],
    ["no digest though one was announced", 3, [ENDING, PROJECT]],
    ["no line behind the announcement", 2, [ENDING]],
    ["the announcement of an unknown end", 1, [ENDING.replace("digest", "x"), PROJECT]],
    [
      "the announcement on a later line",
      2,
      [META, INSTANCE.replace("}}", '},"ends_with":"digest"}')],
    ],
    [
      "a digest of other records",
      3,
      [ENDING, PROJECT, digest({ counts: { meta: 1, project: 2 } })],
    ],
    [
      "a digest of other kinds",
      3,
      [ENDING, PROJECT, digest({ counts: { meta: 1, project: 1, x: 1 } })],
    ],
    ["a digest of another sum", 3, [ENDING, PROJECT, digest({ records: 3 })]],
    ["a digest with an extra field", 3, [ENDING, PROJECT, digest({ colour: "red" })]],
    ["a line behind the digest", 4, [ENDING, PROJECT, digest(), digest()]],
    ["two issues with the same id", 4, [META, PROJECT, ISSUE, ISSUE]],
    ["the same event twice", 4, [META, PROJECT, EVENT, EVENT]],
    ["a blank line before a broken one", 5, [META, PROJECT, "", " ", "x"]],
  ])("%s", async (_, line, lines) => {
    await expect(read(lines)).rejects.toMatchObject({ code: "validation", data: { line } });
  });
});
