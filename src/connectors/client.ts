import { randomBytes } from "node:crypto";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { accountRedactor, isLongEnough, redactor } from "../domain/bridges/redaction.ts";
import type { Described, Descriptor, FieldValue } from "../domain/bridges/values.ts";
import { type ConnectorClient, ConnectorFault } from "../ops/bridges/far-side.ts";
import { type Ask, answerOf, type Method, PROTOCOL, redactedError, requestOf } from "./exchange.ts";
import { type ProcessDeps, type Program, type Ran, runProgram } from "./process.ts";
import * as results from "./results.ts";
import type { RuleId } from "./rules.ts";
import type { Slots } from "./slots.ts";

export interface ClientDeps extends ProcessDeps {
  readonly slots: Pick<Slots, "run">;
  /** Hears of each call, after it has ended. */
  readonly heard?: (exchange: Exchange) => void;
}

export interface Exchange {
  readonly sent: Ask;
  readonly ran: Ran;
}

/** Returns the methods of the connector that an instance of the configuration names. */
export function clientOf(
  { instance, program }: { readonly instance: string; readonly program: Program },
  deps: ClientDeps,
): ConnectorClient {
  const call = async <T>(
    method: Method,
    params: JsonObject,
    read: (result: JsonObject, redact: Redact) => T,
  ): Promise<T> => {
    const { settings } = program;
    const id = randomBytes(16).toString("hex");
    const sent: Ask = { protocol: PROTOCOL, id, method, instance, settings, params };
    const ran = await deps.slots.run(
      async () => await runProgram(program, Buffer.from(requestOf(sent)), deps),
    );
    deps.heard?.({ sent, ran });
    const redact: Redact = (text) => redactorOf(program, deps)(text);
    if ("stdout" in ran) return readAnswer(ran.stdout, sent, { read, redact });
    if (ran.fault === "cancelled") throw deps.signal.reason;
    throw new ConnectorFault(ran.fault, { rule: ran.rule, detail: ran.why });
  };
  return {
    describe: async () => await call("describe", {}, shownOf),
    resolveRoot: async (locator) => await call("resolve_root", { locator }, results.rootOf),
    readRoot: async (root_key) => await call("read_root", { root_key }, results.rootOf),
    listComments: async (root_key) => await call("list_comments", { root_key }, results.commentsOf),
    completeRoot: async (root_key) =>
      await call("complete_root", { root_key }, (result) =>
        results.completedRootOf(result, root_key),
      ),
    publishComment: async ({ root_key, body, operation_id, self_actor_id }) =>
      await call("publish_comment", { root_key, body, operation_id }, (result) =>
        results.publishedCommentOf(result, { body, self_actor_id }),
      ),
    listFields: async () =>
      await call("list_fields", {}, (result, redact) => {
        const hide = redactor(valuesOf(program, deps).filter(isLongEnough));
        return results.descriptorsOf(result).map((field) => shownField(field, redact, hide));
      }),
    readFields: async (root_key, field_ids) =>
      await call("read_fields", { root_key, field_ids }, (result) =>
        results.readValuesOf(result, field_ids),
      ),
    writeFields: async ({ root_key, values, expected }) =>
      await call(
        "write_fields",
        { root_key, fields: jsonOf(values), expected: jsonOf(expected) },
        (result) => results.writtenValuesOf(result, values),
      ),
  };
}

function readAnswer<T>(
  stdout: Uint8Array,
  sent: Ask,
  { read, redact }: { read: (result: JsonObject, redact: Redact) => T; redact: Redact },
): T {
  const answered = answerOf(stdout, sent);
  if ("error" in answered) {
    const { code, message } = redactedError(answered.error, redact);
    throw new ConnectorFault("request", { code, detail: message });
  }
  if ("broken" in answered) throw brokenRule(answered.broken);
  try {
    return read(answered.result, redact);
  } catch (error) {
    throw error instanceof results.BrokenRule ? brokenRule(error.rule) : error;
  }
}

type Redact = (text: string) => string;

/** What the connector says of itself, without secrets in its names, which are shown. The account is hidden too. */
function shownOf(result: JsonObject, redact: Redact): Described {
  const described = results.describedOf(result);
  const { connector_id, display_name, account_identity } = described;
  return {
    ...described,
    connector_id: redact(connector_id),
    display_name: accountRedactor(account_identity)(redact(display_name)),
  };
}

/**
 * A field without secrets in its name, which is shown and stored. Its id and revision are sent and compared as they
 * are, so they must have no value of a variable.
 */
function shownField(field: Descriptor, redact: Redact, hide: Redact): Descriptor {
  if ([field.id, field.schema_revision].some((text) => hide(text) !== text))
    throw new results.BrokenRule("fields.secret");
  return { ...field, display_name: redact(field.display_name) };
}

function brokenRule(rule: RuleId): ConnectorFault {
  return new ConnectorFault("protocol", { rule });
}

function jsonOf(values: ReadonlyMap<string, FieldValue>): JsonObject {
  return Object.fromEntries([...values].map(([id, value]) => [id, { ...value }]));
}

/** Removes the values of the mapped variables and the texts of the settings from a text. */
export function redactorOf(
  program: Pick<Program, "env" | "settings">,
  deps: Pick<ProcessDeps, "environment">,
): Redact {
  const texts = textsIn(program.settings).filter(isLongEnough);
  return redactor([...valuesOf(program, deps), ...texts]);
}

/** The values of the variables that the program gets. */
function valuesOf(
  { env }: Pick<Program, "env">,
  { environment }: Pick<ProcessDeps, "environment">,
): readonly string[] {
  return Object.values(env).flatMap((source) => environment[source] ?? []);
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
