import * as Flags from "@oclif/core/flags";
import { systemIds } from "../src/base/ids.ts";
import { SvcCommand } from "../src/cli/base.ts";
import { usage } from "../src/cli/failure.ts";
import { optionalArg } from "../src/cli/flags.ts";
import { colourMode } from "../src/cli/surroundings.ts";
import { call } from "../src/client/call.ts";
import { editEntry } from "../src/config/edit.ts";
import { loadConfig } from "../src/config/load.ts";
import { configPath } from "../src/config/paths.ts";
import type { Settings } from "../src/config/settings.ts";
import { hasManyColours } from "../src/config/terminal.ts";
import { SvcError } from "../src/contract/errors.ts";
import { showIssue } from "../src/contract/issues.ts";

export default class Tui extends SvcCommand {
  static override summary = "open the board: issues, graph, projects and who works on what";
  static override description =
    "A screen for the whole day, kept up to date by the daemon's event stream. Its last line always says which keys do something; ? lists all of them and : finds a command by name. With a ref the issue is opened at once.";
  static override args = {
    ref: optionalArg("an issue to open: its short id, project#id or full uid"),
  };
  static override flags = {
    "all-projects": Flags.boolean({
      summary: "issues of all projects",
      exclusive: ["project"],
    }),
    mouse: Flags.boolean({
      summary: "use the mouse: click chooses, the wheel moves",
      allowNo: true,
    }),
  };
  static override examples = [
    { description: "The board of this project", command: "<%= config.bin %> tui" },
    { description: "One issue, and the board behind it", command: "<%= config.bin %> tui abc4" },
    { description: "Everything there is", command: "<%= config.bin %> tui --all-projects" },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Tui);
    if (this.mode !== "human")
      throw usage("svc tui is a screen for people: leave --json and --agent out");
    const { stdout, env, cwd } = this.surroundings;
    if (!process.stdin.isTTY || !stdout.isTerminal)
      throw usage(
        "svc tui needs a terminal for input and output",
        "in a script, use svc list --json",
      );
    const session = await this.session();
    const client = await session.client();
    const { actor } = await session.who();
    const open = args.ref === undefined ? undefined : await this.uidOf(args.ref);
    const scope = flags["all-projects"] ? { project: undefined } : await this.scope();
    const { settings, home } = client.config;
    const colours = colourMode(env, stdout);
    const { runTui } = await import("../tui/index.ts");
    await runTui({
      client,
      actor,
      daemon: client.target.kind === "local" ? "local" : (await client.endpoint()).address,
      version: this.config.version,
      scope,
      open,
      colours,
      theme: themeOf(settings),
      glyphs: settings.tuiGlyphs,
      manyColours: hasManyColours(env),
      keys: settings.tuiKeys,
      layout: settings.tuiLayout,
      calm: settings.tuiReducedMotion || settings.noMotion,
      problems: client.config.screenWarnings,
      mouse: flags.mouse ?? settings.tuiMouse,
      confirmQuit: settings.tuiConfirmQuit,
      editor: settings.editor,
      session: systemIds().ulid(),
      inboxOf: settings.inboxUser ?? actor,
      views: viewsOf(settings),
      saveView: async (key, value) => {
        await editEntry(configPath(home), { table: "tui.views", key, value });
        return viewsOf((await loadConfig({ env, cwd })).settings);
      },
    });
  }

  private async uidOf(text: string): Promise<string> {
    const params = await this.target(text);
    return (await call(await (await this.session()).client(), showIssue, { params })).issue.uid;
  }

  /** The project of the folder; nothing where there is none, and the screen then asks. */
  private async scope(): Promise<
    { readonly project: { readonly id: number; readonly name: string } } | undefined
  > {
    try {
      const { id, name } = await (await this.session()).project();
      return { project: { id, name } };
    } catch (error) {
      const isUnknown = error instanceof SvcError && error.code === "project_not_initialized";
      if (isUnknown && this.globals.project === undefined) return undefined;
      throw error;
    }
  }
}

/** In the order of the file. */
function viewsOf({
  tuiViews,
}: Settings): readonly { readonly name: string; readonly query: string }[] {
  return Object.entries(tuiViews).map(([name, query]) => ({ name, query }));
}

/** Colours that a person chose instead of those that svc has for a role. */
function themeOf(settings: Settings): Readonly<Record<string, number>> {
  const chosen = {
    ref: settings.tuiThemeRef,
    ok: settings.tuiThemeOk,
    warn: settings.tuiThemeWarn,
    error: settings.tuiThemeError,
    done: settings.tuiThemeDone,
    dim: settings.tuiThemeDim,
  };
  const entries = Object.entries(chosen);
  return Object.fromEntries(
    entries.flatMap(([role, at]) => (at === undefined ? [] : [[role, at]])),
  );
}
