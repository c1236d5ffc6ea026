import type { InferredFlags } from "@oclif/core/interfaces";
import { ListCommand } from "../src/cli/bases/list-command.ts";
import {
  answerBytes,
  BUDGET_API,
  fieldsFlag,
  issuesQuery,
  type ListFlags,
  listBudgetFlags,
  textBytes,
} from "../src/cli/flags/budget.ts";
import {
  issueFilters,
  issueQuery,
  labelQuery,
  limitFlag,
  requireAtLeast,
  statusFilter,
} from "../src/cli/flags/filters.ts";
import { booleanFlag, examples, restArg } from "../src/cli/flags/flags.ts";
import { SEARCH_DEFAULT_LIMIT, SEARCH_MAX_LIMIT } from "../src/contract/limits.ts";
import { searchIssues } from "../src/contract/search.ts";
import { isFiltered } from "../src/shared/filters.ts";

const MODES = ["lexical", "hybrid", "semantic"] as const;

/**
 * The first API version with all filters. An older daemon supports only the filter by labels, and would ignore the
 * other filters.
 */
const FILTERS_API = "0.17.0";

export default class Search extends ListCommand {
  static override summary = "find issues by words in titles, bodies and comments, and by meaning";
  static override description =
    "Finds open and closed issues, best match first. If config.toml names a provider that embeds texts, issues are found by their meaning, too (docs/search.md). The words `status` and `reindex` alone are commands: search for them with `svc search -- status`.";
  static override args = { query: restArg("the words to look for") };
  static override flags = {
    status: statusFilter("default all")(),
    ...issueFilters,
    limit: limitFlag(`at most this many; default ${SEARCH_DEFAULT_LIMIT}`),
    "include-deleted": booleanFlag("include deleted issues"),
    ...listBudgetFlags,
    fields: fieldsFlag,
    lexical: booleanFlag("by words only", { exclusive: ["hybrid", "semantic"] }),
    hybrid: booleanFlag("by words and by meaning; needs embeddings (docs/search.md)", {
      exclusive: ["lexical", "semantic"],
    }),
    semantic: booleanFlag("by meaning only; needs embeddings (docs/search.md)", {
      exclusive: ["lexical", "hybrid"],
    }),
  };
  static override examples = examples({
    "By words; quotes are not needed": "svc search empty file crash",
    "Among bugs": "svc search parser --label bug",
    "Among what is still to do": "svc search parser --status open",
    "Among mine, closed ones too": "svc search parser --owner @me",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Search);
    requireAtLeast(1, "--limit", flags.limit);
    const filters = labelQuery(flags);
    if (isFiltered(filters)) await (await this.session()).requireApi("0.8.0");
    const others = await this.others(flags);
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
        ...others,
        ...bounds,
      },
    });
    this.textBytes = textBytes(flags);
    const rows = flags.limit ?? SEARCH_DEFAULT_LIMIT;
    this.limitBy(flags, { rows, mostRows: SEARCH_MAX_LIMIT });
    await this.print(found, "search", ({ searchView }) => searchView);
    const body = found.body();
    this.noteRest(body, body.results.length);
  }

  private async others(flags: InferredFlags<typeof Search.flags>) {
    const query = {
      status: flags.status === "all" ? undefined : flags.status,
      ...issueQuery(flags),
      ...(await this.chosen(flags)),
    };
    if (Object.values(query).some((value) => value !== undefined))
      await (await this.session()).requireApi(FILTERS_API);
    return query;
  }

  /**
   * Returns the part of the query that limits the answer. With `max_bytes` the daemon also reports whether there are
   * more results. Fields are left out only for `--json`, because the text output shows an excerpt of each body.
   */
  private async searchBounds(flags: ListFlags) {
    const { max_bytes, fields } = issuesQuery(this.mode, flags);
    const session = await this.session();
    if (await session.hasApi(BUDGET_API))
      return this.mode === "json" ? { max_bytes, fields } : { max_bytes };
    if (flags.fields !== undefined)
      await session.requireApi(BUDGET_API, "update the daemon, or leave --fields out");
    this.jsonBounds = {
      bytes: answerBytes("json", flags),
      without: flags.full ? undefined : "body",
    };
    return {};
  }
}
