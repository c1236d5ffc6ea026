import { randomBytes } from "node:crypto";
import { stopwatch } from "../../base/clock.ts";
import type { Described, Descriptor, FieldKind, FieldValue } from "../../domain/bridges/values.ts";
import { ConnectorFault, type Publication } from "../../ops/bridges/far-side.ts";
import { type Behaviour, type Bench, requireRule, Skipped, same, unobserved } from "./bench.ts";

/** The behaviours of a connector that changes something at the provider. */
export const writeBehaviours: readonly Behaviour[] = [
  {
    ...{ number: 7, name: "a comment that is published again after a crash exists once" },
    run: async (bench) => {
      const self_actor_id = publisherOf(await bench.described());
      const { key: root_key } = await bench.root();
      const ask = (): Publication => ({
        ...{ root_key, self_actor_id, operation_id: randomBytes(32).toString("hex") },
        body: `A comment of svc connector test\n\n- ${randomBytes(6).toString("hex")} ü 😀`,
      });
      const whole = ask();
      const elapsed = stopwatch();
      // The answer counts as lost.
      await bench.client.publishComment(whole);
      const ms = elapsed();
      await requireOnce(bench, whole);
      for (const part of PARTS_OF_A_CALL) {
        const cut = ask();
        await publishAndKill(bench, cut, ms * part);
        await requireOnce(bench, cut);
      }
      return undefined;
    },
  },
  {
    ...{
      number: 8,
      name: "fields keep what is written, and refuse a write of somebody who read less",
    },
    run: async (bench) => {
      const { capabilities } = await bench.described();
      if (!capabilities.includes("fields")) throw new Skipped("it advertises no fields");
      const { key } = await bench.root();
      const fields = await bench.client.listFields();
      const ids = fields.map(({ id }) => id);
      const before = await bench.client.readFields(key, ids);
      if (!capabilities.includes("conditional_fields"))
        return "it advertises no conditional_fields, so svc uses no field of it";
      for (const field of fields.filter(({ writable }) => writable)) {
        const old = before.get(field.id) ?? { kind: "null" };
        await requireRoundTrips(bench, { key, field, old });
      }
      return undefined;
    },
  },
  {
    ...{ number: 10, name: "a change changes what was asked for and nothing else" },
    run: async (bench) => {
      const fixture = bench.requireFixture();
      const described = await bench.described();
      const { key } = await bench.root();
      const before = await fixture.state(key);
      const isPublisher = described.capabilities.includes("publish_comment");
      if (isPublisher)
        await bench.client.publishComment({
          ...{ root_key: key, self_actor_id: publisherOf(described), body: "One more comment" },
          operation_id: randomBytes(32).toString("hex"),
        });
      await bench.client.completeRoot(key);
      const { raw = "", ...after } = await fixture.state(key);
      const { title, body } = before.root;
      const root = { title, body, state: "complete" };
      requireRule(same(after.root, root), "params.exact", `root: ${JSON.stringify(after.root)}`);
      const wanted = [...before.comments.map(({ body: text }) => text), "One more comment"];
      const texts = wanted.slice(0, isPublisher ? undefined : -1).toSorted();
      const found = after.comments.map(({ body: text }) => text).toSorted();
      requireRule(same(found, texts), "params.exact", `comments: ${JSON.stringify(found)}`);
      const others = `fields: ${JSON.stringify(after.fields)}`;
      requireRule(same(after.fields, before.fields), "params.exact", others);
      const isNamed = raw.includes(bench.instance);
      requireRule(!isNamed, "params.exact", "the provider has the name of the instance");
      return undefined;
    },
  },
  {
    ...{ number: 6, name: "completing a root a second time changes nothing" },
    run: async (bench) => {
      const open = await bench.root();
      await bench.deps.clock.sleep(10);
      const done = await bench.client.completeRoot(open.key);
      const isNew = open.state === "complete" || done.revision !== open.revision;
      requireRule(isNew, "complete.revision", "the revision is still that of the open root");
      const read = await bench.client.readRoot(open.key);
      const other = "read_root says another thing";
      requireRule(same(unobserved(read), unobserved(done)), "complete.state", other);
      const again = await bench.client.completeRoot(open.key);
      const changed = "the second call changed the root";
      requireRule(same(unobserved(again), unobserved(done)), "complete.idempotent", changed);
      if (bench.fixture !== undefined) {
        const { root } = await bench.fixture.state(open.key);
        requireRule(
          root.state === "complete",
          "root.state_there",
          `the provider has ${root.state}`,
        );
      }
      return open.state === "complete" ? "the root was complete before the test" : undefined;
    },
  },
];

function publisherOf({ capabilities, self_actor_id }: Described): string {
  if (capabilities.includes("publish_comment") && self_actor_id !== undefined) return self_actor_id;
  throw new Skipped("it advertises no publish_comment");
}

/** When the program is killed, in parts of the time that a whole call takes. */
const PARTS_OF_A_CALL = [0.01, 0.3, 0.6, 0.8, 0.9, 1];

async function publishAndKill(bench: Bench, ask: Publication, ms: number): Promise<void> {
  const killed = new AbortController();
  const { signal } = killed;
  const call = bench.clientFor(signal).publishComment(ask);
  await Promise.race([call.catch(() => undefined), bench.deps.clock.sleep(ms)]);
  killed.abort();
  await call.catch((fault: unknown) => {
    if (!signal.aborted) throw fault;
  });
}

/** Publishes with the same operation once more, and counts the comments. */
async function requireOnce(bench: Bench, ask: Publication): Promise<void> {
  const published = await bench.client.publishComment(ask);
  const listed = await bench.client.listComments(ask.root_key);
  const found = listed.filter(({ body }) => body === ask.body);
  const why = `the comment is listed ${found.length} times`;
  requireRule(found.length === 1, "publish.once", why);
  const other = "the listed comment is another one than the published";
  requireRule(same(found[0], published), "publish.once", other);
}

interface Field {
  readonly key: string;
  readonly field: Descriptor;
  readonly old: FieldValue;
}

const SAMPLES: Readonly<Record<FieldKind, FieldValue>> = {
  null: { kind: "null" },
  date: { kind: "date", value: "2028-02-29" },
  local_datetime: {
    ...{ kind: "local_datetime", value: "2027-10-31T02:30:15", timezone: "Europe/Berlin" },
  },
  instant: { kind: "instant", value: "2027-06-30T23:59:59.000Z" },
};

/** Writes a value of each kind, each time also with a value that is no longer current, and then the old one. */
async function requireRoundTrips(bench: Bench, { key, field, old }: Field): Promise<void> {
  const kinds = field.accepted_kinds.filter((kind) => kind !== "null" || field.nullable);
  const values = [...kinds.map((kind) => SAMPLES[kind]), old];
  let current = old;
  for (const value of values) {
    const change = { root_key: key, values: new Map([[field.id, value]]) };
    await bench.client.writeFields({ ...change, expected: new Map([[field.id, current]]) });
    await requireValue(bench, { key, field, old: value }, "fields.round_trip");
    if (!same(current, value))
      await requireConflict(bench, { key, field, old: value }, { ...change, stale: current });
    current = value;
  }
}

async function requireConflict(
  bench: Bench,
  at: Field,
  {
    root_key,
    values,
    stale,
  }: { root_key: string; values: ReadonlyMap<string, FieldValue>; stale: FieldValue },
): Promise<void> {
  const expected = new Map([[at.field.id, stale]]);
  const code = await bench.client
    .writeFields({
      root_key,
      values: new Map([...values.keys()].map((id) => [id, stale])),
      expected,
    })
    .then(
      () => "no error",
      (fault: unknown) => {
        if (fault instanceof ConnectorFault && fault.kind === "request") return fault.code;
        throw fault;
      },
    );
  requireRule(
    code === "field_conflict",
    "fields.conflict",
    `a stale write was answered with ${code}`,
  );
  await requireValue(bench, at, "fields.conflict");
}

async function requireValue(
  bench: Bench,
  { key, field: { id }, old }: Field,
  rule: "fields.round_trip" | "fields.conflict",
): Promise<void> {
  const read = (await bench.client.readFields(key, [id])).get(id);
  requireRule(
    same(read, old),
    rule,
    `the value is ${JSON.stringify(read)}, not ${JSON.stringify(old)}`,
  );
}
