import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../base/json.ts";
import { REDACTED } from "../../domain/bridges/redaction.ts";
import type { Capability } from "../../domain/bridges/values.ts";
import { type ConnectorClient, ConnectorFault } from "../../ops/bridges/far-side.ts";
import { PROTOCOL } from "../exchange.ts";
import {
  type Behaviour,
  type Bench,
  Broken,
  requireRule,
  Skipped,
  same,
  unobserved,
} from "./bench.ts";

/** The behaviours of a connector that is asked for what it cannot do. */
export const refusalBehaviours: readonly Behaviour[] = [
  {
    ...{ number: 9, name: "a method that is not advertised is an error and changes nothing" },
    run: async (bench) => {
      const { capabilities } = await bench.described();
      const unadvertised = METHODS.filter(({ needs }) => !capabilities.includes(needs));
      if (unadvertised.length === 0) throw new Skipped("it advertises every method");
      const root = await bench.root();
      const before = await bench.client.listComments(root.key);
      for (const { call } of unadvertised)
        await errorOf(async () => await call(bench.client, root.key), "method.unknown");
      const why = "the root or its comments have changed";
      const [after, comments] = [
        await bench.client.readRoot(root.key),
        await bench.client.listComments(root.key),
      ];
      requireRule(same(unobserved(after), unobserved(root)), "method.unknown", why);
      requireRule(same(comments, before), "method.unknown", why);
      return undefined;
    },
  },
  {
    ...{
      number: 11,
      name: "a root that is not there is an error whose message says nothing private",
    },
    run: async (bench) => {
      const missing = `svc-connector-test-missing-${randomBytes(8).toString("hex")}`;
      const { client } = bench;
      const calls = [
        async () => await client.resolveRoot(missing),
        async () => await client.readRoot(missing),
        async () => await client.listComments(missing),
      ];
      for (const call of calls) {
        const { code, detail = "" } = await errorOf(call, "missing.error");
        const isKnown = MISSING_CODES.includes(code ?? "");
        requireRule(isKnown, "missing.error", `the code is ${code}`);
        const isPrivate = PRIVATE.some((pattern) => pattern.test(detail));
        requireRule(
          !isPrivate && !detail.includes(REDACTED),
          "missing.text",
          "the message says more",
        );
      }
      return undefined;
    },
  },
  {
    ...{ number: 12, name: "what is no request of the protocol gets no answer" },
    run: async (bench) => {
      for (const text of brokenRequests(bench)) {
        const ran = await bench.send(text);
        const isRefused = "fault" in ran && ran.rule === "process.exit";
        requireRule(isRefused, "request.refused", "it did not end with another exit code than 0");
        const printed = "fault" in ran ? (ran.printed?.length ?? 0) : 0;
        requireRule(printed === 0, "request.refused", "it printed something");
      }
      return undefined;
    },
  },
];

interface Unadvertised {
  readonly needs: Capability;
  call(client: ConnectorClient, key: string): Promise<unknown>;
}

const NOTHING = new Map([["svc-connector-test", { kind: "null" as const }]]);
const METHODS: readonly Unadvertised[] = [
  {
    needs: "publish_comment",
    call: async (client, root_key) =>
      await client.publishComment({
        ...{ root_key, body: "a comment of svc connector test", self_actor_id: "svc" },
        operation_id: randomBytes(32).toString("hex"),
      }),
  },
  { needs: "fields", call: async (client) => await client.listFields() },
  {
    needs: "fields",
    call: async (client, key) => await client.readFields(key, [...NOTHING.keys()]),
  },
  {
    needs: "conditional_fields",
    call: async (client, root_key) =>
      await client.writeFields({ root_key, values: NOTHING, expected: NOTHING }),
  },
];

/** By these codes svc knows that a root is gone. With any other it asks again and again. */
const MISSING_CODES = ["not_found", "root_not_found", "deleted", "gone"];

/** A path, a place in a program, and the first line of a stack in Python. */
const PRIVATE = [
  /(?:^|[\s"'(=])~?\/[^\s/]+\//,
  /[A-Za-z]:\\/,
  /\S:\d+(?::\d+)?\b/,
  /Traceback|File "/,
];

/** The error that a call must be answered with. */
async function errorOf(
  call: () => Promise<unknown>,
  rule: "method.unknown" | "missing.error",
): Promise<ConnectorFault> {
  try {
    await call();
  } catch (fault) {
    if (fault instanceof ConnectorFault && fault.kind === "request") return fault;
    if (!(fault instanceof ConnectorFault)) throw fault;
    throw new Broken(rule, `it gave no error: ${fault.detail ?? fault.rule ?? fault.kind}`);
  }
  throw new Broken(rule, "it answered with a result");
}

function brokenRequests({ instance, program }: Bench): readonly string[] {
  const id = randomBytes(16).toString("hex");
  const { settings } = program;
  const whole = { protocol: PROTOCOL, id, method: "describe", instance, settings, params: {} };
  const without = (name: keyof typeof whole): JsonObject =>
    Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name)) as JsonObject;
  const read = { ...whole, method: "read_root" };
  const requests: readonly JsonObject[] = [
    { ...whole, protocol: "svc.connector.v0" },
    { ...whole, method: "svc_connector_test" },
    { ...whole, params: { more: 1 } },
    { ...read, params: {} },
    { ...read, params: { root_key: "a", more: 1 } },
    { ...whole, settings: [] },
    { ...whole, id: "1" },
    without("params"),
    without("protocol"),
  ];
  const texts = requests.map((request) => JSON.stringify(request));
  return [...texts, "", "no JSON", texts[0]?.slice(0, -10) ?? ""];
}
