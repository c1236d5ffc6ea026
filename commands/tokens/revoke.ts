import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { arg, examples } from "../../src/cli/flags/flags.ts";
import { invalid } from "../../src/contract/errors.ts";
import { revokeToken } from "../../src/contract/tokens.ts";

export default class TokensRevoke extends SvcCommand {
  static override summary = "revoke an API token; it is refused from the next request on";
  static override description =
    "Event streams that were opened with the token end. A token that was revoked before stays as it is.";
  static override args = { id: arg("the id of the token in svc tokens list") };
  static override examples = examples({
    "The token of a lost laptop": "svc tokens revoke 3",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(TokensRevoke);
    if (!/^[1-9]\d{0,14}$/.test(args.id))
      throw invalid(
        "that is no id of a token",
        "svc tokens list shows the ids; never type the token itself",
      );
    const revoked = await this.call(revokeToken, { params: { id: Number(args.id) } });
    await this.print(revoked, "tokens", ({ revokedTokenView }) => revokedTokenView);
  }
}
