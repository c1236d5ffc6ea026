import { systemClock } from "../../base/clock.ts";
import { type CallInput, changesState, type Output, type Route } from "../../contract/route.ts";
import type { NamedProject } from "../../shared/project-choice.ts";
import type { IssuePlace } from "../../shared/ref.ts";
import { oneLine } from "../../shared/text.ts";
import { CommandError, failureOf } from "../failure/failure.ts";
import type { Answer } from "../output/output.ts";
import type { FencedOptions, Session, SessionOptions } from "../session/session.ts";
import { BaseCommand } from "./base-command.ts";

/**
 * Base of the commands that call a daemon. The first call finds the daemon. If this is the machine's own daemon and it
 * does not run, the call starts it.
 */
export abstract class SvcCommand extends BaseCommand {
  /** `false` in commands that never start a daemon. */
  protected readonly autostart: boolean = true;
  /** Limits the wait for each answer of the daemon, whatever the settings say. */
  protected readonly longestWaitMs: number | undefined;
  /**
   * Whether the command acts on this machine's daemon even if the workspace or the settings select another daemon. The
   * flag `--daemon` still selects another daemon.
   */
  protected readonly ownDaemon: boolean = false;
  /** Selects the daemon, whatever flags and settings name. The command sets it before its first call. */
  protected choose: SessionOptions["choose"];
  #session: Session | undefined;
  #interrupted: Promise<void> | undefined;
  /** Warnings in the answers to changes. They are printed last, below what the command prints. */
  readonly #warnings: string[] = [];

  /** Calls a route. The first call finds the daemon, or starts a local daemon. */
  protected async call<R extends Route>(
    route: R,
    input: CallInput<R>,
    options?: FencedOptions,
  ): Promise<Answer<Output<R>>> {
    const answer = await this.#answerTo(route, input, options);
    if (changesState(route)) this.#keepWarnings(answer);
    return answer;
  }

  async #answerTo<R extends Route>(
    route: R,
    input: CallInput<R>,
    options?: FencedOptions,
  ): Promise<Answer<Output<R>>> {
    const answer = (await this.session()).call(route, input, options);
    if (route.lengthy === undefined || this.mode !== "human") return await answer;
    // `answer` may be rejected while the module is loaded. Without this handler, Node would then end the process. The
    // error is not lost, because `waitLong` waits for `answer` too.
    answer.catch(() => undefined);
    const { interruption, waitLong } = await import("../session/long-wait.ts");
    this.#interrupted ??= interruption(this.context);
    return await waitLong(this.context, systemClock, answer, this.#interrupted);
  }

  /**
   * Keeps the warnings in an answer, to print them last. With `--json` there is no need, because the printed answer
   * itself contains the warnings.
   */
  #keepWarnings({ bytes, body }: Answer<unknown>): void {
    if (this.mode === "json" || bytes?.includes('"warnings":[') !== true) return;
    const { warnings = [] } = body() as { readonly warnings?: readonly { message: string }[] };
    this.#warnings.push(...warnings.map(({ message }) => message));
  }

  protected override async isSomebody(name: string): Promise<boolean> {
    const { isSomebody } = await import("../session/somebody.ts");
    return await isSomebody(await this.session(), name);
  }

  protected async projectId(): Promise<number> {
    return (await (await this.session()).project()).id;
  }

  protected async target(ref: string): Promise<IssuePlace> {
    return await (await this.session()).target(ref);
  }

  /** Like `target`, but also finds an issue of an archived project, which the ref or `--project` must name. */
  protected async targetAnywhere(ref: string): Promise<IssuePlace> {
    const { targetAnywhere } = await import("../session/projects.ts");
    return await targetAnywhere(await this.session(), ref);
  }

  /**
   * Finds the project, archived or not, that the text names by id, name or repository. Without a text, returns the
   * project of the command.
   */
  protected async selectProject(text: string | undefined): Promise<NamedProject> {
    const { selectProject } = await import("../session/projects.ts");
    return await selectProject(await this.session(), text);
  }

  /**
   * Lets a person at a terminal write a text in the editor, and sends it. Returns `undefined` without a terminal; the
   * command then requires the text as a flag.
   */
  protected async inEditor<T>(
    before: () => Promise<{ readonly text: string; readonly help: string }>,
    send: (text: string) => Promise<T>,
  ): Promise<{ readonly sent: T } | undefined> {
    const { stdinIsTerminal, stdout } = this.context;
    if (this.mode !== "human" || !stdinIsTerminal || !stdout.isTerminal) return undefined;
    const { inEditor } = await import("../input/in-editor.ts");
    const { configuredProgramEnv } = await import("../../config/secret-variables.ts");
    const { config } = await (await this.session()).client();
    const editor = { command: config.settings.editor, env: configuredProgramEnv(config) };
    return { sent: await inEditor(editor, await before(), send) };
  }

  protected override async session(): Promise<Session> {
    if (this.#session === undefined) {
      const { Session } = await import("../session/session.ts");
      const { context, globals, autostart, longestWaitMs, ownDaemon, choose } = this;
      const { version } = this.config;
      const options = { context, globals, autostart, longestWaitMs, ownDaemon, choose, version };
      this.#session = new Session(options);
    }
    return this.#session;
  }

  /** Runs `work` with the session of a second daemon. Starts no daemon. */
  protected async withDaemon<T>(
    choose: NonNullable<SessionOptions["choose"]>,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const { Session } = await import("../session/session.ts");
    const { context, globals, longestWaitMs } = this;
    const { version } = this.config;
    const session = new Session({
      ...{ context, globals, choose, longestWaitMs, version },
      autostart: false,
    });
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  }

  /**
   * Adds the comment of `--comment` after the command has changed the issue. If the comment fails, the error says that
   * the change was made.
   */
  protected async alsoComment(params: IssuePlace, text: string | undefined): Promise<void> {
    if (text === undefined) return;
    const { createComment } = await import("../../contract/comments.ts");
    const teammate = await (await this.session()).teammate();
    try {
      await this.call(createComment, {
        params,
        body: { body: text, teammate, actor: await this.actor() },
      });
    } catch (error) {
      const failure = failureOf(error);
      throw new CommandError(
        failure.kind,
        `the change was made, but not the comment: ${failure.message}`,
        failure,
      );
    }
  }

  protected override async made(): Promise<readonly Buffer[]> {
    return (await this.#session?.made()) ?? [];
  }

  override async finally(): Promise<void> {
    for (const warning of this.#warnings) this.note(`warning: ${oneLine(warning)}`);
    await this.#session?.close();
  }
}
