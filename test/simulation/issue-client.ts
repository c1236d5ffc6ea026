import type { History, Outcome } from "./history.ts";
import type { IssueAnswer, IssueInput } from "./issue-model.ts";
import type { Received, Sent } from "./send.ts";

export type IssueHistory = History<IssueInput, IssueAnswer>;

export interface IssueQuestion {
  readonly client: string;
  /** The path of the issue below `/api/v1`. */
  readonly issue: string;
  readonly input: Asking;
}

/** Carries a request to a daemon. Returns `undefined` if no whole answer arrived; the outcome is then unknown. */
export type Send = (sent: Sent) => Promise<Received | undefined>;

/** Asks a daemon, and writes down what was asked and what the client learned. */
export async function ask(
  send: Send,
  history: IssueHistory,
  { client, issue, input }: IssueQuestion,
): Promise<Outcome<IssueAnswer>> {
  return await history.record(client, input, async () => {
    const received = await send(requestOf(issue, input));
    if (received === undefined) return { unknown: "the connection broke" };
    const body: Body = JSON.parse(received.text);
    if (received.status < 300) return { answer: answerOf(input, body) };
    const code = body.error?.code ?? `status ${received.status}`;
    return code === "outcome_unknown" ? { unknown: code } : { refused: code };
  });
}

interface Body {
  readonly error?: { readonly code: string };
  readonly issue?: {
    readonly owner?: string;
    readonly revision: number;
    readonly metadata: { readonly value?: number };
  };
  readonly comment?: { readonly uid: string };
  readonly comments?: readonly { readonly uid: string }[];
  readonly lease?: { readonly holder: string; readonly fence: number };
  readonly changed?: boolean;
  readonly granted?: boolean;
}

type Asking = Exclude<IssueInput, { op: "time" }>;

function requestOf(issue: string, input: Asking): Sent {
  const post = (path: string, body: object = {}, headers = {}): Sent => {
    const actor = "by" in input ? input.by : "nobody";
    return { method: "POST", path: `${issue}/${path}`, body: { actor, ...body }, headers };
  };
  switch (input.op) {
    case "claim":
      return post("actions/claim");
    case "unassign":
      return post("actions/unassign", { expected_owner: input.by });
    case "set": {
      const { revision, value, fence } = input;
      const headers = { "if-match": `"rev-${revision}"`, ...fenceHeader(fence) };
      return post("metadata", { patch: { value } }, headers);
    }
    case "acquire":
      return post("lease/actions/acquire", termsOf(input.seconds));
    case "release":
      return post("lease/actions/release", {}, fenceHeader(input.fence));
    case "comment":
      return post("comments", { body: input.key }, { "idempotency-key": input.key });
    case "show":
      return { method: "GET", path: issue };
  }
}

function fenceHeader(fence: number | undefined): Readonly<Record<string, string>> {
  return fence === undefined ? {} : { "x-svc-fence": String(fence) };
}

function termsOf(seconds: number | undefined): object {
  return seconds === undefined ? {} : { claim_kind: "timed", ttl_seconds: seconds };
}

/** Reduces an answer to what the model knows. */
function answerOf(input: Asking, body: Body): IssueAnswer {
  const owner = body.issue?.owner ?? null;
  const revision = body.issue?.revision ?? 0;
  const value = body.issue?.metadata.value ?? null;
  const changed = body.changed ?? false;
  const { holder, fence } = body.lease ?? {};
  const lease = holder === undefined || fence === undefined ? null : { holder, fence };
  switch (input.op) {
    case "claim":
    case "unassign":
      return { owner, revision, changed };
    case "set":
      return { revision, value };
    case "acquire":
      return { granted: body.granted ?? false, lease };
    case "release":
      return {};
    case "comment":
      return { comment: body.comment?.uid ?? "", changed };
    case "show":
      return {
        owner,
        revision,
        value,
        lease,
        comments: (body.comments ?? []).map(({ uid }) => uid),
      };
  }
}
