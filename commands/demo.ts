import { instantToMs, msToInstant, systemClock } from "../src/base/clock.ts";
import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import type { DemoHome } from "../src/cli/demo/home.ts";
import type { DemoOutput } from "../src/cli/demo/run.ts";
import { CommandError, EXIT_CODES } from "../src/cli/failure/failure.ts";
import { booleanFlag, examples, onOffFlag } from "../src/cli/flags/flags.ts";
import { answer } from "../src/cli/output/output.ts";
import { thisProgram } from "../src/client/program.ts";
import { isDumb } from "../src/config/terminal.ts";

const DAY_MS = 86_400_000;

export default class Demo extends SvcCommand {
  static override summary = "show svc at work on a small temporary project";
  static override description =
    "In a folder of its own it starts a daemon, makes a project with svc's own commands, and shows the list, what is ready, why one issue is not, and the last events. Nothing of yours is read or changed. On a terminal it then opens the board of that project (svc tui), which q leaves. Afterwards the daemon is stopped and the folder removed, unless --keep.";
  static override flags = {
    keep: booleanFlag("keep the project and print its folder"),
    board: onOffFlag("on a terminal, open the board at the end", true),
  };
  static override examples = examples({
    "Have a look": "svc demo",
    "Try things out on it afterwards": "svc demo --keep",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(Demo);
    const { launcher } = thisProgram(this.config.version);
    if (launcher === undefined) {
      throw new CommandError(
        "internal",
        "the demo runs svc itself, and this is not its own launcher",
      );
    }
    const { makeDemoHome } = await import("../src/cli/demo/home.ts");
    const demo = makeDemoHome(launcher, this.context.env);
    let keep = false;
    try {
      await this.#run(demo, flags.keep, launcher);
      if (flags.board) await this.#openBoard(demo);
      keep = flags.keep;
    } catch (error) {
      if (!demo.signal.aborted) throw error;
      this.context.exitWith(EXIT_CODES.interrupted);
    } finally {
      await demo.remove(keep);
    }
  }

  async #run(demo: DemoHome, keep: boolean, launcher: string): Promise<void> {
    const { runDemo } = await import("../src/cli/demo/run.ts");
    const { folderForPath } = await import("../src/cli/demo/path-folder.ts");
    const output = await this.#output();
    output.say(
      `svc demo: a throw-away home and project, nothing of yours is touched
${demo.folder}`,
    );
    const { refs, ...made } = await runDemo(demo, output);
    const body = { ...made, kept: keep, ...(keep ? { folder: demo.folder } : {}) };
    const ref = refs.get("merge") ?? "";
    const pathFolder = folderForPath(launcher, this.context.env);
    await this.print(answer(body), "demo", ({ demoView }) => demoView(demo, ref, pathFolder));
  }

  async #openBoard(demo: DemoHome): Promise<void> {
    const { stdout, env } = this.context;
    const isSeen = process.stdin.isTTY && stdout.isTerminal && !isDumb(env);
    if (isSeen && this.mode === "human" && !this.quiet) await demo.show(["tui"]);
  }

  async #output(): Promise<DemoOutput> {
    const { paint } = await this.style();
    const today = instantToMs(systemClock.now());
    const shown = this.mode === "human" && !this.quiet;
    return {
      say: (text) => {
        if (shown) this.writeLine(text);
      },
      paint,
      progress: await this.progress("making issues"),
      mode: shown ? [] : undefined,
      day: (days) => msToInstant(today + days * DAY_MS).slice(0, "YYYY-MM-DD".length),
    };
  }
}
