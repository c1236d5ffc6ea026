import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, requiredFlag, textFlag } from "../../src/cli/flags/flags.ts";
import { createToken } from "../../src/contract/tokens.ts";

const UNUSABLE =
  "svc: this daemon asks nobody for a token of a person, so this one cannot be used yet: set [auth] token and require_token_identity = true in its config.toml, then svc daemon restart";

export default class TokensCreate extends SvcCommand {
  static override summary = "create an API token for an actor and print it once";
  static override description =
    `The daemon keeps only a hash of the token, so keep what is printed: it cannot be shown again. With -q only the token is printed.
With --idempotency-key a repeat finds the token that the first request created, and cannot print it; revoke that one and create another if the token was lost.`;
  static override flags = {
    actor: requiredFlag("who the writes with this token are attributed to", "<actor>"),
    name: textFlag("a label for the list, such as where the token is kept", "<label>"),
    "idempotency-key": textFlag("create at most one token under this key", "<key>"),
  };
  static override examples = examples({
    "A token for ann's laptop": "svc tokens create --actor ann --name laptop",
    "Into a file that only you may read": "(umask 077; svc tokens create --actor ci -q > ci.token)",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(TokensCreate);
    const { actor, name, "idempotency-key": key } = flags;
    await (await this.session()).requireApi("0.16.0", "replace the daemon with this version");
    const created = await this.call(createToken, {
      headers: key === undefined ? {} : { "idempotency-key": key },
      body: { actor, name },
    });
    await this.print(created, "tokens", ({ createdTokenView }) => createdTokenView);
    if (!created.body().accepted && this.mode === "human") this.note(UNUSABLE);
  }
}
