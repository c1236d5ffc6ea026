import type { Clock } from "../base/clock.ts";
import { parseExact } from "../base/json.ts";
import { isUlid } from "../base/ulid.ts";
import { EVENT_FEATURES } from "../contract/capabilities.ts";
import { ERRORS } from "../contract/error-codes.ts";
import { SvcError } from "../contract/errors.ts";
import {
  createFederationEnrollment,
  enableProjectFederation,
  revokeFederationEnrollment,
} from "../contract/federation.ts";
import { initProject, resolveProject } from "../contract/projects.ts";
import type { Output, Route } from "../contract/route.ts";
import { ActorName } from "../contract/values.ts";
import { BASE_PATH } from "../contract/version.ts";
import type { HubBaseline, HubProject } from "../domain/federation/mapping.ts";
import { isUsableMetadata } from "../ops/federation/hub-answer.ts";
import {
  type EnrollmentRequest,
  type MadeEnrollment,
  MappingFault,
  type MappingHub,
} from "../ops/federation/mapping-hub.ts";
import { FarSide } from "../outgoing/far-side.ts";
import { OutgoingFault } from "../outgoing/fault.ts";
import { HttpHub } from "./http-hub.ts";
import { HubFault } from "./hub.ts";
import { LASTING_FAULTS } from "./lasting-faults.ts";

export interface HttpMappingHubOptions {
  readonly clock: Clock;
  readonly trustsPrivateNetwork: boolean;
  readonly signal: AbortSignal;
}

export interface MappingHubPlace {
  readonly url: string;
  /** The token of the `[[daemon]]` entry; undefined for a hub that requires none. */
  readonly token: string | undefined;
  readonly allowsInsecure: boolean;
}

/** The limits of one request and of its answer (docs/contract/federation.md#12-limits). */
const REQUEST_MS = 30_000;
const MAX_BYTES = 1024 * 1024;

/**
 * The hub of a mapping over HTTP. The token of the `[[daemon]]` entry is sent only to the origin of that entry.
 * Redirects to other origins are refused.
 */
export class HttpMappingHub implements MappingHub {
  readonly #options: HttpMappingHubOptions;
  readonly #place: MappingHubPlace;
  readonly #farSide: FarSide;

  /** Throws `MappingFault` if no request may be sent to the address of the hub. */
  constructor(options: HttpMappingHubOptions, place: MappingHubPlace) {
    this.#options = options;
    this.#place = place;
    const { url, token, allowsInsecure } = place;
    const { clock, trustsPrivateNetwork } = options;
    try {
      this.#farSide = new FarSide(
        { clock },
        {
          ...{ url, from: "the [[daemon]] entry of the hub", trustsPrivateNetwork, allowsInsecure },
          ...(token === undefined ? {} : { bearer: token }),
        },
      );
    } catch (cause) {
      if (!(cause instanceof SvcError)) throw cause;
      throw new MappingFault("configuration_conflict", { reason: "hub_address", cause });
    }
  }

  async resolve(name: string): Promise<HubProject | "missing"> {
    const answer = await this.#send("POST", "projects/resolve", { name });
    if (answer.status === 404 && answer.code === "project_not_initialized") return "missing";
    return projectOf(expectOf(resolveProject, answer), name);
  }

  async create(name: string, actor: string): Promise<HubProject> {
    return projectOf(
      expectOf(initProject, await this.#send("POST", "projects", { name, actor })),
      name,
    );
  }

  async enable({ id, uid }: HubProject, actor: string): Promise<HubBaseline> {
    const path = `projects/${id}/federation/enable`;
    const metadata = expectOf(enableProjectFederation, await this.#send("POST", path, { actor }));
    const ours: readonly string[] = EVENT_FEATURES;
    if (metadata.required_event_features.some((feature) => !ours.includes(feature)))
      throw new MappingFault("hub_validation", { reason: "unsupported_event_features" });
    const isOurs = metadata.project_id === id && metadata.project_uid === uid;
    if (!isOurs || !isUsableMetadata(metadata)) throw inconsistent();
    const { replay_horizon_event_id: from, baseline_through_event_id: through } = metadata;
    return { from, through };
  }

  async enroll(
    how: "create" | "rotate",
    asked: EnrollmentRequest,
  ): Promise<MadeEnrollment | "refused"> {
    const path = `federation/enrollments${how === "rotate" ? "/actions/rotate" : ""}`;
    const body = { ...asked, allow_adoption_snapshot_authors: true };
    const answer = await this.#send("POST", path, body);
    if (answer.status === 409 && answer.code === "federation_enrollment_token_conflict")
      return "refused";
    const made = expectOf(createFederationEnrollment, answer);
    const isOurs =
      made.token === asked.token &&
      made.project_id === asked.project_id &&
      made.spoke_instance_uid === asked.spoke_instance_uid &&
      made.revoked_at === undefined &&
      made.id > 0 &&
      isSame(made.capabilities, asked.capabilities);
    if (!isOurs) throw inconsistent();
    return { id: made.id, actor: actorOf(made.actor) };
  }

  async lookUp(asked: EnrollmentRequest): Promise<MadeEnrollment | "refused"> {
    const { url, allowsInsecure } = this.#place;
    const { clock, trustsPrivateNetwork, signal } = this.#options;
    const hub = new HttpHub(
      { clock, trustsPrivateNetwork, maxMs: REQUEST_MS },
      {
        hub_url: url,
        hub_project_id: asked.project_id,
        token: asked.token,
        allow_insecure: allowsInsecure,
        spoke_instance_uid: asked.spoke_instance_uid,
      },
    );
    try {
      const { enrollment } = await hub.metadata(signal);
      if (!isSame(enrollment.capabilities, asked.capabilities)) return "refused";
      return { id: 0, actor: actorOf(enrollment.actor) };
    } catch (error) {
      if (!(error instanceof HubFault)) throw error;
      if (error.status === 401 || error.status === 403) return "refused";
      throw faultOfStatus(error.status, error.code);
    } finally {
      hub.close();
    }
  }

  async revoke(enrollmentId: number): Promise<void> {
    const path = `federation/enrollments/${enrollmentId}/revoke`;
    const answer = await this.#send("POST", path, {});
    if (answer.status === 404 && answer.code === "federation_enrollment_not_found") return;
    const { id, revoked } = expectOf(revokeFederationEnrollment, answer);
    if (id !== enrollmentId || !revoked) throw inconsistent();
  }

  close(): void {
    this.#farSide.close();
  }

  async #send(method: "POST", path: string, body: object): Promise<Answer> {
    try {
      const { status, body: bytes } = await this.#farSide.send({
        method,
        url: `${BASE_PATH}/${path}`,
        headers: { accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify(body),
        ...{ maxMs: REQUEST_MS, maxBytes: MAX_BYTES, redirects: "same-origin" },
        signal: this.#options.signal,
      });
      const found = jsonOf(bytes);
      return { status, body: found, code: codeOf(found) };
    } catch (cause) {
      if (!(cause instanceof OutgoingFault)) throw cause;
      const isNoHub = LASTING_FAULTS.has(cause.kind);
      throw new MappingFault(isNoHub ? "hub_validation" : "hub_unavailable", {
        ...{ reason: cause.kind, cause },
      });
    }
  }
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The code of the hub's error, if this daemon has an error with the same code. */
  readonly code: string | undefined;
}

/** Returns the body of the route's answer. Throws `MappingFault` for a refusal, and for a body of another form. */
function expectOf<R extends Route>(route: R, { status, body, code }: Answer): Output<R> {
  if (status !== 200 && status !== 201) throw faultOfStatus(status, code);
  const { data } = route.response().safeParse(body);
  if (data === undefined) throw new MappingFault("hub_validation", { reason: "malformed", status });
  return data as Output<R>;
}

function faultOfStatus(status: number | undefined, code: string | undefined): MappingFault {
  const told = {
    ...(code === undefined ? {} : { reason: code }),
    ...(status === undefined ? {} : { status }),
  };
  if (status === 401 || status === 403) return new MappingFault("hub_authentication", told);
  const isPassing = status === undefined || status === 408 || status === 429 || status >= 500;
  return new MappingFault(isPassing ? "hub_unavailable" : "hub_validation", told);
}

function inconsistent(): MappingFault {
  return new MappingFault("hub_validation", { reason: "inconsistent" });
}

function projectOf(
  {
    project,
  }: { readonly project: { readonly id: number; readonly uid: string; readonly name: string } },
  name: string,
): HubProject {
  const { id, uid } = project;
  // The uid becomes a key of the credential file, and the uid of the project here.
  const isUsable = isUlid(uid) && uid === uid.toUpperCase();
  if (project.name !== name || id < 1 || !isUsable) throw inconsistent();
  return { id, uid };
}

/** The actor of an enrollment, under which this daemon writes from then on. */
function actorOf(name: string): string {
  if (ActorName().safeParse(name).success) return name;
  throw inconsistent();
}

function isSame(found: readonly string[], asked: readonly string[]): boolean {
  return found.toSorted().join() === asked.toSorted().join();
}

function codeOf(body: unknown): string | undefined {
  const error: unknown = typeof body === "object" && body !== null && "error" in body && body.error;
  const code: unknown =
    typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" && Object.hasOwn(ERRORS, code) ? code : undefined;
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return parseExact(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
