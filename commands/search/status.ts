import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { showEmbeddings } from "../../src/contract/embeddings.ts";

export default class SearchStatus extends SvcCommand {
  static override summary = "say how far the index of meanings is";
  static override description =
    "Shows how many issues the index has, which ones the provider refused, how long the rest takes, and what to do about the last error. With further words, as in `svc search status of builds`, and after --, the words are searched for.";
  static override examples = examples({
    "How far is it?": "svc search status",
    "For a script": "svc search status --json",
    "Search for the word status": "svc search -- status",
  });

  async run(): Promise<void> {
    await this.parse(SearchStatus);
    await (await this.session()).requireApi("0.21.0", "update the daemon");
    const found = await this.call(showEmbeddings, {});
    await this.print(found, "embeddings", ({ embeddingsView }) => embeddingsView);
  }
}
