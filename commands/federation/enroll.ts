import { newSecret } from "../../src/base/secret.ts";
import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { usage } from "../../src/cli/failure/failure.ts";
import {
  booleanFlag,
  examples,
  optionalArg,
  requiredFlag,
  textFlag,
} from "../../src/cli/flags/flags.ts";
import { joinLine } from "../../src/cli/render/join-line.ts";
import { adminTokenCure, saidByHub } from "../../src/cli/session/hub.ts";
import { untilAnswered } from "../../src/cli/session/until-answered.ts";
import { type HubAddress, hubTarget } from "../../src/client/hub-target.ts";
import {
  createFederationEnrollment,
  enableProjectFederation,
} from "../../src/contract/federation.ts";
import { initProject } from "../../src/contract/projects.ts";

interface Flags {
  readonly "spoke-instance": string;
  readonly actor: string;
  readonly capabilities?: string | undefined;
  readonly "adopt-existing": boolean;
  readonly "hub-url"?: string | undefined;
  readonly "hub-token-env"?: string | undefined;
  readonly "allow-insecure": boolean;
}

export default class FederationEnroll extends SvcCommand {
  static override summary = "permit another daemon to copy a project, and print its token once";
  static override description =
    "Creates the project on the hub if it is not there, enables federation for it, and makes an enrollment. Prints the token, and the command for the other machine, which asks for it. What the other daemon reads cannot be called back: see svc federation enable.";
  static override args = { project: optionalArg("name of the project on the hub") };
  static override flags = {
    "spoke-instance": requiredFlag("what svc federation identity prints there", "<uid>"),
    actor: requiredFlag("to whom the changes of the other daemon are attributed", "<actor>"),
    capabilities: textFlag("what it may do; default pull,push,lease", "<list>"),
    "adopt-existing": booleanFlag(
      "let it hand over a project that it has, with issues by other authors",
    ),
    "hub-url": textFlag(
      "the hub, with its path, if it has one; default the daemon of the command",
      "<url>",
    ),
    "hub-token-env": textFlag(
      "the variable with a token of the hub for administration; needed with --hub-url",
      "<VAR>",
    ),
    "allow-insecure": booleanFlag("allow plain http to a hub that is no private address"),
  };
  static override examples = examples({
    "A daemon that only reads":
      "svc federation enroll web --spoke-instance 01J9ZV4Z7Q6M3W8K2T5B1N0C9D --actor sam --capabilities pull",
    "At a hub elsewhere":
      "svc federation enroll web --spoke-instance 01J9ZV4Z7Q6M3W8K2T5B1N0C9D --actor sam --hub-url https://hub.example --hub-token-env HUB_ADMIN_TOKEN",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FederationEnroll);
    const hub = this.#hubOf(flags);
    if (hub !== undefined) this.choose = (config) => hubTarget(config, hub);
    const session = await this.session();
    await session.selection(); // a fault of --hub-url is no refusal of the hub
    const name = args.project ?? (await session.chosenProject());
    if (name === undefined) throw usage("name the project: svc federation enroll <project>");
    const enroll = async () => await this.#enroll(name, flags);
    if (hub === undefined) await enroll();
    else await saidByHub(enroll, adminTokenCure(`the variable ${flags["hub-token-env"]}`));
    await this.#warnUnreachable();
  }

  async #enroll(name: string, flags: Flags): Promise<void> {
    const actor = await this.actor();
    const { project } = (await this.call(initProject, { body: { name, actor } })).body();
    const params = { project_id: project.id };
    await this.call(enableProjectFederation, { params, body: { actor } });
    const capabilities = flags.capabilities ?? "pull,push,lease";
    const request = {
      body: {
        token: `svc_fed_${newSecret()}`,
        spoke_instance_uid: flags["spoke-instance"],
        project_id: project.id,
        capabilities,
        actor: flags.actor,
        ...(flags["adopt-existing"] ? { allow_adoption_snapshot_authors: true } : {}),
      },
    };
    const enrolled = await untilAnswered(
      async () => await this.call(createFederationEnrollment, request),
    );
    const joining = joinLine({
      hubUrl: flags["hub-url"],
      projectId: project.id,
      actor: flags.actor,
      capabilities,
      adopts: flags["adopt-existing"],
      allowInsecure: flags["allow-insecure"],
    });
    await this.print(enrolled, "federation", ({ enrolledView }) => enrolledView(joining));
  }

  /**
   * Returns the hub that `--hub-url` names, with its token. Returns undefined without `--hub-url`: the daemon of the
   * command is then the hub.
   */
  #hubOf(flags: Flags): HubAddress | undefined {
    const { "hub-url": url, "hub-token-env": variable, "allow-insecure": allowInsecure } = flags;
    if (url === undefined) {
      if (variable === undefined) return undefined;
      throw usage("--hub-token-env belongs to --hub-url: the hub that it is a token of");
    }
    if (this.globals.daemon !== undefined)
      throw usage("--hub-url and --daemon name two daemons: give one");
    // Require a token for the hub. Otherwise the token of this machine's daemon could be sent to the hub.
    if (variable === undefined)
      throw usage("--hub-url needs --hub-token-env: the variable with the token of that hub");
    const text = this.context.env[variable] ?? "";
    if (text === "") throw usage(`--hub-token-env: the variable ${variable} is not set`);
    const credential = { text, from: `the variable ${variable}` };
    return { url, from: "--hub-url", allowInsecure, credential };
  }

  /** Warns if the hub is this machine's daemon and other machines cannot reach this daemon. */
  async #warnUnreachable(): Promise<void> {
    const { config, target } = await (await this.session()).client();
    if (target.kind !== "local") return;
    const { listensOnTcp } = await import("../../src/client/listens-on-tcp.ts");
    if ((await listensOnTcp(config)) !== false) return;
    this.note(
      "warning: this hub listens on a socket only, so no other machine can reach it. Set listen and [auth] token in config.toml (docs/remote.md), then svc daemon restart",
    );
  }
}
