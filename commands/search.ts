import { SvcCommand } from "../src/cli/base.ts";
import {
  BUDGET_API,
  issuesQuery,
  type ListFlags,
  listBudgetFlags,
  textBytes,
} from "../src/cli/budget.ts";
import { labelFilters, labelQuery, limitFlag, requireAtLeast } from "../src/cli/filters.ts";
import { booleanFlag, examples, restArg } from "../src/cli/flags.ts";
import { searchIssues } from "../src/contract/search.ts";
import { isFiltered } from "../src/shared/filters.ts";

const MODES = ["lexical", "hybrid", "semantic"] as const;

export default class Search extends SvcCommand {
  static override summary = "find issues by words in titles, bodies and comments";
  static override description = "Finds open and closed issues, best match first.";
  static override args = { query: restArg("the words to look for") };
  static override flags = {
    ...labelFilters,
    limit: limitFlag("at most this many; default 20"),
    "include-deleted": booleanFlag("include deleted issues"),
    ...listBudgetFlags,
    lexical: booleanFlag("by words only", { exclusive: ["hybrid", "semantic"] }),
    hybrid: booleanFlag("by words and by meaning; needs embeddings", {
      exclusive: ["lexical", "semantic"],
    }),
    semantic: booleanFlag("by meaning only; needs embeddings", {
      exclusive: ["lexical", "hybrid"],
    }),
  };
  static override examples = examples({
    "By words; quotes are not needed": "svc search empty file crash",
    "Among bugs": "svc search parser --label bug",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Search);
    requireAtLeast(1, "--limit", flags.limit);
    const filters = labelQuery(flags);
    if (isFiltered(filters)) await (await this.session()).requireApi("0.8.0");
    const bounds = await this.searchBounds(flags);
    // oclif returns all words of a `multiple` argument, although its type is that of a single word.
    const words = [args.query].flat();
    const found = await this.call(searchIssues, {
      params: { project_id: await this.projectId() },
      query: {
        q: words.join(" "),
        limit: flags.limit,
        include_deleted: flags["include-deleted"] || undefined,
        mode: MODES.find((mode) => flags[mode]),
        ...filters,
        ...bounds,
      },
    });
    this.textBytes = textBytes(flags);
    await this.print(found, "search", ({ searchView }) => searchView);
  }

  /** Only `--json` is bounded by the daemon: agents see an excerpt of the body, which the view makes. */
  private async searchBounds(flags: ListFlags) {
    const { max_bytes, fields } = issuesQuery(this.mode, flags);
    if (this.mode !== "json" || !(await (await this.session()).hasApi(BUDGET_API))) return {};
    return { max_bytes, fields };
  }
}
