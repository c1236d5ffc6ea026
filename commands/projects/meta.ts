import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { usage } from "../../src/cli/failure/failure.ts";
import {
  booleanFlag,
  examples,
  ifMatchFlag,
  listFlag,
  optionalArg,
} from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";
import { call } from "../../src/client/call.ts";
import { patchProjectMetadata } from "../../src/contract/project-actions.ts";
import { showProject } from "../../src/contract/projects.ts";
import { metadataValue, readMetadata } from "../../src/shared/metadata.ts";
import { ifMatchTyped } from "../../src/shared/revision.ts";

export default class ProjectsMeta extends SvcCommand {
  static override summary = "show or change the metadata of a project";
  static override args = {
    project: optionalArg("its name, id, or repository; default this directory's project"),
  };
  static override flags = {
    set: listFlag("set this key", "<key=value>"),
    unset: listFlag("remove this key", "<key>"),
    "json-value": booleanFlag("the values are JSON"),
    ...ifMatchFlag,
  };
  static override examples = examples({
    "Show it": "svc projects meta website",
    "The project for what belongs nowhere else": "svc projects meta errands --set role=inbox",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProjectsMeta);
    const headers = ifMatchTyped(flags["if-match"]);
    const set = readMetadata(flags.set) ?? {};
    const patch = {
      ...Object.fromEntries((flags.unset ?? []).map((key) => [key, null])),
      ...Object.fromEntries(
        Object.entries(set).map(([key, text]) => [
          key,
          metadataValue(text, flags["json-value"] === true),
        ]),
      ),
    };
    if (Object.keys(patch).length === 0 && flags["if-match"] !== undefined)
      throw usage("--if-match is for a change", "give --set or --unset with it");
    if (Object.keys(set).length === 0 && flags["json-value"] === true)
      throw usage("--json-value is for --set", "give --set key=value with it");
    const both = (flags.unset ?? []).find((key) => Object.hasOwn(set, key));
    if (both !== undefined) throw usage(`${both} is both set and unset`);
    const session = await this.session();
    const { id } = await this.selectProject(args.project);
    if (Object.keys(patch).length === 0) {
      const params = { project_id: id };
      const { project } = await call(await session.client(), showProject, { params });
      const { name: ref, revision, metadata } = project;
      const shown = answer({ ref, revision, metadata });
      return await this.print(shown, "meta", ({ metaView }) => metaView);
    }
    const changed = await this.call(patchProjectMetadata, {
      params: { project_id: id },
      headers,
      body: { patch, actor: await this.actor() },
    });
    await this.print(changed, "meta", ({ projectMetaView }) => projectMetaView);
  }
}
