import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { CommandError } from "../src/cli/failure/failure.ts";
import { booleanFlag, examples, optionalArg } from "../src/cli/flags/flags.ts";
import { answer } from "../src/cli/output/output.ts";
import type { PageAddress } from "../src/cli/pages/page-address.ts";
import { call } from "../src/client/call.ts";
import { type BrowserProgram, browserPrograms, isRemoteShell } from "../src/config/browser.ts";
import { secretVariables } from "../src/config/secret-variables.ts";
import { showIssue } from "../src/contract/issues.ts";

export default class Ui extends SvcCommand {
  static override summary = "open the issues in a browser";
  static override description =
    "Opens the page of this machine's daemon, which is started if it does not run, whatever SVC_SERVER, the workspace and active_daemon name. If you run that daemon, the address has a one-time code that opens the page without a token; it is valid for a minute. With --daemon it opens the page of that daemon, where you sign in unless the entry has local = true. With a ref the page shows that issue. The address never has a token in it. BROWSER names the program to open it with; --print, --json and --agent give the address and open nothing.";
  static override args = {
    ref: optionalArg("an issue to open: its short id, project#id or full uid"),
  };
  static override flags = {
    print: booleanFlag("print the address, and open nothing"),
  };
  static override examples = examples({
    "The issues in a browser": "svc ui",
    "One issue": "svc ui abc4",
    "The page of the team's daemon": "svc ui --daemon team",
    "The address, to open within a minute": "svc ui abc4 --print",
  });

  protected override readonly ownDaemon = true;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Ui);
    const { url, ...validity } = await this.addressOf(args.ref);
    const printLink = (opened: boolean) =>
      this.print(answer({ url, opened, ...validity }), "daemon", ({ uiView }) => uiView);
    if (this.mode === "human" && flags.print) return this.writeLine(url);
    if (this.mode !== "human") return await printLink(false);
    const programs = browserPrograms(this.context.env, process.platform);
    const { openInBrowser } = await import("../src/cli/pages/open-browser.ts");
    const faults = await openInBrowser(programs, url, await this.browserEnv());
    if (faults === undefined) return await printLink(true);
    this.writeLine(url);
    throw this.notOpened(programs, faults, url);
  }

  private async addressOf(ref: string | undefined): Promise<PageAddress> {
    const session = await this.session();
    const client = await session.client();
    const { PAGES_API, pageAddress } = await import("../src/cli/pages/page-address.ts");
    if (ref === undefined) return await pageAddress(client);
    await session.requireApi(PAGES_API, "update the daemon, or open its page without a ref");
    const { issue } = await call(client, showIssue, { params: await this.target(ref) });
    return await pageAddress(client, issue.uid);
  }

  /**
   * The environment for the browser, without svc's own variables and without variables that contain tokens. The browser
   * runs longer than this command and needs no secrets.
   */
  private async browserEnv(): Promise<Readonly<Record<string, string | undefined>>> {
    const { config } = await (await this.session()).client();
    const tokens = new Set(secretVariables(config));
    return Object.fromEntries(
      Object.entries(this.context.env).filter(
        ([name]) => !name.startsWith("SVC_") && !tokens.has(name),
      ),
    );
  }

  private notOpened(
    programs: readonly BrowserProgram[],
    faults: readonly string[],
    url: string,
  ): CommandError {
    const { port, hostname } = new URL(url);
    const why = programs.length === 0 ? "there is no display here" : faults.join("; ");
    const hint = isRemoteShell(this.context.env)
      ? `on the machine of your browser run ssh -L ${port}:${hostname}:${port} with this machine's name, then open the address there`
      : "open the address yourself, or name a program that does in BROWSER";
    return new CommandError("internal", `no browser was opened: ${why}`, { hint });
  }
}
