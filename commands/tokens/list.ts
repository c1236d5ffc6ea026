import { LimitedCommand } from "../../src/cli/bases/limited-command.ts";
import { maxBytesFlag } from "../../src/cli/flags/budget.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { listTokens } from "../../src/contract/tokens.ts";

export default class TokensList extends LimitedCommand {
  static override summary = "list the API tokens, revoked ones included";
  static override description =
    "Shows for whom each token is, when it was created, last used and revoked; never the token itself.";
  static override flags = maxBytesFlag;
  static override examples = examples({
    "All tokens": "svc tokens list",
    "Those that were not used this year":
      'svc tokens list --json | jq \'.tokens[] | select(.revoked_at == null and (.last_used_at // "") < "2026")\'',
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(TokensList);
    this.boundHere(flags);
    const found = await this.call(listTokens, {});
    await this.print(found, "tokens", ({ tokenListView }) => tokenListView);
  }
}
