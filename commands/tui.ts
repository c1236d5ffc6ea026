import { isatty } from "node:tty";
import { systemIds } from "../src/base/ids.ts";
import { localZone } from "../src/base/zone.ts";
import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { usage } from "../src/cli/failure/failure.ts";
import { booleanFlag, examples, onOffFlag, optionalArg, textFlag } from "../src/cli/flags/flags.ts";
import {
  MAX_RECORDING_BYTES,
  newRecordingFile,
  recordingText,
  speedOf,
} from "../src/cli/input/recording-file.ts";
import { colourMode } from "../src/cli/process-context.ts";
import { screenDaemons } from "../src/cli/session/screen-daemons.ts";
import { call, requestOf } from "../src/client/call.ts";
import { firstPage } from "../src/client/issue-pages.ts";
import { editEntry } from "../src/config/edit.ts";
import { type Config, loadConfig } from "../src/config/load.ts";
import { configPath, draftsDir } from "../src/config/paths.ts";
import { configuredProgramEnv } from "../src/config/secret-variables.ts";
import type { Settings } from "../src/config/settings.ts";
import { clipboardOf, hasManyColours, isDumb } from "../src/config/terminal.ts";
import { invalid } from "../src/contract/errors.ts";
import { instance } from "../src/contract/health.ts";
import { showIssue } from "../src/contract/issues.ts";

interface LookFlags {
  readonly mouse: boolean | undefined;
  readonly "show-cursor": boolean;
  readonly "screen-reader": boolean;
}

export default class Tui extends SvcCommand {
  static override summary = "open the terminal screen: board, inbox, graph, cron, fleet";
  static override description =
    "A screen that you can keep open all day; the daemon's event stream keeps it up to date. Its last line names the keys that do something now; ? lists all keys, and : finds a command by name. With a ref, that issue is opened.";
  static override args = {
    ref: optionalArg("an issue to open: its short id, project#id or full uid"),
  };
  static override flags = {
    "all-projects": booleanFlag("issues of all projects", { exclusive: ["project"] }),
    "print-selection": booleanFlag("when you quit, print the marked issues, or the selected one", {
      exclusive: ["replay"],
    }),
    record: textFlag("record what the screen receives, into a new file", "<file>", {
      exclusive: ["replay"],
    }),
    replay: textFlag(
      "show a recording; no daemon is needed, and nothing can be changed",
      "<file>",
      { exclusive: ["all-projects"] },
    ),
    speed: textFlag("play the recording this many times faster, 0.1 to 10000", "<n>", {
      dependsOn: ["replay"],
    }),
    mouse: onOffFlag(
      "use the mouse: click selects, the wheel scrolls; --no-mouse leaves it to the terminal",
      undefined,
    ),
    "show-cursor": booleanFlag("show the terminal's cursor on the selected row, for magnifiers"),
    "screen-reader": booleanFlag("print the screen as lines of text for a screen reader"),
  };
  static override examples = examples({
    "The board of this project": "svc tui",
    "One issue, and the board behind it": "svc tui abc4",
    "Everything there is": "svc tui --all-projects",
    "Choose issues on the screen, and go on with them in the shell":
      "svc show $(svc tui --print-selection)",
    "Record what the screen receives": "svc tui --record day.svcr",
    "Watch a whole day in a few minutes": "svc tui --replay day.svcr --speed 100",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Tui);
    if (this.mode !== "human")
      throw usage("svc tui is a screen for people: leave --json and --agent out");
    // With `--print-selection` the shell reads stdout, so the screen is drawn on stderr.
    const { isTerminal } = this.context.stdout;
    const isOnStderr = flags["print-selection"] && !isTerminal;
    const isSeen = isOnStderr ? isatty(2) : isTerminal;
    if (!process.stdin.isTTY || !isSeen)
      throw usage(
        "svc tui needs a terminal for input and output",
        "in a script, use svc list --json",
      );
    if (flags.replay !== undefined) return await this.replay(flags.replay, flags, args.ref);
    const session = await this.session();
    const client = await session.client();
    const look = this.look(client.config, flags);
    const actor = await session.actor();
    // Send the first request now, so that the daemon answers while the screen is loaded.
    const isKnown = client.ahead(requestOf(instance, {}));
    const open = args.ref === undefined ? undefined : await this.uidOf(args.ref);
    const own = flags["all-projects"] ? undefined : await session.projectIfAny();
    const project = own && { id: own.id, name: own.name };
    // If the scope is `undefined`, the screen asks for a project.
    const scope = flags["all-projects"] || project !== undefined ? { project } : undefined;
    // Read the issues only when the cursor for following the log is known, so that no change in between is missed.
    await isKnown;
    if (scope !== undefined) void client.ahead(firstPage(scope.project?.id));
    const { current: daemon, daemons, open: openDaemon } = screenDaemons(client);
    const record =
      flags.record === undefined ? undefined : newRecordingFile(flags.record, this.context.cwd);
    const { runTui } = await import("../tui/index.ts");
    const { code, selected } = await runTui({
      source: {
        from: "daemon",
        client,
        open: openDaemon,
        ownActor: async () => (await session.who()).actor,
        record,
        maxBytes: MAX_RECORDING_BYTES,
      },
      draftFolder: draftsDir(client.config.home),
      actor,
      daemon,
      daemons,
      scope,
      open,
      inboxOf: client.config.settings.inboxUser ?? actor,
      zone: localZone(),
      ...look,
      ...(isOnStderr ? { stdout: process.stderr } : {}),
    });
    if (flags["print-selection"]) for (const ref of selected) this.writeLine(ref);
    // The process ends without waiting for pending requests, so that the person has the terminal back at once.
    process.exit(code);
  }

  private look(config: Config, flags: LookFlags) {
    const { settings, home, screenWarnings } = config;
    const { env, cwd, stdout } = this.context;
    const ofPrograms = configuredProgramEnv(config);
    const dumb = isDumb(env);
    const screenReader = flags["screen-reader"] || settings.screenReader;
    if (dumb && !screenReader)
      throw usage(
        "this terminal (TERM=dumb) only writes lines, and svc tui is a whole screen",
        "svc tui --screen-reader says in lines what the screen would show",
      );
    return {
      version: this.config.version,
      configFile: configPath(home),
      colours: colourMode(env, { ...stdout, isTerminal: true }),
      theme: themeOf(settings),
      glyphs: settings.tuiGlyphs,
      manyColours: hasManyColours(env),
      keys: settings.tuiKeys,
      clipboard: { ...clipboardOf(env), env: ofPrograms },
      showCursor: flags["show-cursor"],
      screenReader,
      dumb,
      layout: settings.tuiLayout,
      columns: settings.tuiColumns,
      commands: Object.entries(settings.tuiCommands).map(([name, argv]) => ({ name, argv })),
      saveColumns: async (value: string | undefined) =>
        await editEntry(configPath(home), { table: "tui", key: "columns", value }),
      silentAfterMs: settings.tuiSilentAfter,
      calm: settings.tuiReducedMotion || settings.noMotion,
      problems: screenWarnings,
      mouse: flags.mouse ?? settings.tuiMouse,
      confirmQuit: settings.tuiConfirmQuit,
      editor: { command: settings.editor, env: ofPrograms },
      session: systemIds().ulid(),
      views: viewsOf(settings),
      saveView: async (key: string, value: string | undefined) => {
        await editEntry(configPath(home), { table: "tui.views", key, value });
        return viewsOf((await loadConfig({ env, cwd })).settings);
      },
    };
  }

  private async replay(
    file: string,
    flags: LookFlags & { readonly speed: string | undefined },
    ref: string | undefined,
  ): Promise<void> {
    if (ref !== undefined)
      throw usage("a recording is shown from its start: leave the ref out", "enter opens an issue");
    if (this.globals.project !== undefined)
      throw usage("a recording shows the project that it was made of: leave --project out");
    const times = speedOf(flags.speed ?? "1");
    const { readRecording, runTui } = await import("../tui/index.ts");
    const read = readRecording(recordingText(file, this.context.cwd));
    if ("wrong" in read) throw invalid(`${file}, line ${read.line}: ${read.wrong}`);
    const { recording } = read;
    // Only the client's settings are needed. No daemon is called or started.
    const { config } = await (await this.session()).client();
    const { code } = await runTui({
      source: { from: "recording", recording, speed: times },
      ...recording.opening,
      daemons: [],
      draftFolder: undefined,
      ...this.look(config, flags),
    });
    if (code !== 0) this.context.exitWith(code);
  }

  private async uidOf(text: string): Promise<string> {
    const params = await this.target(text);
    return (await call(await (await this.session()).client(), showIssue, { params })).issue.uid;
  }
}

function viewsOf({
  tuiViews,
}: Settings): readonly { readonly name: string; readonly query: string }[] {
  return Object.entries(tuiViews).map(([name, query]) => ({ name, query }));
}

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
