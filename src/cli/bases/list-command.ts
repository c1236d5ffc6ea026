import type { PlaceOrder } from "../../contract/list-budget.ts";
import { isFiltered } from "../../shared/filters.ts";
import {
  answerBytes,
  BUDGET_API,
  type BudgetFlags,
  fieldsAsked,
  issuesQuery,
  type ListFlags,
  textBytes,
} from "../flags/budget.ts";
import type { Answer, LongView } from "../output/output.ts";
import type { ListedIssues, ListOptions } from "../render/list.ts";
import { LimitedCommand } from "./limited-command.ts";

interface ChosenFilters {
  readonly parent?: string | undefined;
  readonly author?: string | undefined;
  readonly "changed-since"?: string | undefined;
  readonly blocked?: boolean | undefined;
}

type Fields = NonNullable<ReturnType<typeof fieldsAsked>>;

interface Listing extends ListOptions {
  readonly flags: ListFlags;
  /**
   * The order of the list, from which the cursor of the next page is made. `undefined` for `--at`: a list of a past
   * moment has no pages.
   */
  readonly order: PlaceOrder | undefined;
}

export abstract class ListCommand extends LimitedCommand {
  /**
   * The query parameters that limit the answer. A daemon that is too old to support them returns the whole list, which
   * the command then cuts itself.
   */
  protected async bounds(flags: ListFlags & { readonly after?: string | undefined }) {
    const { after, fields, full } = flags;
    const session = await this.session();
    if (await session.hasApi(BUDGET_API)) return { ...issuesQuery(this.mode, flags), after };
    const hint = "update the daemon, or leave --after and --fields out";
    if (after !== undefined || fields !== undefined) await session.requireApi(BUDGET_API, hint);
    this.jsonBounds = {
      bytes: answerBytes("json", flags),
      without: full === true ? undefined : "body",
    };
    return {};
  }

  /**
   * The query parameters for `--parent`, `--author`, `--changed-since` and `--blocked`. Throws if one of them is given
   * and the daemon is too old to support these filters: the daemon would ignore them and return a wrong list.
   */
  protected async chosen(flags: ChosenFilters) {
    const { parent, author, "changed-since": since, blocked } = flags;
    const query = {
      parent_uid: parent === undefined ? undefined : await this.uidOf(parent),
      author,
      changed_since: since === undefined ? undefined : await this.instant("--changed-since", since),
      blocked,
    };
    if (isFiltered(query)) await (await this.session()).requireApi(BUDGET_API);
    return query;
  }

  private async uidOf(ref: string): Promise<string | undefined> {
    const { issuesNamed } = await import("../session/issues-named.ts");
    const [uid] = (await issuesNamed(await this.session(), [ref])).keys();
    return uid;
  }

  protected async printIssues(
    found: Answer<ListedIssues>,
    view: "listView" | "readyView",
    { flags, order, ...options }: Listing,
  ): Promise<void> {
    this.limitBy(flags, { rows: options.limit });
    const fieldRequest = this.mode === "human" && !this.quiet ? fieldsAsked(flags) : undefined;
    if (fieldRequest !== undefined)
      return await this.#printFields(found, { order, ...fieldRequest });
    let page: ListedIssues | undefined;
    await this.print(found, "list", (views): LongView<ListedIssues> => {
      const shown = views.fitToRoom(found.body(), { ...options, order, ...this.#roomOf(flags) });
      page = shown;
      const { human, agent } = views[view](options);
      return {
        human: (_body, style) => human(shown, style),
        agent: (_body, quiet) => agent(shown, quiet),
        refs: () => shown.issues,
      };
    });
    if (page !== undefined) this.noteRest(page, page.issues.length);
  }

  async #printFields(
    found: Answer<ListedIssues>,
    { fields, ...room }: Fields & { readonly order: PlaceOrder | undefined },
  ): Promise<void> {
    let page: ListedIssues | undefined;
    await this.print(found, "field-rows", ({ fieldPage, fieldRow }): LongView<ListedIssues> => {
      const shown = fieldPage(found.body(), fields, room);
      page = shown;
      const rows = () => [...shown.issues].map((issue) => fieldRow(issue, fields));
      return { human: rows, agent: rows, refs: () => shown.issues };
    });
    if (page !== undefined) this.noteRest(page, page.issues.length);
  }

  #roomOf(flags: BudgetFlags) {
    const forAgent = this.mode === "agent";
    // With -q only ids are printed for people, so nothing is cut.
    const bytes = this.quiet && !forAgent ? undefined : textBytes(flags);
    return { bytes, forAgent };
  }
}
