import type { JsonObject, JsonValue } from "../../base/json.ts";
import { isInvisible } from "../../base/visible.ts";
import { MAX_RETRIES } from "../../contract/limits.ts";
import { Fields, present } from "./fields.ts";
import { checkSize } from "./job.ts";
import { isPortableName } from "./names.ts";
import { readOptions } from "./options.ts";

export type WorkflowStep = {
  readonly key: string;
  readonly kind: "command" | "prompt";
  readonly command?: string;
  readonly prompt?: string;
  /** Contains only keys of earlier steps, so there can be no circle. */
  readonly after?: readonly string[];
  readonly retries?: number;
  readonly options?: JsonObject;
};

/** Steps that jobs share (docs/contract/cron-and-inbox.md#210-workflows). */
export type WorkflowDefinition = {
  readonly version: 1;
  readonly about?: string;
  readonly input?: string;
  readonly steps: readonly WorkflowStep[];
  readonly options?: JsonObject;
};

export function decodeWorkflow(document: JsonObject, path = "definition"): WorkflowDefinition {
  const fields = new Fields(document, path);
  fields.integer("version", 1, 1);
  const about = fields.optionalText("about");
  const input = fields.optionalText("input");
  const steps = readSteps(fields);
  const options = readOptions(fields);
  fields.end();
  const workflow = present({ version: 1 as const, about, input, steps, options });
  checkSize(workflow, path);
  return workflow;
}

function readSteps(fields: Fields): readonly WorkflowStep[] {
  const list = fields.list("steps");
  if (list.length === 0) throw fields.invalidField("steps", "must have at least one step");
  const earlier = new Set<string>();
  return list.map((value, at) => {
    const step = readStep(new Fields(value, `${fields.path}.steps[${at}]`), earlier);
    earlier.add(step.key);
    return step;
  });
}

function readStep(fields: Fields, earlier: ReadonlySet<string>): WorkflowStep {
  const key = fields.text("key");
  if (!isPortableName(key)) throw fields.invalidField("key", "is no portable name");
  if (earlier.has(key)) throw fields.invalidField("key", "is the key of an earlier step");
  const kind = fields.oneOf("kind", ["command", "prompt"]);
  const other = kind === "command" ? "prompt" : "command";
  fields.forbid([other], `is not allowed in a step of kind ${kind}`);
  const text = fields.text(kind);
  if (isInvisible(text)) throw fields.invalidField(kind, "must not be blank");
  const after = readAfter(fields, earlier);
  const retries = fields.optionalInteger("retries", 0, MAX_RETRIES);
  const options = readOptions(fields);
  fields.end();
  return present({ key, kind, [kind]: text, after, retries, options });
}

function readAfter(fields: Fields, earlier: ReadonlySet<string>): readonly string[] | undefined {
  const list: readonly JsonValue[] | undefined = fields.optionalList("after");
  const keys = new Set<string>();
  for (const [at, key] of (list ?? []).entries()) {
    const name = `after[${at}]`;
    if (typeof key !== "string") throw fields.invalidField(name, "must be text");
    if (!earlier.has(key)) throw fields.invalidField(name, "is no key of an earlier step");
    if (keys.has(key)) throw fields.invalidField(name, "is named twice");
    keys.add(key);
  }
  return list === undefined ? undefined : [...keys];
}
