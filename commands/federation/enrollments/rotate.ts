import { newSecret } from "../../../src/base/secret.ts";
import { SvcCommand } from "../../../src/cli/bases/svc-command.ts";
import { CommandError, usage } from "../../../src/cli/failure/failure.ts";
import { arg, examples } from "../../../src/cli/flags/flags.ts";
import { joinLine } from "../../../src/cli/render/join-line.ts";
import { untilAnswered } from "../../../src/cli/session/until-answered.ts";
import { invalid, SvcError } from "../../../src/contract/errors.ts";
import {
  listFederationEnrollments,
  rotateFederationEnrollment,
} from "../../../src/contract/federation.ts";
import { capabilityFlag } from "../../../src/domain/federation/capabilities.ts";

export default class FederationEnrollmentsRotate extends SvcCommand {
  static override summary = "replace an enrollment by one with a new token, which is printed once";
  static override description =
    "The new enrollment permits the same. All others of that daemon for the project end with it, in one step: it reads and sends nothing until it has joined with the new token, and loses nothing meanwhile.";
  static override args = { id: arg("the id in svc federation enrollments list") };
  static override examples = examples({
    "A token that others may have seen": "svc federation enrollments rotate 3",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(FederationEnrollmentsRotate);
    if (!/^[1-9]\d{0,14}$/.test(args.id))
      throw invalid(
        "that is no id of an enrollment",
        "svc federation enrollments list shows the ids; never type the token itself",
      );
    const id = Number(args.id);
    const { enrollments } = (await this.call(listFederationEnrollments, {})).body();
    const known = enrollments.find((one) => one.id === id);
    if (known === undefined) throw new SvcError("federation_enrollment_not_found", { id });
    const { project_id, spoke_instance_uid, capabilities, actor } = known;
    if (known.revoked_at !== undefined)
      throw new CommandError("conflict", `enrollment ${id} is revoked`, {
        hint: "make another one: svc federation enroll",
      });
    if (project_id === null)
      throw usage(
        `enrollment ${id} is for all projects: make another one by the API, join with it, then svc federation revoke ${id}`,
      );
    const request = {
      body: {
        token: `svc_fed_${newSecret()}`,
        spoke_instance_uid,
        project_id,
        capabilities,
        actor,
        ...(known.allow_adoption_snapshot_authors ? { allow_adoption_snapshot_authors: true } : {}),
      },
    };
    const rotated = await untilAnswered(
      async () => await this.call(rotateFederationEnrollment, request),
    );
    const made = rotated.body();
    const joining = joinLine({
      projectId: project_id,
      actor: made.actor,
      capabilities: capabilityFlag(capabilities),
      adopts: known.allow_adoption_snapshot_authors,
      allowInsecure: false,
    });
    await this.print(rotated, "federation", ({ enrolledView }) => enrolledView(joining));
    if (made.actor !== actor)
      this.note(
        `warning: the enrollment is for ${made.actor} now, as your token says, and was for ${actor}: the other machine has to leave before it can join again`,
      );
  }
}
