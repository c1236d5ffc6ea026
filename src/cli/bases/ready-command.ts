import { takeReadyIssue, takeReadyIssueGlobal } from "../../contract/leases.ts";
import type { Output } from "../../contract/route.ts";
import { readyIssues, readyIssuesGlobal } from "../../contract/search.ts";
import { isFiltered } from "../../shared/filters.ts";
import { NOTHING_LEFT } from "../failure/failure.ts";
import {
  labelFilters,
  ownerFilters,
  parentFilter,
  type readyQuery,
  refuseAllWithPlace,
  requireAtLeast,
} from "../flags/filters.ts";
import { booleanFlag } from "../flags/flags.ts";
import { type TakeFlags, takeRequest } from "../flags/leases.ts";
import type { Answer } from "../output/output.ts";
import { ListCommand } from "./list-command.ts";

type Ready = Output<typeof readyIssues> | Output<typeof readyIssuesGlobal>;

export const readyFilters = {
  ...ownerFilters,
  ...labelFilters,
  ...parentFilter,
  containers: booleanFlag("include issues that are held back only by their own open children"),
};

export abstract class ReadyCommand extends ListCommand {
  /** Takes the first issue and prints it, if the flags request this. Returns true if they do. */
  protected async take(
    flags: TakeFlags & {
      readonly all: boolean;
      readonly limit?: number | undefined;
      readonly parent?: string | undefined;
    },
  ): Promise<boolean> {
    refuseAllWithPlace(flags.all, this.globals);
    requireAtLeast(0, "--limit", flags.limit);
    const ask = takeRequest(flags);
    if (ask === undefined) return false;
    const key = flags["idempotency-key"];
    if (key !== undefined) {
      const hint = "update the daemon, or leave --idempotency-key out";
      await (await this.session()).requireApi("0.14.0", hint);
    }
    const { parent_uid } = await this.chosen({ parent: flags.parent });
    const body = { ...ask, parent_uid, actor: await this.actor() };
    const request = { body, headers: { "idempotency-key": key } };
    const answer = flags.all
      ? await this.call(takeReadyIssueGlobal, request)
      : await this.call(takeReadyIssue, {
          params: { project_id: await this.projectId() },
          ...request,
        });
    await this.print(answer, "leases", ({ takenView }) => takenView(flags.all));
    // A loop such as `while svc next --claim` ends when this exit code is not 0.
    if (answer.body().issue === null) this.context.exitWith(NOTHING_LEFT);
    return true;
  }

  protected async ready(
    all: boolean,
    query: ReturnType<typeof readyQuery> & {
      readonly at?: string | undefined;
      readonly order?: "recent" | "take" | undefined;
      readonly takeable_by?: string | undefined;
      readonly parent_uid?: string | undefined;
      readonly author?: string | undefined;
      readonly changed_since?: string | undefined;
      readonly after?: string | undefined;
      readonly fields?: string | undefined;
      readonly max_bytes?: number | undefined;
    },
  ): Promise<Answer<Ready>> {
    if (all && isFiltered(query)) await (await this.session()).requireApi("0.8.0");
    return all
      ? await this.call(readyIssuesGlobal, { query })
      : await this.call(readyIssues, { params: { project_id: await this.projectId() }, query });
  }
}
