import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { usage } from "../../src/cli/failure/failure.ts";
import { booleanFlag, examples, requiredFlag, textFlag } from "../../src/cli/flags/flags.ts";
import { secretFrom } from "../../src/cli/input/secret.ts";
import { saidByHub } from "../../src/cli/session/hub.ts";
import { type HubAddress, hubTarget } from "../../src/client/hub-target.ts";
import { EVENT_FEATURES } from "../../src/contract/capabilities.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { createFederationReplica } from "../../src/contract/federation-replicas.ts";
import { getFederationProjectMetadata } from "../../src/contract/federation-transport.ts";
import { instance } from "../../src/contract/health.ts";
import type { Output } from "../../src/contract/route.ts";
import { canonicalCapabilities, capabilityFlag } from "../../src/domain/federation/capabilities.ts";

interface HubProject {
  readonly hub_project_uid: string;
  readonly project_name: string;
  readonly replay_horizon_event_id: number;
  readonly baseline_through_event_id?: number;
  readonly actor: string;
  readonly capabilities?: string[];
}

/** The actor and the capabilities of the enrollment, as far as the command line names them. */
interface JoinFlags {
  readonly actor?: string | undefined;
  readonly capabilities?: string | undefined;
}

export default class FederationJoin extends SvcCommand {
  static override summary = "keep a copy of a project of another daemon";
  static override description =
    "svc federation enroll prints the whole line, and the token, on the hub. The token is read from a variable or a file, or from standard input; it is no argument, since others could see it in the list of processes. The hub says what the enrollment permits, and --actor, --capabilities and --project are only compared with it. Without --push the copy only reads: change issues on the hub. With it, the copy can be changed, and sends its changes to the hub in the name of the actor of the enrollment. Repeat the command with --push for a copy that only reads. --adopt-existing hands over the project of the same name that this daemon has: the enrollment has to permit it (svc federation enroll --adopt-existing). Run svc backup first, since its history here is deleted.";
  static override flags = {
    "hub-url": requiredFlag("the hub; with its path, if it has one", "<url>"),
    "hub-project-id": requiredFlag("id of the project on the hub", "<id>"),
    actor: textFlag("the actor of the enrollment", "<actor>"),
    capabilities: textFlag("those of the enrollment, or some of them", "<list>"),
    push: booleanFlag("let the copy be changed, and send the changes to the hub"),
    "adopt-existing": booleanFlag(
      "hand over the project of this name: the hub gets its issues, and its history here ends",
    ),
    "token-env": textFlag("the variable with the token of the enrollment", "<VAR>"),
    "token-file": textFlag("the file with the token; - is standard input", "<path>"),
    "allow-insecure": booleanFlag("allow plain http to a hub that is no private address"),
    "hub-project-uid": textFlag("uid of the project, if this machine cannot ask the hub", "<uid>"),
    "replay-horizon": textFlag("where its baseline begins, if the hub is not asked", "<id>"),
  };
  static override examples = examples({
    "Paste the token when asked":
      "svc federation join --hub-url https://hub.example --hub-project-id 3 --actor sam",
    "Change issues here too":
      "svc federation join --hub-url https://hub.example --hub-project-id 3 --actor sam --push",
    "Hand over the project of the same name":
      "svc federation join --hub-url https://hub.example --hub-project-id 3 --adopt-existing",
    "From a variable":
      "svc federation join --hub-url https://hub.example --hub-project-id 3 --token-env ENROLLMENT_TOKEN",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(FederationJoin);
    const hub_project_id = idOf(flags["hub-project-id"], "--hub-project-id");
    const known = knownProject(flags, this.globals.project);
    const token = await secretFrom(this.context, {
      variable: flags["token-env"],
      file: flags["token-file"],
      what: "the token of the enrollment",
    });
    const hub: HubAddress = {
      url: flags["hub-url"],
      from: "--hub-url",
      allowInsecure: flags["allow-insecure"],
      credential: { text: token, from: "the enrollment" },
    };
    const project = known ?? (await this.#ask(hub, hub_project_id, flags));
    const joined = await this.call(createFederationReplica, {
      body: {
        hub_url: flags["hub-url"],
        hub_project_id,
        ...project,
        token,
        ...(flags["allow-insecure"] ? { allow_insecure: true } : {}),
        ...(flags.push ? { push_enabled: true } : {}),
        ...(flags["adopt-existing"] ? { adopt_existing: true } : {}),
      },
    });
    await this.print(joined, "replicas", ({ joinedView }) => joinedView);
    const maySend = project.capabilities?.includes("push") === true;
    const { push_enabled, pushes_once_read } = joined.body().binding;
    if (maySend && !push_enabled && pushes_once_read !== true)
      this.note(
        "warning: the enrollment permits push, but the copy only reads: repeat the command with --push to change issues here",
      );
  }

  /**
   * Asks the hub for the project and the enrollment, with the token of the enrollment. Throws if this program does not
   * support an event feature that the project requires, or if the command line contradicts the enrollment.
   */
  async #ask(hub: HubAddress, project_id: number, given: JoinFlags): Promise<HubProject> {
    const { instance_uid } = (await this.call(instance, {})).body();
    const found = await this.withDaemon(
      (config) => hubTarget(config, hub),
      async (session) => {
        await session.selection(); // a fault of --hub-url is no refusal of the hub
        return await saidByHub(
          async () =>
            await session.call(getFederationProjectMetadata, {
              params: { project_id },
              headers: {
                "x-svc-event-features": EVENT_FEATURES.join(", "),
                "x-svc-instance": instance_uid,
              },
            }),
        );
      },
    );
    const metadata = found.body();
    const ours: readonly string[] = EVENT_FEATURES;
    const required = metadata.required_event_features.filter((one) => !ours.includes(one));
    if (required.length > 0) throw new SvcError("unsupported_event_features", { required });
    checkName(metadata, this.globals.project);
    return {
      hub_project_uid: metadata.project_uid,
      project_name: metadata.project_name,
      replay_horizon_event_id: metadata.replay_horizon_event_id,
      baseline_through_event_id: metadata.baseline_through_event_id,
      ...permitted(metadata, given),
    };
  }
}

type Metadata = Output<typeof getFederationProjectMetadata>;

/** Throws if `--project` names another project than the hub has under the id. A copy has the name of the hub's project. */
function checkName({ project_name }: Metadata, named: string | undefined): void {
  if (named === undefined || named === project_name) return;
  throw new SvcError(
    "federation_binding_conflict",
    { fields: ["project"], project: project_name },
    {
      message: `--project ${named}: the project is ${project_name} on the hub`,
      hint: "leave --project out, or give another --hub-project-id",
    },
  );
}

/**
 * Returns the actor of the enrollment, and its capabilities or the part of them that `--capabilities` names. Throws if
 * `--actor` names another actor, or if the enrollment lacks a capability that `--capabilities` names.
 */
function permitted({ enrollment }: Metadata, given: JoinFlags) {
  const { actor, capabilities } = enrollment;
  if (given.actor !== undefined && given.actor !== actor)
    throw new SvcError(
      "federation_binding_conflict",
      { fields: ["actor"], actor },
      {
        message: `--actor ${given.actor}: the enrollment is for ${actor}`,
        hint: `--actor ${actor}, or another enrollment`,
      },
    );
  if (given.capabilities === undefined) return { actor, capabilities };
  const asked = canonicalCapabilities(given.capabilities);
  const missing = asked.filter((one) => !capabilities.includes(one));
  if (missing.length === 0) return { actor, capabilities: [...asked] };
  throw new SvcError(
    "federation_capability_mismatch",
    { capabilities },
    {
      message: `--capabilities: the enrollment has ${capabilityFlag(capabilities)}, and not ${capabilityFlag(missing)}`,
      hint: `--capabilities ${capabilityFlag(capabilities)}, or another enrollment`,
    },
  );
}

/**
 * Returns the project as the flags describe it, so that the hub need not be asked. Returns undefined if neither
 * `--hub-project-uid` nor `--replay-horizon` is given. Throws if only some of the required flags are given.
 */
function knownProject(
  flags: JoinFlags & {
    readonly "hub-project-uid"?: string | undefined;
    readonly "replay-horizon"?: string | undefined;
  },
  project_name: string | undefined,
): HubProject | undefined {
  const { "hub-project-uid": hub_project_uid, "replay-horizon": horizon, actor } = flags;
  if (hub_project_uid === undefined && horizon === undefined) return undefined;
  if (
    hub_project_uid === undefined ||
    horizon === undefined ||
    project_name === undefined ||
    actor === undefined
  )
    throw usage("--hub-project-uid, --replay-horizon, --project and --actor go together");
  const replay_horizon_event_id = idOf(horizon, "--replay-horizon");
  const capabilities = canonicalCapabilities(flags.capabilities ?? "pull");
  return {
    ...{ hub_project_uid, project_name, replay_horizon_event_id, actor },
    capabilities: [...capabilities],
  };
}

function idOf(text: string, flag: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw usage(`${flag} must be a whole number`);
}
