import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConnectorEntry } from "../../src/config/connectors.ts";
import { folderWith } from "../config/folder.ts";

/** What a connector says of itself. */
export const DESCRIBED = {
  connector_id: "files",
  display_name: "Markdown files",
  protocol: "svc.connector.v1",
  capabilities: ["publish_comment"],
  account_identity: "account-of-ann-4711",
  self_actor_id: "ann",
};

/** An answer of `programs/describes.mjs`. With `hang` it answers nothing and writes its number beside that path. */
type Answer =
  | { readonly result: object }
  | { readonly error: { readonly code: string; readonly message: string } }
  | { readonly hang: string };

export interface DescribedConnector {
  readonly entry: ConnectorEntry;
  /** Changes what the program answers from now on. */
  answer(answer: Answer): void;
}

const PROGRAM = join(import.meta.dirname, "programs", "describes.mjs");

/** Returns an entry of the configuration whose program answers so. It may take ten seconds, unless `changes` says less. */
export function describedConnector(
  id: string,
  answer: Answer = { result: DESCRIBED },
  changes: Partial<ConnectorEntry> = {},
): DescribedConnector {
  const file = join(folderWith(), "answer.json");
  const write = (next: Answer): void => writeFileSync(file, JSON.stringify(next));
  write(answer);
  const entry = {
    ...{ id, command: process.execPath, args: [PROGRAM, file], timeoutMs: 10_000 },
    ...{ env: {}, settings: {} },
    ...changes,
  };
  return { entry, answer: write };
}
