import { refusalOf, requestOf } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import { listAllIssues, listIssues } from "../../src/contract/issues.ts";
import { type Issue, issueOf, type WireIssue } from "../state/issues.ts";
import { ListCutter } from "./list-cutter.ts";

export interface ListOf {
  readonly project_id: number | undefined;
  readonly limit: number;
}

const HEAD_TIMEOUT_MS = 10_000;

/** The issues last changed, of one project or of all; keys are heard and drawn while they come. */
export async function readIssues(
  client: Client,
  { project_id, limit }: ListOf,
  signal: AbortSignal,
): Promise<readonly Issue[]> {
  const query = { limit };
  const request =
    project_id === undefined
      ? requestOf(listAllIssues, { query })
      : requestOf(listIssues, { params: { project_id }, query });
  const { status, pieces } = await client.stream(request, HEAD_TIMEOUT_MS, signal);
  if (status !== 200) {
    const body: Buffer[] = [];
    for await (const piece of pieces) body.push(piece);
    throw refusalOf(status, Buffer.concat(body));
  }
  const cutter = new ListCutter();
  const issues: Issue[] = [];
  for await (const piece of pieces) {
    for (const text of cutter.push(piece)) issues.push(issueOf(JSON.parse(text) as WireIssue));
  }
  return issues;
}
