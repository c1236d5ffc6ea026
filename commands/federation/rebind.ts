import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { CommandError, usage } from "../../src/cli/failure/failure.ts";
import { booleanFlag, examples, optionalArg, requiredFlag } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";
import { addressOf } from "../../src/config/catalog.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { rebindFederationReplica } from "../../src/contract/federation-replicas.ts";
import { getFederationStatus } from "../../src/contract/federation-status.ts";
import type { Output } from "../../src/contract/route.ts";

type Rebound = Output<typeof rebindFederationReplica>;
type Copy = Output<typeof getFederationStatus>["statuses"][number];

export default class FederationRebind extends SvcCommand {
  static override summary = "move a copy to another address of its hub";
  static override description =
    "The hub has moved: write its new https url into its [[daemon]] entry in config.toml of the machine with the copy, run svc daemon restart there, then this. The daemon asks the hub at the new address with the token of the copy; the token of the [[daemon]] entry is not used. Nothing changes unless the project is there. What was read and written stays. Repeating it finishes what was interrupted.";
  static override args = { project: optionalArg("name or id of the project") };
  static override flags = {
    hub: requiredFlag("the [[daemon]] entry with the new address", "<name>"),
    all: booleanFlag("move all copies; they have to have one hub"),
  };
  static override examples = examples({
    "One copy": "svc federation rebind web --hub team",
    "All copies": "svc federation rebind --all --hub team",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FederationRebind);
    const body = { hub_catalog: flags.hub };
    if (!flags.all) {
      const { id: project_id } = await this.selectProject(args.project);
      const moved = await this.call(rebindFederationReplica, { params: { project_id }, body });
      await this.print(moved, "replicas", ({ reboundView }) => reboundView);
      await this.#warnUnread(flags.hub, [moved.body()]);
      return;
    }
    if ((args.project ?? this.globals.project) !== undefined)
      throw usage("give a project or --all");
    const copies: Rebound[] = [];
    const failed: { readonly name: string; readonly error: SvcError }[] = [];
    for (const { project_id, project_name } of await this.#all(flags.hub)) {
      try {
        const request = { params: { project_id }, body };
        copies.push((await this.call(rebindFederationReplica, request)).body());
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        failed.push({ name: project_name, error });
      }
    }
    if (copies.length > 0 || failed.length === 0)
      await this.print(answer({ copies }), "replicas", ({ allReboundView }) => allReboundView);
    await this.#warnUnread(flags.hub, copies);
    for (const { name, error } of failed) this.note(`${name} was not moved: ${error.message}`);
    const [first] = failed;
    if (first !== undefined) throw first.error;
  }

  /**
   * Warns if the hub's address in config.toml differs from the address that this machine's daemon read when it started.
   */
  async #warnUnread(hub: string, copies: readonly Rebound[]): Promise<void> {
    const { config, target } = await (await this.session()).client();
    const written = config.catalog.find(({ name }) => name === hub)?.origin?.text;
    const read = copies.find(({ new_origin }) => new_origin !== written)?.new_origin;
    if (target.kind !== "local" || written === undefined || read === undefined) return;
    this.note(
      `warning: config.toml has ${written} for ${hub} now, and the daemon ${read} as it was when it started: svc daemon restart, then repeat this`,
    );
  }

  /**
   * Returns all copies. Copies that are already at the new address may be among them. Throws if the other copies have
   * several hubs, because the token for one hub would be sent to another hub.
   */
  async #all(hub: string): Promise<readonly Copy[]> {
    const query = { include: "archived" };
    const { statuses } = (await this.call(getFederationStatus, { query })).body();
    const copies = statuses.filter(({ role }) => role === "spoke");
    const { config } = await (await this.session()).client();
    const entry = config.catalog.find(({ name }) => name === hub);
    const target = entry && addressOf(entry);
    const addresses = new Set(copies.map(({ hub_url = "" }) => hub_url));
    const others = [...addresses].filter((address) => address !== target);
    if (others.length > 1)
      throw new CommandError("conflict", `the copies have several hubs: ${others.join(", ")}`, {
        hint: "name the projects one by one",
      });
    return copies;
  }
}
