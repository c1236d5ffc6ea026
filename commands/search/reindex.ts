import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { reindexEmbeddings } from "../../src/contract/embeddings.ts";

export default class SearchReindex extends SvcCommand {
  static override summary = "begin the index of meanings anew";
  static override description =
    "Has every issue embedded again, as after the provider got another model under the same name. The present index answers until the new one is complete. With further words, as in `svc search reindex fails`, and after --, the words are searched for.";
  static override examples = examples({
    "Embed every issue again": "svc search reindex",
    "Search for the word reindex": "svc search -- reindex",
  });

  async run(): Promise<void> {
    await this.parse(SearchReindex);
    await (await this.session()).requireApi("0.21.0", "update the daemon");
    const begun = await this.call(reindexEmbeddings, { body: {} });
    await this.print(begun, "embeddings", ({ reindexView }) => reindexView);
  }
}
