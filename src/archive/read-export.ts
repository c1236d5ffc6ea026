import { invariant } from "../base/invariant.ts";
import { canonicalJson, isPlainObject, type JsonObject, parseJson } from "../base/json.ts";
import { SvcError } from "../contract/errors.ts";
import type { StoredEvent } from "../contract/events.ts";
import { SOURCE_FORMATS } from "../domain/imports/formats.ts";
import { IN_MEMORY, type KeyedMap, type Maps } from "../domain/maps.ts";
import { ARCHIVED, type ArchivedTable, type Rows } from "../domain/tables/tables.ts";
import { invalidLineError, type Line } from "../sources/files/lines.ts";
import { objectReader } from "../sources/files/object-reader.ts";
import type { RestoreRow } from "../store/admin-store.ts";
import { ChainCheck } from "../store/log/chain-check.ts";
import { contentHash } from "../store/log/content-hash.ts";
import { DIGEST, ENDS_WITH } from "./digest.ts";
import { kindOf, readRow } from "./records.ts";
import type { Uids } from "./refs.ts";

/** An export whose `meta` records have been read. `rows` can be iterated only once. */
export interface ReadExport {
  readonly version: number;
  readonly instanceUid: string | undefined;
  readonly rows: AsyncIterable<RestoreRow>;
}

/**
 * Reads the lines of an export. Throws `validation` with the number of the first line that has one of these faults:
 *
 * - It is not JSON.
 * - Its kind is unknown or out of order.
 * - A field is missing or unknown.
 * - An id is unknown or used twice.
 * - An event does not match its hash.
 * - The digest is missing, or its counts are wrong.
 *
 * `maps` holds the ids of the file.
 */
export async function readExport(
  lines: AsyncIterable<Line>,
  schemaVersion: number,
  maps: Maps = IN_MEMORY,
): Promise<ReadExport> {
  const reading = new RecordReader(lines[Symbol.asyncIterator]());
  const meta = new Map<string, string>();
  for (;;) {
    const record = await reading.next();
    if (record?.kind === "meta") {
      readMeta(record, meta, schemaVersion);
      continue;
    }
    const version = meta.get("export_version");
    if (version === undefined)
      throw invalidLineError(record?.line ?? 1, "no export_version before it");
    return {
      version: Number(version),
      instanceUid: meta.get("instance_uid"),
      rows: readRows(record, reading, maps),
    };
  }
}

interface FileRecord {
  readonly line: number;
  readonly kind: string;
  readonly data: JsonObject;
}

/**
 * Reads the records up to the digest. Throws if the first record announces a digest and there is none, or if the counts
 * in the digest do not match the file.
 */
class RecordReader {
  readonly #lines: AsyncIterator<Line>;
  readonly #counts = new Map<string, number>();
  #line = 0;
  #announced = false;

  constructor(lines: AsyncIterator<Line>) {
    this.#lines = lines;
  }

  async next(): Promise<FileRecord | undefined> {
    const next = await this.#lines.next();
    if (next.done === true) {
      if (!this.#announced) return undefined;
      throw invalidLineError(
        this.#line + 1,
        "the end is missing: line 1 announces a digest as the last",
      );
    }
    const { ends, ...record } = parseRecord(next.value, this.#line === 0);
    if (ends) this.#announced = true;
    this.#line = record.line;
    if (record.kind === DIGEST) return await this.#end(record);
    this.#counts.set(record.kind, (this.#counts.get(record.kind) ?? 0) + 1);
    return record;
  }

  async #end({ line, data }: FileRecord): Promise<undefined> {
    const read = objectReader(line, data, DIGEST);
    const records = read.integer("records", 0);
    const counts = read.object("counts");
    read.text("sha256");
    read.noMore();
    let sum = 0;
    for (const kind of new Set([...Object.keys(counts), ...this.#counts.keys()])) {
      const [counted, found] = [counts[kind] ?? 0, this.#counts.get(kind) ?? 0];
      sum += found;
      if (counted === found) continue;
      throw invalidLineError(
        line,
        `${kind}: ${found} before the digest, which counts ${JSON.stringify(counted)}`,
      );
    }
    if (records !== sum)
      throw invalidLineError(line, `${sum} records before the digest, which counts ${records}`);
    const more = await this.#lines.next();
    if (more.done !== true) throw invalidLineError(more.value.number, "stands behind the digest");
    return undefined;
  }
}

function parseRecord(
  { number: line, text }: Line,
  first: boolean,
): FileRecord & { readonly ends: boolean } {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw invalidLineError(line, "not JSON", cause);
  }
  const whole = value as JsonObject;
  if (!isPlainObject(whole)) throw invalidLineError(line, "not a JSON object");
  if (whole["kind"] === undefined && whole["title"] !== undefined) {
    throw invalidLineError(
      line,
      `no record of svc: issues of another tracker need --source-format (${SOURCE_FORMATS.join(", ")})`,
    );
  }
  const read = objectReader(line, whole);
  const record = { line, kind: read.text("kind"), data: read.object("data") };
  const ends = first && read.optionalText(ENDS_WITH) !== undefined;
  if (ends) read.oneOf(ENDS_WITH, [DIGEST]);
  read.noMore();
  return { ...record, ends };
}

function readMeta(
  { line, data }: FileRecord,
  meta: Map<string, string>,
  schemaVersion: number,
): void {
  const read = objectReader(line, data, "meta");
  const key = read.text("key");
  const value = read.text("value");
  read.noMore();
  if (meta.has(key)) throw invalidLineError(line, `meta ${key} stands twice`);
  if (key !== "export_version" && meta.size === 0)
    throw invalidLineError(line, "the first record is not export_version");
  if (key === "export_version") checkVersion(line, value, schemaVersion);
  else if (key !== "instance_uid") throw invalidLineError(line, `meta ${key} is not known`);
  meta.set(key, key === "instance_uid" ? read.uid("value") : value);
}

/** Refuses a newer schema, because its records may have fields that this svc would lose. */
function checkVersion(line: number, value: string, schemaVersion: number): void {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw invalidLineError(line, "export_version is not a number");
  if (Number(value) <= schemaVersion) return;
  throw new SvcError(
    "validation",
    { line, export_version: Number(value), schema_version: schemaVersion },
    {
      message: `the file is of storage schema ${value} and this svc knows ${schemaVersion}; nothing was written`,
      hint: "import it with the svc that made it, or a newer one",
    },
  );
}

async function* readRows(
  first: FileRecord | undefined,
  rest: RecordReader,
  maps: Maps,
): AsyncGenerator<RestoreRow> {
  const [projects, issues, recurrences] = [
    maps.map<string>(),
    maps.map<string>(),
    maps.map<string>(),
  ];
  const chain = new FileChain();
  let ids = new IdsOf("", maps);
  let place = 0;
  for (let record = first; record !== undefined; record = await rest.next()) {
    const at = placeOf(record);
    if (at < place)
      throw invalidLineError(
        record.line,
        `kind ${record.kind} comes too late: ${kindAt(place)} came before it`,
      );
    place = at;
    const table = ARCHIVED[at];
    invariant(table !== undefined, "a place in the order is a table");
    const row = readLine(record, table, uids(record.line, { projects, issues, recurrences }));
    if (ids.table !== row.table) ids = new IdsOf(row.table, maps);
    if ("id" in row.row) ids.see(record.line, row.row.id);
    if (row.table === "project") projects.set(String(row.row.id), row.row.uid);
    if (row.table === "recurrence") recurrences.set(String(row.row.id), row.row.uid);
    if (row.table === "issue") issues.set(String(row.row.id), row.row.uid);
    if (row.table === "log_gap") chain.gap(record.line, row.row);
    if (row.table === "event") {
      checkHash(record.line, row.row);
      chain.event(record.line, row.row);
    }
    yield row;
  }
}

/**
 * Checks the local ids of one table. No id may be used twice. The ids of events must ascend, because a file lists the
 * events in the order of their arrival.
 */
class IdsOf {
  readonly table: string;
  readonly #seen: KeyedMap<1>;
  #last = 0;

  constructor(table: string, maps: Maps) {
    this.table = table;
    this.#seen = maps.map();
  }

  see(line: number, id: number): void {
    if (id > this.#last) this.#last = id;
    else if (this.table === "event")
      throw invalidLineError(line, `event ${id} comes after event ${this.#last}`);
    else if (this.#seen.has(String(id))) throw invalidLineError(line, `the id ${id} stands twice`);
    // Ascending ids cannot repeat, so the ids of events need not be stored.
    if (this.table !== "event") this.#seen.set(String(id), 1);
  }
}

function placeOf({ line, kind }: FileRecord): number {
  const place = ARCHIVED.findIndex((table) => kindOf(table) === kind);
  if (place !== -1) return place;
  throw invalidLineError(
    line,
    kind === "meta" ? "kind meta comes too late" : `kind ${JSON.stringify(kind)} is not known`,
  );
}

function kindAt(place: number): string {
  const table = ARCHIVED[place];
  return table === undefined ? "nothing" : kindOf(table);
}

function readLine(record: FileRecord, table: ArchivedTable, known: Uids): RestoreRow {
  const read = objectReader(record.line, record.data, record.kind);
  const row = readRow(table, read, known);
  read.noMore();
  return row;
}

type KnownIds = Pick<KeyedMap<string>, "get">;

function uids(
  line: number,
  known: {
    readonly projects: KnownIds;
    readonly issues: KnownIds;
    readonly recurrences: KnownIds;
  },
): Uids {
  const uidOf = (what: string, ids: KnownIds) => (id: number) => {
    const uid = ids.get(String(id));
    if (uid === undefined) throw invalidLineError(line, `no earlier line has the ${what} ${id}`);
    return uid;
  };
  return {
    project: uidOf("project", known.projects),
    issue: uidOf("issue", known.issues),
    recurrence: uidOf("recurrence", known.recurrences),
  };
}

/**
 * Refuses an event whose content does not match its hash, because events are immutable
 * (docs/contract/command-line.md#63-restoring).
 */
function checkHash(line: number, event: StoredEvent): void {
  const payload = canonicalJson(event.payload as JsonObject);
  if (contentHash(event, payload) !== event.content_hash) {
    throw invalidLineError(line, `event ${event.uid} does not match its content hash`);
  }
}

/**
 * Checks the chain of the log in a file. Two kinds of exports have no chain: those that leave events out, and those by
 * a version of svc before storage schema 45. In these, no event may have a chain value.
 */
class FileChain {
  readonly #check = new ChainCheck();
  #isChained: boolean | undefined;

  gap(line: number, gap: Rows["log_gap"]): void {
    if (!this.#check.add(gap))
      throw invalidLineError(line, `the gap behind event ${gap.before_id} stands twice`);
  }

  event(line: number, event: StoredEvent): void {
    const isChained = event.chain !== "";
    this.#isChained ??= isChained;
    if (isChained !== this.#isChained)
      throw invalidLineError(line, `only some events have a chain, and event ${event.uid} differs`);
    const fault = isChained ? this.#check.next(event) : undefined;
    if (fault !== undefined) throw invalidLineError(line, fault);
  }
}
