import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { CommandError, usage } from "../../src/cli/failure/failure.ts";
import { booleanFlag, examples, optionalArg, textFlag } from "../../src/cli/flags/flags.ts";
import { adminTokenCure, saidByHub } from "../../src/cli/session/hub.ts";
import type { Session } from "../../src/cli/session/session.ts";
import { untilAnswered } from "../../src/cli/session/until-answered.ts";
import { type HubAddress, hubTarget } from "../../src/client/hub-target.ts";
import type { Config } from "../../src/config/load.ts";
import {
  listFederationEnrollments,
  revokeFederationEnrollment,
} from "../../src/contract/federation.ts";
import { leaveFederationReplica } from "../../src/contract/federation-replicas.ts";
import { instance } from "../../src/contract/health.ts";
import { showProject } from "../../src/contract/projects.ts";
import type { Output } from "../../src/contract/route.ts";

type Pending = NonNullable<Output<typeof leaveFederationReplica>["pending_enrollment"]>;
type Enrollment = Output<typeof listFederationEnrollments>["enrollments"][number];

export default class FederationLeave extends SvcCommand {
  static override summary = "end the copying of a project, which stays as an ordinary one";
  static override description =
    "Stops reading, revokes the enrollment of this daemon on the hub, and removes the binding and the token. The issues stay, and can be changed from then on. Repeating it finishes what was interrupted. With --local-only the hub is not asked: revoke the enrollment there.";
  static override args = { project: optionalArg("name or id of the project, archived or not") };
  static override flags = {
    delete: booleanFlag("archive the project too"),
    force: booleanFlag("archive it even if it has open issues", { dependsOn: ["delete"] }),
    "local-only": booleanFlag("leave the enrollment on the hub as it is"),
    hub: textFlag("the [[daemon]] entry of the hub, with its token", "<name>"),
    "hub-token-env": textFlag("the variable with a token of the hub for administration", "<VAR>"),
    "allow-insecure": booleanFlag("allow plain http to a hub that is no private address"),
  };
  static override examples = examples({
    "With a token of the hub": "svc federation leave web --hub-token-env HUB_ADMIN_TOKEN",
    "Without asking the hub": "svc federation leave web --local-only",
    "And archive the copy": "svc federation leave web --delete --hub team",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FederationLeave);
    const given = this.#hubOf(flags);
    const { id: project_id } = await this.selectProject(args.project);
    const params = { project_id };
    const body = {
      disposition: flags.delete ? ("archive" as const) : ("detach" as const),
      ...(flags.force ? { force: true } : {}),
      actor: await this.actor(),
    };
    const looked = await this.call(leaveFederationReplica, {
      params,
      body: { ...body, preflight: true },
    });
    const { pending_enrollment: pending } = looked.body();
    if (pending !== undefined) {
      const hub = given ?? (await this.#entryOf(pending));
      if (hub === undefined)
        throw usage(
          "the enrollment is to be revoked on the hub, and no [[daemon]] entry has its address: give --hub-token-env or --hub, or --local-only",
        );
      const prepare = async () =>
        await this.call(leaveFederationReplica, { params, body: { ...body, prepare: true } });
      const insecure = pending.allow_insecure === true || flags["allow-insecure"];
      if (hub !== "local")
        await this.#revoke(hub, { ...pending, allow_insecure: insecure }, prepare);
      else {
        await prepare();
        this.note(
          `the enrollment on ${pending.hub_url} stays: svc federation revoke ends it there`,
        );
      }
    }
    const left = await this.call(leaveFederationReplica, { params, body });
    await this.print(left, "replicas", ({ leftView }) => leftView);
    await this.#tellOfMapping(left.body().project.name);
  }

  /** Warns if config.toml still names the project, because the daemon would copy it again at its next start. */
  async #tellOfMapping(name: string): Promise<void> {
    const { config } = await (await this.session()).client();
    if (!config.mappings.some(({ spoke_project }) => spoke_project === name)) return;
    this.note(
      `config.toml copies ${name}: remove its [[federation.project]] before the daemon restarts, or it is copied again`,
    );
  }

  #hubOf(flags: {
    readonly "local-only": boolean;
    readonly hub?: string | undefined;
    readonly "hub-token-env"?: string | undefined;
  }): Hub | "local" | undefined {
    const { hub, "hub-token-env": variable } = flags;
    if (
      [flags["local-only"], hub, variable].filter((one) => one !== undefined && one !== false)
        .length > 1
    )
      throw usage("give one of --local-only, --hub and --hub-token-env");
    if (flags["local-only"]) return "local";
    if (hub !== undefined) return { daemon: hub };
    if (variable === undefined) return undefined;
    const token = this.context.env[variable] ?? "";
    if (token === "") throw usage(`--hub-token-env: the variable ${variable} is not set`);
    return { text: token, from: `the variable ${variable}` };
  }

  /** Returns the `[[daemon]]` entry that has the origin of the hub's URL; undefined if no entry has it. */
  async #entryOf({ hub_url }: Pending): Promise<Hub | undefined> {
    const { config } = await (await this.session()).client();
    const { origin } = new URL(hub_url);
    const entry = config.catalog.find((one) => one.origin?.text === origin);
    return entry === undefined ? undefined : { daemon: entry.name };
  }

  /**
   * Revokes the enrollments of this daemon for the project on the hub. Throws if the daemon at the hub's URL does not
   * have this project. `prepare` is called only when the enrollments are known. So if the hub does not answer, the copy
   * stays unchanged.
   */
  async #revoke(hub: Hub, pending: Pending, prepare: () => Promise<unknown>): Promise<void> {
    const { instance_uid } = (await this.call(instance, {})).body();
    const { hub_url, hub_project_id, hub_project_uid, allow_insecure } = pending;
    const address: HubAddress = {
      url: hub_url,
      from: "the hub of the project",
      allowInsecure: allow_insecure === true,
      credential: hub,
    };
    const choose = (config: Config) => hubTarget(config, address);
    const cure = adminTokenCure("daemon" in hub ? `the [[daemon]] entry ${hub.daemon}` : hub.from);
    const asking = async (session: Session) => {
      const params = { project_id: hub_project_id };
      const { project } = (await session.call(showProject, { params })).body();
      if (project.uid !== hub_project_uid)
        throw new CommandError("conflict", "that daemon is not the hub of the project");
      const { enrollments } = (await session.call(listFederationEnrollments, {})).body();
      const active = enrollments.filter(({ revoked_at }) => revoked_at === undefined);
      const own = active.filter((one) => one.spoke_instance_uid === instance_uid);
      const ofProject = own.filter(({ project_id }) => project_id === hub_project_id);
      if (ofProject.length === 0) this.#tellOthers(active, own, hub_project_id);
      return ofProject;
    };
    await this.withDaemon(choose, async (session) => {
      await session.selection(); // an address that may not be called is no refusal of the hub
      const own = await saidByHub(async () => await asking(session), cure);
      await prepare();
      await saidByHub(async () => await revokeAll(session, own), cure);
    });
  }

  #tellOthers(active: readonly Enrollment[], own: readonly Enrollment[], id: number): void {
    for (const one of own)
      if (one.project_id === null)
        this.note(`enrollment ${one.id} on the hub is for all projects, and stays`);
    const others = active.filter(({ project_id }) => project_id === id);
    if (own.length > 0 || others.length === 0) return;
    const ids = others.map((one) => one.id).join(", ");
    throw new CommandError(
      "conflict",
      `the hub has no enrollment of this daemon for the project, but of others: ${ids}`,
      { hint: "revoke there what is yours, and use --local-only" },
    );
  }
}

type Hub = HubAddress["credential"];

/** Revokes the enrollments. If the answer to a revocation is lost, the revocation is sent again; this does no harm. */
async function revokeAll(session: Session, enrollments: readonly Enrollment[]): Promise<void> {
  for (const { id } of enrollments)
    await untilAnswered(
      async () => await session.call(revokeFederationEnrollment, { params: { enrollment_id: id } }),
    );
}
