import * as Flags from "@oclif/core/flags";
import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { booleanFlag, examples, listFlag, restArg } from "../src/cli/flags/flags.ts";
import { answer } from "../src/cli/output/output.ts";
import { issuesNamed } from "../src/cli/session/issues-named.ts";
import { invalid } from "../src/contract/errors.ts";
import { type Condition, conditionMet } from "../src/shared/conditions.ts";
import { waitingTime } from "../src/shared/moment.ts";
import { readConditions, waitBody, waitResult } from "../src/shared/wait.ts";

export default class Wait extends SvcCommand {
  static override summary = "wait until issues meet a condition, such as closed or ready";
  static override description =
    "Returns as soon as the condition is true, at once if it is true already. Conditions of --until: closed, open, ready, attention (work.attention is not ok), needs-human, stuck, owner or owner=<name>, unowned, label=<label>, no-label=<label>, request or request=<address> (a request waits in that inbox), comment (a new one), change (anything new), deleted. If several are given, any one is enough. A closed issue ends the wait with the reason closed, except for open, labels, comment, change and deleted. With several issues it waits for all of them, or with --any for the first. The wait goes on across restarts of the daemon. The exit code is 8 if the time is up, and 4 if an issue is deleted or purged meanwhile.";
  static override args = { ref: restArg("the issues: short ids, project#id or full uids") };
  static override flags = {
    until: listFlag("the condition to wait for, default closed; may be repeated", "<condition>"),
    timeout: Flags.string({
      summary: "give up after this time, such as 90s or 10m; 0, the default, means never",
      helpValue: "<time>",
      default: "0",
    }),
    any: booleanFlag("until one of the issues meets the condition", { exclusive: ["all"] }),
    all: booleanFlag("until all of the issues meet the condition (the default)"),
    "poll-interval": Flags.string({
      summary: "how often to ask if the daemon offers no event stream; default 2s",
      helpValue: "<time>",
      default: "2s",
    }),
  };
  static override examples = examples({
    "Until an issue is closed": "svc wait abc4",
    "Until two are, in two projects, for ten minutes at most":
      'svc wait abc4 "website#def5" --timeout 10m',
    "Until somebody is needed on one of three": "svc wait abc4 def5 ghj6 --any --until attention",
    "Until it can be worked on, then take it": "svc wait abc4 --until ready && svc claim abc4",
    "Until it was reviewed or sent back":
      "svc wait abc4 --until label=reviewed --until label=rework --json",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Wait);
    const conditions = await this.#withNames(readConditions(flags.until ?? ["closed"]));
    const timeoutMs = waitingTime("--timeout", flags.timeout);
    const pollMs = waitingTime("--poll-interval", flags["poll-interval"]);
    if (pollMs === 0) throw invalid("--poll-interval must be more than 0");
    const session = await this.session();
    const named = await issuesNamed(session, [args.ref].flat());

    const { waitForIssues } = await import("../src/client/wait-issues.ts");
    const { waitResultLine } = await import("../src/cli/render/wait.ts");
    const { waitFailure } = await import("../src/cli/flags/wait.ts");
    const style = await this.style();
    const { timeLimit } = await import("../src/cli/session/long-wait.ts");
    const { over, end } = timeLimit(timeoutMs);
    try {
      const waited = await waitForIssues(await session.client(), {
        uids: [...named.keys()],
        met: (now, before) => conditionMet(conditions, now, before),
        ready: conditions.some(({ name }) => name === "ready"),
        any: flags.any,
        signal: over,
        pollMs,
        onMet: (result) => {
          if (this.mode === "human")
            this.writeLine(waitResultLine(waitResult(result, named), style));
        },
      });
      const body = waitBody(waited, named, over.aborted && !waited.satisfied);
      await this.print(answer(body), "wait", ({ waitView }) => waitView);
      const failure = waitFailure(body, waited.satisfied);
      if (failure !== undefined) throw failure;
    } finally {
      end();
    }
  }

  /** Returns the conditions, with the caller's name in place of `@me` and `me`. */
  async #withNames(conditions: readonly Condition[]): Promise<readonly Condition[]> {
    const named: Condition[] = [];
    for (const one of conditions) {
      const isName = one.name === "owner" || one.name === "request";
      const { value } = one;
      named.push(isName && value ? { ...one, value: await this.nameMeant(value) } : one);
    }
    return named;
  }
}
