import { resolve } from "node:path";
import { OfflineCommand } from "../../src/cli/bases/offline-command.ts";
import { CommandError, usage } from "../../src/cli/failure/failure.ts";
import { arg, examples, listFlag, textFlag } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";

export default class ConnectorTest extends OfflineCommand {
  static override summary =
    "show whether a program is a connector as svc needs it, and what is wrong";
  static override description =
    "Starts the program about a hundred times as the daemon would, and shows twelve behaviours on a root that may be changed and completed: use none that matters. For each that fails it prints what was sent, what came, and the rule of docs/connectors.md that it breaks. --settings names a file of TOML with the keys of a [[connector]], and a table [test] with root or fixture. With a fixture, a program that changes the provider, all behaviours can be shown; without one, those that need it are skipped. Nothing is written but by the program itself, and no daemon is asked. The exit code is 1 if a behaviour fails.";
  static override args = {
    command: arg("the program; a path without folder is one of this folder"),
  };
  static override flags = {
    settings: textFlag("a file with args, env, settings and [test] of the connector", "<path>"),
    arg: listFlag("an argument of the program, before those of the file; repeatable", "<word>"),
    root: textFlag("what names the root of the test, which is completed", "<locator>", {
      exclusive: ["fixture"],
    }),
    only: listFlag("show this behaviour only, by its number 1 to 12; repeatable", "<number>"),
    fixture: textFlag("the program that changes the provider for the test", "<path>"),
  };
  static override examples = examples({
    "The program of docs/connectors.md":
      "svc connector test /usr/bin/python3 --arg ~/minimal.py --settings minimal.toml",
    "Without a file": "svc connector test ./tracker --root SCRATCH-1",
    "One behaviour": "svc connector test ./tracker --settings tracker.toml --only 7",
    "Only what fails": "svc connector test ./tracker --settings tracker.toml --quiet",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConnectorTest);
    const unknown = flags.only?.find((number) => !/^(?:[1-9]|1[0-2])$/.test(number));
    if (unknown !== undefined)
      throw usage(`--only ${unknown}: behaviours have the numbers 1 to 12`);
    const { cwd, env } = this.context;
    const { readConnectorFile } = await import("../../src/config/connectors.ts");
    const path = flags.settings === undefined ? undefined : resolve(cwd, flags.settings);
    const entry = await readConnectorFile(path, resolve(cwd, args.command));
    const fixture =
      flags.fixture === undefined ? entry.test.fixture : [resolve(cwd, flags.fixture)];
    const root = flags.root ?? entry.test.root;
    if (fixture === undefined && root === undefined)
      throw usage(
        "there is neither a root nor a fixture to test with",
        "--root names a root that may be completed, --fixture a program that makes one",
      );
    const stop = new AbortController();
    this.context.onInterrupt(() => stop.abort(new CommandError("interrupted", "interrupted")));
    const { testConnector } = await import("../../src/connectors/index.ts");
    const behaviours = await testConnector({
      entry: { ...entry, args: [...(flags.arg ?? []), ...entry.args] },
      ...{ environment: env, signal: stop.signal },
      ...(flags.root === undefined ? { fixture } : {}),
      root,
      only: flags.only?.map(Number),
    });
    const summary = { ok: 0, failed: 0, skipped: 0 };
    for (const { status } of behaviours) summary[status] += 1;
    const tested = answer({ version: 1, behaviours, summary });
    await this.print(tested, "connector-test", ({ connectorTestView }) => connectorTestView);
    if (summary.failed > 0)
      throw new CommandError(
        "checks_failed",
        `${summary.failed} of ${behaviours.length} behaviours failed`,
      );
  }
}
