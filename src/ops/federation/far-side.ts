import { SvcError } from "../../contract/errors.ts";
import type { HubLeases } from "../leases/hub-leases.ts";
import type { AdoptionAnswer, AdoptionRequest } from "./adopt-existing.ts";
import type { Replica } from "./bound-replica.ts";
import type { HubCalls } from "./hub-calls.ts";
import type { HubCredential } from "./hub-credential.ts";
import type { HubQuestions } from "./hub-questions.ts";

/**
 * The credentials of this daemon, by the uid of the project. All methods but `status` throw if the file is unreadable.
 */
export interface CredentialStore {
  /** The file, which errors name. */
  readonly path: string;
  all(): Promise<ReadonlyMap<string, HubCredential>>;
  status(projectUid: string): Promise<"present" | "missing" | "unreadable">;
  /** Throws `federation_credential_conflict` if several credentials belong to the project. */
  findManaged(
    spokeInstanceUid: string,
    spokeProjectName: string,
  ): Promise<{ readonly uid: string; readonly credential: HubCredential } | undefined>;
  store(projectUid: string, credential: HubCredential): Promise<void>;
  delete(projectUid: string): Promise<void>;
  /**
   * Stores a credential if the project has none. This and the next three methods return false and change nothing if
   * another credential is stored than they expect.
   */
  reserve(projectUid: string, credential: HubCredential): Promise<boolean>;
  replace(projectUid: string, expected: HubCredential, next: HubCredential): Promise<boolean>;
  deleteSame(projectUid: string, expected: HubCredential): Promise<boolean>;
  rekey(fromUid: string, toUid: string, expected: HubCredential): Promise<boolean>;
}

export interface HubPlace {
  /** The base URL in its canonical form, without a slash at its end. */
  readonly hub_url: string;
  /** False for https and for loopback addresses, which need no permission. */
  readonly allow_insecure: boolean;
}

/** The answer of a hub at one address to the question which project it has. */
export type HubProjectAnswer =
  | {
      readonly hub_project_id: number;
      readonly hub_project_uid: string;
      /** Whether a project may be handed over with this enrollment; undefined if the hub does not say. */
      readonly permits_adoption: boolean | undefined;
      /** The actor and the capabilities of the enrollment. */
      readonly actor: string;
      readonly capabilities: readonly string[];
    }
  | { readonly refused: "token" | "project" | "unavailable" };

/** The far side of federation, as operations on copies see it. The daemon implements it. */
export interface Federation {
  readonly credentials: CredentialStore;
  /** Throws `validation` for a URL to which the daemon must not send a token. Sends no request. */
  placeOf(hubUrl: string, allowInsecure: boolean): HubPlace;
  /**
   * The address of a `[[daemon]]` entry of config.toml, as it was when the daemon started. Throws `validation` if no
   * entry has the name, or if its URL is not an https URL. Sends no request.
   */
  catalogPlace(name: string): HubPlace;
  /** Asks the hub at the address, with the token, which project it has. Called before a move and before an adoption. */
  askAt(place: HubPlace, replica: Replica, credential: HubCredential): Promise<HubProjectAnswer>;
  /** The requests to hubs that run beside the passes. */
  readonly hubCalls: HubCalls;
  /** Runs the work while no pass and no request about a lease is under way for the project. */
  drained<T>(project_uid: string, work: () => Promise<T>): Promise<T>;
  /**
   * Asks the hub whether this daemon may read the project. Throws `federation_hub_refused` if it may not, and
   * `federation_offline` if the hub gives no answer now. The error's `data.reason` has the code of the fault.
   */
  confirm(replica: Replica): Promise<void>;
  /** Asks hubs about the leases of this daemon's copies. */
  readonly leases: HubLeases;
  /** Asks hubs what they have, to compare copies with it. */
  readonly digests: HubQuestions;
  /** Carries out the joins and leaves of this daemon one after another. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Archives the project, in a worker if it is large. */
  archive(asked: ArchiveRequest): Promise<void>;
  /** Makes a project a copy, and hands its issues over to the hub, in a worker if the project is large. */
  adopt(asked: AdoptionRequest): Promise<AdoptionAnswer>;
  /** Starts a pass of the engine soon. The pass reads this project even if its hub has asked to wait. */
  wake(project_uid: string): void;
}

/** The request to `archive`, as JSON. */
export interface ArchiveRequest {
  readonly project_id: number;
  readonly actor: string;
  readonly force: boolean;
}

/**
 * Reads or writes credentials. If the file cannot be used, throws `federation_offline`, not `validation`: that is a
 * fault of the daemon, not of the request.
 */
export async function withCredentials<T>(
  { credentials }: Pick<Federation, "credentials">,
  work: (credentials: CredentialStore) => Promise<T>,
): Promise<T> {
  try {
    return await work(credentials);
  } catch (cause) {
    if (!(cause instanceof SvcError) || cause.code !== "validation") throw cause;
    const { message, hint } = cause;
    const shown = hint === undefined ? { message, cause } : { message, hint, cause };
    throw new SvcError("federation_offline", { file: credentials.path }, shown);
  }
}
