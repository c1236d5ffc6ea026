import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { sentenceView } from "./sentence.ts";

const NEXT_STEP = {
  none: "svc storage postgres migrate, or start a daemon on it",
  unreleased: "upgrade it once with the last build that could: docs/export.md says how",
  older: "svc storage postgres migrate, while no daemon runs on it",
  current: "nothing",
  altered:
    "undo what was altered, or import an export into an empty schema: a daemon in validate mode does not start",
  newer: "use the newer svc that wrote it",
  foreign: "name another schema: the tables in this one are not of svc",
} as const;

export interface PostgresStatus {
  readonly database: string;
  readonly schema: string;
  readonly server_version: string;
  readonly tables: "none" | "unreleased" | "older" | "current" | "newer" | "foreign" | "altered";
  readonly schema_version: number | null;
  readonly required_version: number;
  readonly instance_uid: string | null;
  readonly in_use: boolean;
  /** The schemas with copies of the tables, each made before an upgrade. */
  readonly copies: readonly {
    readonly schema: string;
    readonly schema_version: number;
    readonly bytes: number;
  }[];
}

export const postgresStatusView: View<PostgresStatus> = {
  human: (body, { quiet }) => {
    const step = NEXT_STEP[body.tables];
    if (quiet) return body.tables === "current" ? "" : step;
    const rows = [
      ["server", `PostgreSQL ${oneLine(body.server_version)}`],
      ["tables", tablesText(body)],
      ["instance", body.instance_uid ?? "none yet"],
      ["in use", body.in_use ? "yes" : "no"],
      ...body.copies.map((copy) => ["kept", copyText(copy)] as const),
      ["to do", step],
    ] as const;
    return [placeText(body), ...rows.map(([name, text]) => `  ${name.padEnd(10)}${text}`)].join(
      "\n",
    );
  },
  agent: ({ copies, ...body }, quiet) => {
    const nothing = quiet && body.tables === "current";
    const rows = nothing ? [] : copies.map((copy) => row({ ...copy }));
    return agentOutput(header("status", { ...body, copies: copies.length }), rows, nothing);
  },
};

function copyText({ schema, schema_version, bytes }: PostgresStatus["copies"][number]): string {
  const megabytes = (bytes / 1024 / 1024).toFixed(1);
  return `${oneLine(schema)}: as it was at schema version ${schema_version}, ${megabytes} MiB`;
}

function tablesText({ tables, schema_version, required_version }: PostgresStatus): string {
  if (tables === "none") return "none yet";
  if (tables === "foreign") return "not of svc";
  const found = `schema version ${schema_version}`;
  if (tables === "altered") return `${found}, altered by another hand`;
  return tables === "current" ? found : `${found}; this svc needs ${required_version}`;
}

export interface PostgresMigrated {
  readonly action: "created" | "upgraded" | "unchanged";
  readonly database: string;
  readonly schema: string;
  readonly from_version: number | null;
  readonly schema_version: number;
  readonly instance_uid: string;
  /** The schema to which the old tables were copied; `null` if nothing was copied. */
  readonly kept_old: string | null;
}

export const postgresMigratedView = sentenceView("migrate", migratedText, (body) => ({ ...body }));

function migratedText(body: PostgresMigrated): string {
  const place = placeText(body);
  const { action, from_version, schema_version, kept_old } = body;
  if (action === "created")
    return `created the tables in ${place}: schema version ${schema_version}`;
  if (action === "upgraded")
    return `upgraded ${place} from schema version ${from_version} to ${schema_version}${kept_old === null ? "" : `; as it was it is kept as the schema ${oneLine(kept_old)}`}`;
  return `nothing to do in ${place}: schema version ${schema_version}`;
}

function placeText({ database, schema }: { database: string; schema: string }): string {
  return `${oneLine(database)}, schema ${oneLine(schema)}`;
}
