import { type Clock, msToInstant } from "../../../src/base/clock.ts";
import { sameValue } from "../../../src/domain/bridges/field-values.ts";
import type {
  Described,
  Descriptor,
  ExternalComment,
  FieldValue,
  Root,
} from "../../../src/domain/bridges/values.ts";
import type { ExternalRoots } from "../../../src/ops/bridges/external-roots.ts";
import {
  type ConnectorClient,
  ConnectorFault,
  type FieldWrite,
  type Publication,
} from "../../../src/ops/bridges/far-side.ts";

export interface Record {
  title: string;
  body: string;
  state: Root["state"];
  revision: number;
  updatedMs: number;
  comments: ExternalComment[];
  readonly operations: Map<string, string>;
  readonly fields: Map<string, FieldValue>;
}

export const DUE: Descriptor = {
  ...{ id: "due", display_name: "Due", nullable: true, writable: true, schema_revision: "1" },
  accepted_kinds: ["null", "date", "local_datetime", "instant"],
};
const START: Descriptor = { ...DUE, id: "start", display_name: "Start" };

export const NONE: FieldValue = { kind: "null" };
export const day = (value: string): FieldValue => ({ kind: "date", value });

/**
 * A tracker in memory, with the rules that docs/connectors.md sets for connectors: revisions change with the words,
 * an operation id adds one comment, and a write with a stale value changes nothing.
 */
export class Provider implements ExternalRoots {
  readonly records = new Map<string, Record>();
  account = "account-4711";
  capabilities: Described["capabilities"] = ["publish_comment", "fields", "conditional_fields"];
  fields: Descriptor[] = [DUE, START];
  /** The calls of the connector, by their methods. */
  calls: string[] = [];
  /** While it is set, each call fails. */
  isOffline = false;
  /** The record that is gone for a while. */
  hidden: Record | undefined;
  /** Called before each call does something. */
  before: ((method: string) => Promise<void>) | undefined;
  readonly #clock: Clock;
  readonly #faults: { method: string; fault: Error; after: boolean }[] = [];
  readonly #meanwhile = new Map<string, () => Promise<void> | void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(key: string, words: Partial<Pick<Record, "title" | "body" | "state">> = {}): Record {
    const record: Record = {
      ...{ title: "Ship it", body: "All of it.", state: "open", ...words },
      ...{ revision: 1, updatedMs: this.#clock.nowMs(), comments: [] },
      ...{ operations: new Map(), fields: new Map() },
    };
    this.records.set(key, record);
    return record;
  }

  /** Changes the words or the state of a record, as a person does there. */
  edit(key: string, words: Partial<Pick<Record, "title" | "body" | "state">>): void {
    const record = this.record(key);
    Object.assign(record, words);
    record.revision += 1;
    record.updatedMs = this.#clock.nowMs();
  }

  /** Lets the record be gone until it is shown again. */
  hide(key: string): void {
    this.hidden ??= this.record(key);
    this.records.delete(key);
  }

  show(key: string): void {
    if (this.hidden !== undefined) this.records.set(key, this.hidden);
    this.hidden = undefined;
  }

  comment(key: string, id: string, body: string, author = "bea"): void {
    const now = this.#clock.now();
    const comment = { id, revision: "1", body, author: { id: author }, deleted: false };
    this.record(key).comments.push({ ...comment, created_at: now, updated_at: now });
  }

  editComment(key: string, id: string, change: Partial<ExternalComment>): void {
    const record = this.record(key);
    record.comments = record.comments.map((one) =>
      one.id === id
        ? { ...one, revision: `${one.revision}+`, updated_at: this.#clock.now(), ...change }
        : one,
    );
  }

  /** The next call of the method fails: before it does anything, or after it did all of it. */
  failNext(method: string, fault: Error, after = false): void {
    this.#faults.push({ method, fault, after });
  }

  /** Forgets the faults that have not happened yet. */
  forgetFaults(): void {
    this.#faults.splice(0);
  }

  /** Carries out the work while the next call of the method is under way. */
  during(method: string, work: () => Promise<void> | void): void {
    this.#meanwhile.set(method, work);
  }

  record(key: string): Record {
    const record = this.records.get(key);
    if (record === undefined) throw new ConnectorFault("request", { code: "not_found" });
    return record;
  }

  instances(): readonly string[] {
    return ["files"];
  }

  async health(): ReturnType<ExternalRoots["health"]> {
    return [{ instance_id: "files", described: this.#described() }];
  }

  client(instance: string): ConnectorClient | undefined {
    if (instance !== "files") return undefined;
    const call = async <T>(method: string, answer: () => T): Promise<T> =>
      await this.#call(method, answer);
    return {
      describe: async () => await call("describe", () => this.#described()),
      resolveRoot: async (locator) => await call("resolve_root", () => this.#root(locator)),
      readRoot: async (key) => await call("read_root", () => this.#root(key)),
      listComments: async (key) =>
        await call("list_comments", () => [...this.record(key).comments]),
      completeRoot: async (key) =>
        await call("complete_root", () => {
          if (this.record(key).state !== "complete") this.edit(key, { state: "complete" });
          return this.#root(key);
        }),
      publishComment: async (ask) => await call("publish_comment", () => this.#publish(ask)),
      listFields: async () => await call("list_fields", () => this.fields),
      readFields: async (key, ids) =>
        await call(
          "read_fields",
          () => new Map(ids.map((id) => [id, this.record(key).fields.get(id) ?? NONE])),
        ),
      writeFields: async (ask) => await call("write_fields", () => this.#write(ask)),
    };
  }

  async #call<T>(method: string, answer: () => T): Promise<T> {
    this.calls.push(method);
    if (this.isOffline) throw new ConnectorFault("request", { code: "offline" });
    await this.before?.(method);
    const meanwhile = this.#meanwhile.get(method);
    this.#meanwhile.delete(method);
    const at = this.#faults.findIndex((one) => one.method === method);
    const [fault] = at === -1 ? [] : this.#faults.splice(at, 1);
    if (fault?.after === false) throw fault.fault;
    const result = answer();
    await meanwhile?.();
    if (fault !== undefined) throw fault.fault;
    return result;
  }

  #described(): Described {
    return {
      ...{ connector_id: "memory", display_name: "Memory", protocol: "svc.connector.v1" },
      ...{ capabilities: this.capabilities, account_identity: this.account, self_actor_id: "svc" },
    };
  }

  #root(key: string): Root {
    const { title, body, state, revision, updatedMs } = this.record(key);
    return {
      ...{ key, identity_key: this.account, title, body, state, revision: String(revision) },
      ...{ updated_at: msToInstant(updatedMs), observed_at: this.#clock.now() },
    };
  }

  #publish({ root_key, body, operation_id }: Publication): ExternalComment {
    const { comments, operations } = this.record(root_key);
    const id = operations.get(operation_id) ?? `p${operations.size + 1}`;
    if (!operations.has(operation_id)) this.comment(root_key, id, body, "svc");
    operations.set(operation_id, id);
    const found = comments.find((comment) => comment.id === id);
    if (found?.body !== body) throw new ConnectorFault("protocol");
    return found;
  }

  #write({ root_key, values, expected }: FieldWrite): ReadonlyMap<string, FieldValue> {
    const { fields } = this.record(root_key);
    for (const [id, value] of expected)
      if (!sameValue(fields.get(id) ?? NONE, value))
        throw new ConnectorFault("request", { code: "field_conflict" });
    for (const [id, value] of values) fields.set(id, value);
    return values;
  }
}
