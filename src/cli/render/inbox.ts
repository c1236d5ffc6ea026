import type { listInbox, notifyIssue } from "../../contract/inbox.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import type { IssueRequest } from "../../shared/requests.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { sentenceView } from "./sentence.ts";

export const inboxView: View<Output<typeof listInbox>> = {
  human: ({ recipient, requests }, { paint }) => {
    if (requests.length === 0) return `No requests for ${oneLine(recipient)}`;
    return requests
      .flatMap((request) => [
        `${paint("id", oneLine(request.ref))}  ${oneLine(request.title)}`,
        `  ${saidBy(request)}`,
      ])
      .join("\n");
  },
  agent: ({ recipient, requests }, quiet) => {
    const rows = requests.map(({ ref, title, from, teammate, message, event_uid }) =>
      row({ issue: ref, title, from, teammate, message, event_uid }),
    );
    return agentOutput(header("inbox", { count: requests.length, for: recipient }), rows, quiet);
  },
  refs: ({ requests }) => requests.map(({ ref }) => ref),
};

type RequestText = Pick<
  Output<typeof listInbox>["requests"][number],
  "from" | "teammate" | "message"
>;

function saidBy({ from, teammate, message }: RequestText): string {
  const who = [from, ...(teammate === undefined ? [] : [teammate])].map(oneLine).join(" / ");
  return `from ${who}: ${oneLine(message)}`;
}

/** The text of an attention request on an issue. `from` is missing if the sender is unknown. */
export function requestText({
  to,
  from,
  teammate,
  message,
}: Pick<IssueRequest, "to"> &
  Pick<RequestText, "teammate" | "message"> &
  Partial<Pick<RequestText, "from">>): string {
  if (from === undefined) return `for ${oneLine(to)}: ${oneLine(message)}`;
  return `for ${oneLine(to)}, ${saidBy({ from, teammate, message })}`;
}

export function requestView(ref: string, to: string, clear: boolean) {
  return sentenceView<Output<typeof notifyIssue>>(
    "notify",
    ({ changed, replaced }, { paint }) => {
      const what = `${clear ? "cleared" : "notified"} ${paint("id", oneLine(ref))} for ${oneLine(to)}`;
      const note = replaced === undefined ? "" : `\n  replaces the request ${saidBy(replaced)}`;
      return `${what}${changed ? "" : " (no-op)"}${note}`;
    },
    ({ changed, replaced }) => ({
      issue: ref,
      to,
      changed,
      replaced_from: replaced?.from,
      replaced_teammate: replaced?.teammate,
      replaced_message: replaced?.message,
    }),
    () => [ref],
  );
}
