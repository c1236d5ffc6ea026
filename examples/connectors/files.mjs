// A connector for svc: a folder of Markdown files, each of which can be the root of an issue.
// docs/connectors.md describes the protocol, and README.md beside this file the form of a file.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  commentsOf,
  completed,
  findByKey,
  findByName,
  published,
  rootOf,
  settingsFault,
  valuesOf,
  withIds,
  written,
} from "./markdown-files.mjs";

const PROTOCOL = "svc.connector.v1";
const SELF = "svc";

/** What each method is asked with. A request with other parameters is no request of this protocol. */
const METHODS = {
  describe: { params: [], run: describe },
  resolve_root: {
    params: ["locator"],
    run: ({ locator }, folder) => rootOf(withIds(findByName(folder, locator)), folder),
  },
  read_root: { params: ["root_key"], run: ({ root_key }, folder) => root(root_key, folder) },
  list_comments: {
    params: ["root_key"],
    run: ({ root_key }, folder) => ({
      comments: commentsOf(withIds(findByKey(folder, root_key))),
    }),
  },
  complete_root: {
    params: ["root_key"],
    run: ({ root_key }, folder) => {
      completed(findByKey(folder, root_key));
      return root(root_key, folder);
    },
  },
  publish_comment: {
    params: ["root_key", "body", "operation_id"],
    run: ({ root_key, ...comment }, folder) =>
      published(findByKey(folder, root_key), { ...comment, author: SELF }),
  },
  list_fields: { params: [], run: () => ({ fields: FIELDS }) },
  read_fields: {
    params: ["root_key", "field_ids"],
    run: ({ root_key, field_ids }, folder) => ({
      fields: valuesOf(findByKey(folder, root_key), field_ids),
    }),
  },
  write_fields: {
    params: ["root_key", "fields", "expected"],
    run: ({ root_key, ...change }, folder) => ({
      fields: written(findByKey(folder, root_key), change),
    }),
  },
};

const DATES = {
  accepted_kinds: ["null", "date", "local_datetime", "instant"],
  ...{ nullable: true, writable: true, schema_revision: "1" },
};
const FIELDS = [
  { id: "due", display_name: "Due", ...DATES },
  { id: "scheduled", display_name: "Scheduled", ...DATES },
  {
    ...{ id: "changed", display_name: "Last change", accepted_kinds: ["instant"] },
    ...{ nullable: false, writable: false, schema_revision: "1" },
  },
];

function describe(_params, folder) {
  return {
    ...{ connector_id: "svc.example.files", display_name: "Markdown files", protocol: PROTOCOL },
    capabilities: ["publish_comment", "fields", "conditional_fields"],
    // Another folder is another account. The digest tells svc so, but not where the folder is.
    account_identity: createHash("sha256").update(folder).digest("hex").slice(0, 16),
    self_actor_id: SELF,
    config_schema: { type: "object", required: ["folder"] },
  };
}

function root(key, folder) {
  return rootOf(findByKey(folder, key), folder);
}

/** Whether the members of an object are exactly these. */
function has(value, names) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length === names.length && names.every((name) => keys.includes(name));
}

function requestOf(text) {
  const request = JSON.parse(text);
  const members = ["protocol", "id", "method", "instance", "settings", "params"];
  if (!has(request, members) || request.protocol !== PROTOCOL) throw new Error("another protocol");
  if (!/^[0-9a-f]{32}$/.test(request.id)) throw new Error("another form of id");
  const method = Object.hasOwn(METHODS, request.method) ? METHODS[request.method] : undefined;
  if (method === undefined || !has(request.params, method.params))
    throw new Error("no such method");
  const { settings } = request;
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    throw new Error("no settings");
  return { ...request, run: method.run };
}

function answer({ run, params, settings }) {
  try {
    const fault = settingsFault(settings);
    if (fault !== undefined) return { error: fault };
    return { result: run(params, settings.folder) };
  } catch (fault) {
    if (typeof fault.code === "string" && fault.isAnswer === true)
      return { error: { code: fault.code, message: fault.message } };
    // The message of any other error may name a path.
    return { error: { code: "unavailable", message: "the file cannot be read or written" } };
  }
}

let request;
try {
  request = requestOf(readFileSync(0, "utf8"));
} catch {
  process.exit(2);
}
const { protocol, id } = request;
process.stdout.write(`${JSON.stringify({ protocol, id, ...answer(request) })}\n`);
