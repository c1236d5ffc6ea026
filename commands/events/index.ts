import { parseExact } from "../../src/base/json.ts";
import { FeedCommand } from "../../src/cli/bases/feed-command.ts";
import { nextEventCursor, rowsBytesFlag } from "../../src/cli/flags/budget.ts";
import {
  feedFlags,
  limitFlag,
  refuseAllWithPlace,
  requireAtLeast,
} from "../../src/cli/flags/filters.ts";
import {
  booleanFlag,
  examples,
  integerFlag,
  listFlag,
  textFlag,
} from "../../src/cli/flags/flags.ts";
import { inRows } from "../../src/cli/output/in-rows.ts";
import { withVersion } from "../../src/cli/output/output.ts";
import type { Views } from "../../src/cli/render/views.ts";
import type { EventQuery } from "../../src/client/events.ts";
import { pollEvents, pollProjectEvents } from "../../src/contract/activity.ts";
import { invalid } from "../../src/contract/errors.ts";
import { instance } from "../../src/contract/health.ts";
import { LOG_HEADER } from "../../src/contract/log-mark.ts";
import type { LogCursor, StreamedEvent } from "../../src/shared/follow-state.ts";

export default class Events extends FeedCommand {
  static override summary = "read past events, or follow new ones";
  static override description =
    "Every change is an event with a number; pass the number of the last one you read as --after to read on. --tail goes on until it is interrupted, even if the daemon restarts.";
  static override flags = {
    after: integerFlag("only events after this number; 0 is the beginning", "<id>"),
    limit: limitFlag("at most this many; default 100, maximum 1000", { exclusive: ["tail"] }),
    tail: booleanFlag("follow events as they happen, one line each"),
    new: booleanFlag("with --tail: skip everything that happened before now", {
      dependsOn: ["tail"],
      exclusive: ["after", "last-event-id"],
    }),
    log: textFlag(
      "the log that --after belongs to, as epoch/chain: another log is answered with a reset",
      "<log>",
      { dependsOn: ["after"], exclusive: ["tail"] },
    ),
    "last-event-id": integerFlag("with --tail, the same as --after", "<id>", {
      dependsOn: ["tail"],
      exclusive: ["after"],
    }),
    issue: listFlag(
      "only events about this issue or that name it, in any project; may be repeated",
      "<ref>",
    ),
    type: listFlag(
      "only events of this kind, such as issue.closed or 'issue.*'; may be repeated for several",
      "<kind>",
      { aliases: ["kind"] },
    ),
    actor: listFlag("only events of this actor, @me for yours; may be repeated", "<actor>"),
    ...feedFlags,
    "max-bytes": { ...rowsBytesFlag["max-bytes"], exclusive: ["tail"] },
  };
  static override examples = examples({
    "From the beginning": "svc events",
    "The next page": "svc events --after 100",
    "As it happens": "svc events --tail",
    "From now on, what is closed anywhere":
      "svc events --tail --new --type issue.closed --all-projects",
    "What one colleague did to an issue": "svc events --issue abc4 --actor bea",
    "Feed another program, everything from event 4200 on":
      "svc events --tail --after 4200 --all-projects --json",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(Events);
    refuseAllWithPlace(flags["all-projects"], this.globals);
    const after = flags["last-event-id"] ?? flags.after ?? 0;
    requireAtLeast(0, flags.after === undefined ? "--last-event-id" : "--after", after);
    requireAtLeast(1, "--limit", flags.limit);
    const issue = await this.issues(flags.issue);
    // An issue may move to another project, so by default no project filter is sent for an issue.
    const everywhere = flags["all-projects"] || issue !== undefined;
    const project_id = flags["project-id"] ?? (everywhere ? undefined : await this.projectId());
    if (project_id !== undefined && project_id < 1) throw invalid(`--project-id must be 1 or more`);
    const filter = { issue, type: flags.type, actor: flags.actor };
    if (flags.tail) {
      const from = flags.new ? await this.now() : { cursor: after };
      const project = project_id === undefined ? {} : { project_id: [project_id] };
      return await this.follow(from, { ...filter, ...project });
    }
    const query = {
      after_id: after,
      limit: flags.limit,
      ...filter,
      ...(await this.pageBytes(flags, nextEventCursor)),
    };
    const headers = flags.log === undefined ? {} : { [LOG_HEADER.toLowerCase()]: flags.log };
    const answer =
      project_id === undefined
        ? await this.call(pollEvents, { query, headers })
        : await this.call(pollProjectEvents, { params: { project_id }, query, headers });
    const page = inRows(answer, "events");
    const views = {
      fit: ({ fittedEvents }: Views<"events">) => fittedEvents,
      choose: ({ eventsView }: Views<"events">) => eventsView,
    };
    await this.printFeed(page, "events", views, flags);
  }

  private async issues(refs: readonly string[] | undefined): Promise<string[] | undefined> {
    if (refs === undefined) return undefined;
    const { issuesNamed } = await import("../../src/cli/session/issues-named.ts");
    return [...(await issuesNamed(await this.session(), refs)).keys()];
  }

  private async now(): Promise<LogCursor> {
    const { last_event_id: cursor, epoch, chain } = (await this.call(instance, {})).body();
    return epoch === undefined ? { cursor } : { cursor, log: { epoch, chain } };
  }

  /** Prints events as they happen, until the program that reads stdout ends. */
  private async follow(from: LogCursor, filter: EventQuery): Promise<void> {
    const { followEvents } = await import("../../src/client/events.ts");
    const line = await this.lineOf();
    const closed = new AbortController();
    this.context.stdout.onClosed(() => closed.abort());
    const items = followEvents(await (await this.session()).client(), {
      after: from.cursor,
      log: from.log,
      signal: closed.signal,
      filter,
      onRetry: (delayMs) =>
        this.note(`svc: the event stream broke off; connecting again in ${delayMs / 1000}s`),
    });
    for await (const item of items) {
      const text = item.kind === "event" ? line(item.data) : this.resetLine(item.after);
      if (text !== "") this.writeLine(text);
    }
  }

  /**
   * Returns the function that turns an event into a line. The first of these that applies decides the form of the line:
   * - With --agent: the format for agents.
   * - With --json: a JSON object.
   * - With -q: only the ref of the issue.
   * - At a terminal: a row for a person.
   * - Otherwise: a JSON object.
   */
  private async lineOf(): Promise<(data: string) => string> {
    const forAgent = this.mode === "agent";
    if (this.quiet && this.mode === "human") {
      const { issueOf } = await import("../../src/cli/render/events.ts");
      const { quietRefs } = await import("../../src/cli/output/quiet.ts");
      const project = await (await this.session()).projectName();
      return (data) => [...quietRefs(issueOf(JSON.parse(data)), project)].join("");
    }
    if (!forAgent && (this.mode === "json" || !this.context.stdout.isTerminal)) return withVersion;
    const { agentEvent, eventRow } = await import("../../src/cli/render/events.ts");
    const { paint } = await this.style();
    return (data) => {
      // The cast is safe: the daemon streams events.
      const event = parseExact(data) as unknown as StreamedEvent;
      return forAgent ? agentEvent(event) : eventRow(event, paint);
    };
  }

  private resetLine(reset_after_id: number): string {
    if (this.quiet && this.mode === "human") return "";
    if (this.mode === "agent") return `OK reset reset_after_id=${reset_after_id}`;
    return withVersion(JSON.stringify({ reset_required: true, reset_after_id }));
  }
}
