import { type Instant, msToInstant } from "../../base/clock.ts";
import { httpDateToMs } from "../../base/http-date.ts";
import { isPlainObject } from "../../base/json.ts";
import type { OutgoingAnswer } from "../../outgoing/exchange.ts";
import { type BindingIdentity, ProviderFault } from "../provider.ts";
import type { GithubClient } from "./client.ts";
import { undecodable } from "./faults.ts";
import { idText } from "./rows.ts";

export interface Repository {
  readonly identity: BindingIdentity;
  readonly host_time: Instant | undefined;
}

/** What is known of a repository whose binding is stored. */
export interface Expected {
  readonly remote_id: string;
  readonly repo_id: string;
}

/**
 * Asks for the repository. A renamed repository is found by its number, if that is known: the host answers with a
 * redirect, which is followed only if it leads to this number. Throws if another repository has the name now.
 */
export async function readRepository(
  client: GithubClient,
  host: string,
  expected: Expected | undefined,
): Promise<Repository> {
  const waits = client.waits();
  let answer = await client.repository(waits);
  if (REDIRECTS.has(answer.status)) {
    if (expected === undefined || !leadsTo(answer, expected.repo_id)) throw moved();
    answer = await client.repositoryByNumber(expected.repo_id, waits);
  }
  if (answer.status !== 200) throw client.fault(answer, "repository");
  const identity = identityOf(client, host, answer);
  if (expected !== undefined && identity.remote_id !== expected.remote_id)
    throw new ProviderFault(
      "repository_mismatch",
      `${identity.display_name} is another repository than the one that this project was bound to`,
      "if the project is to follow the new repository, import into a project of its own",
    );
  const { owner, repo, repo_id } = identity.config;
  client.rename({ owner, repo, repo_id });
  const ms = httpDateToMs(answer.headers.date ?? "");
  return { identity, host_time: ms === undefined ? undefined : msToInstant(ms) };
}

const REDIRECTS = new Set([301, 302, 307, 308]);

/** Only the end of the address matters: the repository is requested from the host that svc knows, by its number. */
function leadsTo({ headers }: OutgoingAnswer, repo_id: string): boolean {
  return (headers.location ?? "").endsWith(`/repositories/${repo_id}`);
}

function moved(): ProviderFault {
  return new ProviderFault(
    "repository_unavailable",
    "the repository is not there any more under this name: the host says that it was moved",
    "name the repository as it is called today",
  );
}

function identityOf(client: GithubClient, host: string, answer: OutgoingAnswer): BindingIdentity {
  const row = client.decode(answer);
  const [remote_id, repo_id] = isPlainObject(row) ? [row["node_id"], idText(row["id"])] : [];
  const name = isPlainObject(row) ? row["full_name"] : undefined;
  const [, owner, repo] = (typeof name === "string" && FULL_NAME.exec(name)) || [];
  if (typeof remote_id !== "string" || !NODE_ID.test(remote_id) || repo_id === undefined)
    throw undecodable("a repository without node_id or id");
  if (owner === undefined || repo === undefined)
    throw undecodable("a repository without full_name");
  return {
    source_key: `github:${remote_id}`,
    remote_id,
    display_name: `${owner}/${repo}`,
    config: { host, owner, repo, repo_id },
  };
}

const NODE_ID = /^[\x21-\x7e]{1,200}$/;
const FULL_NAME = /^([\w.-]{1,100})\/([\w.-]{1,100})$/;
