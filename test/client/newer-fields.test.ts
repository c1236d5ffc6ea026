import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { call } from "../../src/client/call.ts";
import { ADDED_FIELDS } from "../../src/client/newer-fields.ts";
import { transportTo } from "../../src/client/transport-to.ts";
import { editIssue, listIssues } from "../../src/contract/issues.ts";
import { takeReadyIssue } from "../../src/contract/leases.ts";
import { API_SCHEMA_VERSION } from "../../src/contract/version.ts";
import { compareVersions } from "../../src/shared/versions.ts";
import { folderWith } from "../config/folder.ts";
import { Local } from "./local.ts";
import { json, PONG, standIn } from "./stand-in.ts";

/** Route ids and the fields of their requests, in the query or in the body. */
type Fields = ReadonlyMap<string, readonly string[]>;

interface Schema {
  readonly $ref?: string;
  readonly properties?: object;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The fields of API 0.14.0, the oldest whose daemons clients still talk to. */
const OLDEST: Fields = new Map(
  readFileSync(join(import.meta.dirname, "fixtures", "fields-of-api-0.14.txt"), "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [id = "", ...names] = line.split(" ");
      return [id, names];
    }),
);

function fieldsOfContract(): Fields {
  const { paths, components } = parse(readFileSync("api/openapi.yaml", "utf8"));
  const namesIn = (schema: Schema = {}): readonly string[] => {
    const { $ref, properties = {}, allOf = [], anyOf = [], oneOf = [] } = schema;
    if ($ref !== undefined) return namesIn(components.schemas[$ref.split("/").at(-1) ?? ""]);
    return [...Object.keys(properties), ...[...allOf, ...anyOf, ...oneOf].flatMap(namesIn)];
  };
  const operations = Object.values<object>(paths).flatMap((path) => Object.values(path));
  return new Map(
    operations.map(({ operationId, parameters = [], requestBody }) => {
      const query = parameters.filter((one: { in: string }) => one.in === "query");
      const body = namesIn(requestBody?.content?.["application/json"]?.schema);
      return [operationId, [...query.map(({ name }: { name: string }) => name), ...body]];
    }),
  );
}

describe("the table of fields that were added to requests", () => {
  test("has every field that API 0.14.0 lacks, and no other", () => {
    const added = [...fieldsOfContract()].flatMap(([id, names]) => {
      const known = OLDEST.get(id);
      if (known === undefined) return [];
      return names.filter((name) => !known.includes(name)).map((name) => `${id} ${name}`);
    });
    const table = Object.entries(ADDED_FIELDS).flatMap(([id, fields]) =>
      Object.keys(fields).map((name) => `${id} ${name}`),
    );
    expect([...new Set(added)].sort()).toEqual(table.sort());
    expect(added.length).toBeGreaterThan(50);
  });

  test("names no version newer than the contract", () => {
    const versions = Object.values(ADDED_FIELDS).flatMap((fields) =>
      Object.values(fields).map(({ since }) => since),
    );
    const named = [...new Set(versions)].sort();
    expect(named.slice(0, 4)).toEqual(["0.15.0", "0.16.0", "0.17.0", "0.18.0"]);
    expect(named.every((version) => compareVersions(version, API_SCHEMA_VERSION) <= 0)).toBe(true);
  });
});

/** A remote daemon whose ping tells this version of its API, and the targets and bodies that it received. */
async function daemonOf(api: string | undefined) {
  const told = api === undefined ? {} : { api_schema_version: api };
  const server = await standIn((request) => {
    if (request.startsWith("GET /api/v1/ping ")) return json(200, { ...PONG, ...told });
    return json(200, { issue: {}, issues: [] });
  }, "tcp");
  const client = await new Local(folderWith()).remoteClient(server);
  const received = (): string => server.requests.at(-1) ?? "";
  return { client, server, received };
}

const PLACE = { project_id: 1, ref: "abc4" };
const HASH = "0".repeat(64);

test.each([
  ["0.16.0", false],
  ["0.16.9", false],
  ["0.17.0", true],
  ["0.18.0", true],
  ["1.0.0", true],
  [undefined, false],
])(
  "an edit sends the hash of the text that it replaces to a daemon of API %s: %s",
  async (api, has) => {
    const { client, received } = await daemonOf(api);
    const daemon = transportTo(client, { editIssue });
    const body = { actor: "ann", body: "new", expected_body_hash: HASH };
    await daemon.call("editIssue", { params: PLACE, body });
    expect(received()).toMatch(/^PATCH \/api\/v1\/projects\/1\/issues\/abc4 /);
    expect(received().includes("expected_body_hash")).toBe(has);
    expect(received()).toContain('"body":"new"');
  },
);

test("a call is refused and not sent if an older daemon would ignore or not understand one of its fields", async () => {
  const { client, server } = await daemonOf("0.14.0");
  const params = { project_id: 1 };
  const refused = { code: "daemon_api_too_old" };
  for (const ask of [
    async () => await call(client, listIssues, { params, query: { author: "ann" } }),
    async () =>
      await call(client, editIssue, { params: PLACE, body: { actor: "a", metadata: {} } }),
    async () =>
      await call(client, takeReadyIssue, { params, body: { actor: "a", parent_uid: "x" } }),
  ])
    await expect(ask()).rejects.toMatchObject(refused);
  expect(server.requests.filter((request) => !request.includes("/ping "))).toEqual([]);
});

test("a field that only limits an answer is not sent to an older daemon, and the other fields are", async () => {
  const { client, received } = await daemonOf("0.14.0");
  const query = { max_bytes: 1000, fields: "-body", owner: "ann", parent_uid: undefined };
  await call(client, listIssues, { params: { project_id: 1 }, query });
  expect(received()).toMatch(/^GET \/api\/v1\/projects\/1\/issues\?owner=ann /);
});
