import { call } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import { listInbox, listInboxGlobal } from "../../src/contract/inbox.ts";
import { textOf } from "../failures.ts";
import type { Effect, Message } from "../state/step.ts";

export async function readInbox(
  client: Client,
  { address, project_id }: Extract<Effect, { effect: "load-inbox" }>,
): Promise<Extract<Message, { type: "inbox" }>> {
  const query = { for: address };
  try {
    const { requests } =
      project_id === undefined
        ? await call(client, listInboxGlobal, { query })
        : await call(client, listInbox, { params: { project_id }, query });
    return { type: "inbox", address, inbox: { requests, error: undefined } };
  } catch (error) {
    return { type: "inbox", address, inbox: { error: textOf(error) } };
  }
}
