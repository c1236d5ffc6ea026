import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { usage } from "../src/cli/failure/failure.ts";
import {
  booleanFlag,
  examples,
  fenceFlag,
  ifMatchFlag,
  refArg,
  requiredFlag,
  textFlag,
} from "../src/cli/flags/flags.ts";
import { clearIssueRequest, notifyIssue } from "../src/contract/inbox.ts";
import { ifMatchTyped } from "../src/shared/revision.ts";

export default class Notify extends SvcCommand {
  static override summary = "ask somebody to look at an issue, or clear such a request";
  static override description =
    "An issue has one request for each address: a new one replaces the one before. Addresses are exact: worker and worker/adapter are different. A request waits in svc inbox until somebody clears it; with --event-uid, which svc inbox --json tells, only the request that was handled is cleared and a newer one is left.";
  static override args = { ref: refArg() };
  static override flags = {
    to: requiredFlag("whom to ask: an exact name", "<address>"),
    message: textFlag("what you want of them, at most 1024 bytes", "<text>", { char: "m" }),
    clear: booleanFlag("clear the request, because it was handled", { exclusive: ["message"] }),
    "event-uid": textFlag("with --clear: only this request, not a newer one", "<uid>", {
      dependsOn: ["clear"],
    }),
    "if-match": { ...ifMatchFlag["if-match"], dependsOn: ["clear"] },
    ...fenceFlag,
  };
  static override examples = examples({
    "Ask the coordinator": 'svc notify abc4 --to coordinator --message "Which of the two?"',
    "It was handled": "svc notify abc4 --to coordinator --clear",
    "The same, unless they asked again meanwhile":
      "svc notify abc4 --to coordinator --clear --event-uid 01K4M0000000000000000000A1",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Notify);
    const { to, message, clear } = flags;
    if (!clear && message === undefined)
      throw usage("--message or --clear is required", "say what you want of them");
    const params = await this.target(args.ref);
    const actor = await this.actor();
    const changed = clear
      ? await this.call(clearIssueRequest, {
          params,
          headers: ifMatchTyped(flags["if-match"]),
          body: { to, event_uid: flags["event-uid"], actor },
        })
      : await this.call(notifyIssue, {
          params,
          body: {
            to,
            message: message ?? "",
            teammate: await (await this.session()).teammate(),
            actor,
          },
        });
    await this.print(changed, "inbox", ({ requestView }) => requestView(args.ref, to, clear));
  }
}
