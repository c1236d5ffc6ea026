import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, integerFlag, textFlag } from "../../src/cli/flags/flags.ts";
import { listImports } from "../../src/contract/import-batches.ts";
import { IMPORTS_DEFAULT_LIMIT, MAX_IMPORTS_LIMIT } from "../../src/contract/limits.ts";

export default class ImportList extends SvcCommand {
  static override summary = "list the imports into a project, the newest first";
  static override description =
    "Shows when each import was, by whom, from where, how many issues it created, updated and deleted, and how many of these were taken back since. An import that changed nothing is not listed.";
  static override flags = {
    limit: integerFlag(
      `number of imports, at most ${MAX_IMPORTS_LIMIT}; default ${IMPORTS_DEFAULT_LIMIT}`,
      "<n>",
      { min: 1, max: MAX_IMPORTS_LIMIT },
    ),
    before: textFlag("only imports before this one: the next_before of the last page", "<uid>"),
  };
  static override examples = examples({
    "What was imported here?": "svc import list",
    "The newest one, for a script": "svc import list --limit 1 -q",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(ImportList);
    const { limit, before } = flags;
    const { id } = await (await this.session()).project();
    const found = await this.call(listImports, {
      params: { project_id: id },
      query: { ...(limit === undefined ? {} : { limit }), ...(before && { before }) },
    });
    await this.print(found, "imports", ({ importListView }) => importListView);
    const { imports, next_before } = found.body();
    this.noteCut({ next_before }, { shown: imports.length });
  }
}
