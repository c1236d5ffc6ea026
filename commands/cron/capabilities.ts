import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { withVersion } from "../../src/cli/output/output.ts";
import { callRaw, parseAnswer } from "../../src/client/call.ts";
import {
  FEATURES_HEADER,
  featuresOf,
  getCronCapabilities,
} from "../../src/contract/capabilities.ts";

export default class CronCapabilities extends SvcCommand {
  static override summary = "list the features of the daemon for adapters, as JSON";
  static override description =
    "event_features are the unchanged names from the header X-Svc-Event-Features. A name that this svc does not know comes from a newer daemon. An empty list does not prove that a feature is missing.";
  static override examples = examples({
    "Whether jobs and runs can be shared":
      "svc cron capabilities | jq '.event_features | index(\"cron_v1\")'",
  });

  async run(): Promise<void> {
    await this.parse(CronCapabilities);
    const params = { project_id: await this.projectId() };
    const client = await (await this.session()).client();
    const { headers, body } = await callRaw(client, getCronCapabilities, { params });
    const { project_uid } = parseAnswer<typeof getCronCapabilities>(body);
    const event_features = featuresOf(headers[FEATURES_HEADER.toLowerCase()]);
    this.writeLine(withVersion(JSON.stringify({ project_uid, event_features })));
  }
}
