import { Command } from "@oclif/core/command";
import type { Config } from "@oclif/core/config";
import type { Input, ParserOutput } from "@oclif/core/interfaces";
import { ME, ME_WORD } from "../../contract/reserved-actors.ts";
import type { WeekdayDirection } from "../../domain/said-dates.ts";
import { CommandError, EXIT_CODES, type Failure, failureOf, usage } from "../failure/failure.ts";
import { OutputError } from "../failure/output-error.ts";
import { parseFailure } from "../failure/parse-failure.ts";
import { type Globals, globalFlags } from "../flags/flags.ts";
import { nameMe } from "../flags/me.ts";
import { refuseNumbers } from "../flags/refuse-numbers.ts";
import { type CutAnswer, cutNote, type Limits } from "../output/cut-note.ts";
import { jsonLine } from "../output/json-line.ts";
import { chooseMode, type Mode } from "../output/mode.ts";
import { type Answer, type LongView, type View, withVersion } from "../output/output.ts";
import { writeLines } from "../output/write-lines.ts";
import { colourMode, type ProcessContext, processContext } from "../process-context.ts";
import type { Style } from "../render/palette.ts";
import type { Progress } from "../render/progress.ts";
import type { ViewFile, Views } from "../render/views.ts";
import type { OfflineSession } from "../session/offline-session.ts";

type Words = Record<string, unknown>;

/**
 * Base of all commands: global flags, output mode, exit codes (docs/contract/command-line.md#1-every-command). It loads
 * neither zod, an HTTP library nor a renderer, so that a command that prints JSON starts fast.
 */
export abstract class BaseCommand extends Command {
  static override baseFlags = globalFlags;
  /** Output formats that this command has in addition to human, json and agent. */
  static readonly formats: readonly string[] = [];

  /** Tests replace the context, because they run a command inside their own process. */
  context: ProcessContext = processContext();
  protected mode: Mode = "human";
  protected globals: Globals = {};
  /** True if a command that can change something has found that there was nothing to change. */
  protected changedNothing = false;

  override async init(): Promise<void> {
    const { formats } = this.constructor as typeof BaseCommand;
    const { mode, problem } = chooseMode(this.argv, formats);
    this.mode = mode;
    if (problem !== undefined) throw usage(problem);
  }

  protected get quiet(): boolean {
    return this.globals.quiet === true;
  }

  /** The last word of the command's name, such as `add`. */
  protected get leaf(): string {
    return this.id?.split(":").at(-1) ?? "svc";
  }

  protected override async parse<F extends Words, B extends Words, A extends Words>(
    options?: Input<F, B, A>,
    argv: string[] = this.argv,
  ): Promise<ParserOutput<F, B, A>> {
    const input = options ?? (this.ctor as Input<F, B, A>);
    const args = Object.keys(input.args ?? {});
    try {
      const parsed = await super.parse<F, B, A>(input, argv);
      refuseNumbers(argv, parsed, args[0]);
      const declared = Object.entries({ ...input.baseFlags, ...input.flags });
      const plain = declared.filter(([, flag]) => flag.type === "boolean" && !flag.allowNo);
      parsed.flags = {
        ...Object.fromEntries(plain.map(([name]) => [name, false])),
        ...parsed.flags,
      };
      const { workspace, project, daemon, as, teammate, fence, quiet } = parsed.flags as Globals;
      this.globals = { workspace, project, daemon, as, teammate, fence, quiet };
      await nameMe(parsed.flags, input.flags ?? {}, async (name) => await this.nameMeant(name));
      return parsed;
    } catch (error) {
      const flags = { ...input.baseFlags, ...input.flags };
      const failure = await parseFailure(error, { id: this.id ?? "", argv, flags, args });
      if (failure === undefined) throw error;
      throw new CommandError(failure.kind, failure.message, failure);
    }
  }

  /**
   * Writes the result, and nothing else, to stdout: with `--json` the daemon's answer, otherwise the text that a view
   * makes of this answer. `file` is the file of `render/` that has the view, and `choose` selects the view in that
   * file.
   */
  protected async print<T, F extends ViewFile>(
    answer: Answer<T>,
    file: F,
    choose: (views: Views<F>) => View<T> | LongView<T> | Promise<View<T>>,
  ): Promise<void> {
    if (this.mode === "json") return await this.writeJson(answer);
    const { VIEWS } = await import("../render/views.ts");
    const views = (await VIEWS[file]()) as Views<F>;
    const { human, agent, refs } = await choose(views);
    const body = answer.body();
    if (this.mode === "human" && this.quiet && refs !== undefined) {
      const { quietRefs } = await import("../output/quiet.ts");
      return writeLines(
        this.context.stdout,
        quietRefs(refs(body), await (await this.session()).projectName()),
      );
    }
    const text = this.mode === "agent" ? agent(body, this.quiet) : human(body, await this.style());
    await this.writeText(text);
  }

  /**
   * Writes an answer as received, with the version key in front
   * (docs/contract/command-line.md#13-streams-and-failures).
   */
  protected async writeJson(answer: Answer<unknown>): Promise<void> {
    const line = answer.bytes && jsonLine(answer.bytes);
    if (line === undefined) this.writeLine(withVersion(answer.json));
    else this.context.stdout.write(line);
  }

  /**
   * Writes a text for people or agents. If `text` is an iterable, its first lines are written before its last lines are
   * made.
   */
  protected async writeText(text: string | Iterable<string>): Promise<void> {
    if (typeof text !== "string") writeLines(this.context.stdout, text);
    else if (text !== "") this.writeLine(text);
  }

  protected writeLine(text: string): void {
    this.context.stdout.write(`${text}\n`);
  }

  protected note(text: string): void {
    this.context.stderr.write(`${text}\n`);
  }

  /** Says on stderr, in every output mode, what the answer leaves out and how to get it. */
  protected noteCut(answer: CutAnswer, limits: Limits): void {
    const note = cutNote(answer, limits);
    if (note !== undefined) this.note(note);
  }

  /** Writes a text for people to stderr. With `--json`, `--agent` or `-q` it prints nothing. */
  protected remark(text: string): void {
    if (this.mode === "human" && !this.quiet) this.note(text);
  }

  protected async progress(what: string): Promise<Progress> {
    const { progressBar } = await import("../render/progress.ts");
    return progressBar(this.context.stderr, what);
  }

  protected async style(): Promise<Style> {
    const { paintFor } = await import("../render/palette.ts");
    const { env, stdout } = this.context;
    return { paint: paintFor(colourMode(env, stdout)), columns: stdout.columns, quiet: this.quiet };
  }

  /** Converts the time of a flag to an instant. If a person gave a word or a day, prints the instant that it means. */
  protected async instant(flag: string, text: string, looking?: WeekdayDirection): Promise<string> {
    const { instantOf } = await import("../../shared/moment.ts");
    const { hereAndNow } = await import("../flags/when.ts");
    const { instant, isSaid } = instantOf(flag, text, hereAndNow(), looking);
    if (isSaid) this.remark(`${flag} ${text} is ${instant}`);
    return instant;
  }

  /** The name that changes are attributed to (docs/contract/command-line.md#51-actor). */
  protected async actor(): Promise<string> {
    return await (await this.session()).actor();
  }

  /**
   * Returns the name that a person means: `@me` and `me` mean the person's own name. Throws if `me` may also be another
   * person's name.
   */
  protected async nameMeant(text: string): Promise<string> {
    if (text !== ME && text !== ME_WORD) return text;
    const { nameMeant } = await import("../../shared/me.ts");
    return await nameMeant(text, {
      actor: async () => await this.actor(),
      isSomebody: async (name) => await this.isSomebody(name),
    });
  }

  /**
   * Whether a person of this name has written something or owns an issue. Always false in a command without a daemon.
   */
  protected async isSomebody(_name: string): Promise<boolean> {
    return false;
  }

  /**
   * The session of the command: its settings, workspace and context. Only the session of a command that needs a daemon
   * can call a daemon.
   */
  protected abstract session(): Promise<OfflineSession>;

  /** Lets another command run this command line. That command also reports its own failure. */
  protected async handOver(
    Other: new (argv: string[], config: Config) => BaseCommand,
  ): Promise<void> {
    const other = new Other(this.argv, this.config);
    other.id = this.id;
    other.context = this.context;
    await other._run();
  }

  /** The daemon's answers to the changes that this command has made. */
  protected async made(): Promise<readonly Buffer[]> {
    return [];
  }

  async #failureOf(error: unknown): Promise<Failure> {
    if (!(error instanceof OutputError)) return failureOf(error);
    const { outputFailure } = await import("../failure/output-failure.ts");
    const { id = "", changedNothing } = this;
    return outputFailure(error, { id, made: await this.made(), changedNothing });
  }

  override async catch(error: unknown): Promise<void> {
    // Without this, oclif warns that the arguments were never parsed.
    this.parsed = true;
    const failure = await this.#failureOf(error);
    const { failureText } = await import("../render/failure.ts");
    this.note(failureText(failure, this.mode, this.leaf));
    this.context.exitWith(EXIT_CODES[failure.kind]);
  }
}
