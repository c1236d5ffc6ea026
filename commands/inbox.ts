import * as Flags from "@oclif/core/flags";
import { LimitedCommand } from "../src/cli/bases/limited-command.ts";
import { CommandError, usage } from "../src/cli/failure/failure.ts";
import { maxBytesFlag } from "../src/cli/flags/budget.ts";
import { allFlag, refuseAllWithPlace } from "../src/cli/flags/filters.ts";
import { booleanFlag, examples, textFlag } from "../src/cli/flags/flags.ts";
import type { Answer } from "../src/cli/output/output.ts";
import { INBOX_ORDERS, listInbox, listInboxGlobal } from "../src/contract/inbox.ts";
import type { Output } from "../src/contract/route.ts";
import { waitingTime } from "../src/shared/moment.ts";

/**
 * The events that can add a request to an inbox:
 * - A request is set on an existing or a new issue.
 * - The issue of a request is reopened, restored or moved.
 * - The project of that issue is restored or merged.
 */
const FILLING = [
  "issue.metadata_updated",
  "issue.created",
  "issue.reopened",
  "issue.restored",
  "issue.moved",
  "project.*",
];
/** The poll interval for a daemon without an event stream. */
const POLL_MS = 2000;

type Inbox = Answer<Output<typeof listInbox>>;

interface InboxQuery {
  /** `undefined` for all projects. */
  readonly project_id: number | undefined;
  readonly order: "oldest" | undefined;
}

export default class InboxCommand extends LimitedCommand {
  static override summary = "list the attention requests to somebody on open issues";
  static override description =
    "Reading changes nothing: a request stays until svc notify --clear removes it. Closing an issue hides its requests. With --wait the command goes on across restarts of the daemon; the exit code is 8 if the time is up. With --take several workers can share an address: each request goes to one of them. Without --for it is the inbox of SVC_INBOX_USER, otherwise that of your actor.";
  static override flags = {
    for: textFlag("the address whose requests are listed, an exact name", "<address>"),
    ...allFlag,
    order: Flags.option({
      options: INBOX_ORDERS,
      default: "oldest",
      summary: "oldest: those that wait longest first; ref: by ref",
      helpValue: "<order>",
    })(),
    wait: booleanFlag("wait until there is a request; return at once if there is one"),
    timeout: textFlag(
      "with --wait: give up after this time, such as 90s or 10m; 0, the default, means never",
      "<time>",
      { dependsOn: ["wait"] },
    ),
    take: textFlag(
      "first move one request from the shared address to this one, your own, so that no other worker gets it; if a request waits there already, none is moved",
      "<address>",
    ),
    context: booleanFlag("print text for a prompt, at most 8 KiB, with texts by others quoted"),
    ...maxBytesFlag,
  };
  static override examples = examples({
    "What waits for you": "svc inbox",
    "What waits for a worker, everywhere": "svc inbox --for worker --all --json",
    "For a shell loop: until there is something to do, for ten minutes at most":
      "svc inbox --for worker --wait --timeout 10m --json",
    "One of several workers: the next request for this one alone":
      "svc inbox --for worker --take worker/w1 --wait --json",
    "For a prompt": "svc inbox --for worker --context",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(InboxCommand);
    refuseAllWithPlace(flags.all, this.globals);
    this.boundHere(flags);
    if (flags.context && this.mode !== "human") throw usage(`--context excludes --${this.mode}`);
    const timeoutMs = waitingTime("--timeout", flags.timeout ?? "0");
    const address = flags.for ?? (await this.ownAddress());
    const project_id = flags.all ? undefined : await this.projectId();
    const { take } = flags;
    if (take === address) throw usage("--take names another address than --for: your own");
    // An older daemon sorts requests only by ref.
    const order = (await (await this.session()).hasApi("0.15.0")) ? flags.order : "ref";
    const place = { project_id, order: order === "ref" ? undefined : order };
    const read = async () =>
      take === undefined
        ? await this.read(address, place)
        : await this.readTaken({ shared: address, own: take }, place);
    const found = flags.wait ? await this.waitFor(read, project_id, timeoutMs) : await read();
    await this.show(found, flags.context);
    if (flags.wait && found.body().requests.length === 0)
      throw new CommandError("timeout", `the time is up; no request for ${take ?? address}`);
  }

  private async waitFor(
    read: () => Promise<Inbox>,
    project_id: number | undefined,
    timeoutMs: number,
  ): Promise<Inbox> {
    const { waitUntil } = await import("../src/client/wait.ts");
    const filter = {
      type: FILLING,
      ...(project_id === undefined ? {} : { project_id: [project_id] }),
    };
    const { timeLimit } = await import("../src/cli/session/long-wait.ts");
    const { over, end } = timeLimit(timeoutMs);
    try {
      const look = async () => {
        const inbox = await read();
        return inbox.body().requests.length > 0 ? { done: inbox, filter } : { filter };
      };
      const client = await (await this.session()).client();
      const found = await waitUntil(client, { check: look, signal: over, pollMs: POLL_MS });
      return found ?? (await read());
    } finally {
      end();
    }
  }

  private async ownAddress(): Promise<string> {
    const session = await this.session();
    return (await session.client()).config.settings.inboxUser ?? (await this.actor());
  }

  /** Returns the inbox of `own`. If it is empty, first moves one request of `shared` into it. */
  private async readTaken(
    { shared, own }: { readonly shared: string; readonly own: string },
    place: InboxQuery,
  ): Promise<Inbox> {
    const { takeRequest } = await import("../src/cli/flags/take-request.ts");
    const waiting = await this.read(own, place);
    if (waiting.body().requests.length > 0) return waiting;
    const actor = await this.actor();
    const client = await (await this.session()).client();
    for (const request of (await this.read(shared, place)).body().requests) {
      if (await takeRequest(client, request, { shared, own, actor }))
        return await this.read(own, place);
    }
    return waiting;
  }

  private async read(address: string, { project_id, order }: InboxQuery): Promise<Inbox> {
    const query = { for: address, order };
    return project_id === undefined
      ? await this.call(listInboxGlobal, { query })
      : await this.call(listInbox, { params: { project_id }, query });
  }

  private async show(inbox: Inbox, asContext: boolean): Promise<void> {
    if (!this.quiet)
      for (const { ref, reason } of inbox.body().skipped)
        this.note(`svc: a request on ${ref} is not shown as it is: ${reason}`);
    if (asContext) {
      const { inboxContext } = await import("../src/shared/inbox-context.ts");
      const { text, isCut } = inboxContext(inbox.body());
      if (text !== "") this.writeLine(text);
      if (isCut) this.note("... not all of it is shown (--json --max-bytes 0 shows all)");
      return;
    }
    await this.print(inbox, "inbox", ({ inboxView }) => inboxView);
  }
}
