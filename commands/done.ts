import { examples } from "../src/cli/flags/flags.ts";
import Close from "./close.ts";

/** The flags for the close reason are hidden, because `svc done` always uses the same reason. */
const hidden = <T extends object>(flag: T) => ({ ...flag, hidden: true });

export default class Done extends Close {
  static override summary = "close an issue as done, with evidence";
  static override description =
    "The same as svc close --done: needs at least one of --commit, --pr, --test, --reviewed and a message of 40 characters. To close it for another reason use svc close.";
  static override flags = {
    ...Close.flags,
    reason: hidden(Close.flags.reason),
    done: hidden(Close.flags.done),
    wontfix: hidden(Close.flags.wontfix),
    "duplicate-of": hidden(Close.flags["duplicate-of"]),
    "superseded-by": hidden(Close.flags["superseded-by"]),
    "audit-no-change": hidden(Close.flags["audit-no-change"]),
  };
  static override examples = examples({
    "With the commit that did it":
      'svc done abc4 --commit 1f2e3d4 -m "The parser keeps the last line of a file that ends without a newline."',
  });

  override async run(): Promise<void> {
    this.argv.unshift("--done");
    await super.run();
  }
}
