import { LimitedCommand } from "../../src/cli/bases/limited-command.ts";
import { maxBytesFlag } from "../../src/cli/flags/budget.ts";
import { booleanFlag, examples } from "../../src/cli/flags/flags.ts";
import {
  getFederationStatus,
  getProjectFederationStatus,
} from "../../src/contract/federation-status.ts";

export default class FederationStatus extends LimitedCommand {
  static override summary = "show who reads this hub's projects, and how far copies have read";
  static override description =
    "Of a project of this hub it shows how many daemons may read it; of a copy its hub, when that was last read, and why it could not be. With --project, or with SVC_PROJECT set, only that project.";
  static override flags = {
    archived: booleanFlag("archived projects too", { exclusive: ["project"] }),
    ...maxBytesFlag,
  };
  static override examples = examples({
    "All federated projects": "svc federation status",
    "One of them": "svc federation status --project web --json",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(FederationStatus);
    this.boundHere(flags);
    const chosen = await (await this.session()).chosenProject();
    const found =
      chosen === undefined
        ? await this.call(getFederationStatus, {
            query: flags.archived ? { include: "archived" } : {},
          })
        : await this.call(getProjectFederationStatus, {
            params: { project_id: await this.projectId() },
          });
    await this.print(found, "federation", ({ federationStatusView }) => federationStatusView);
  }
}
