import type { MappingError } from "../../contract/health.ts";
import type { HubBaseline, HubProject } from "../../domain/federation/mapping.ts";

/**
 * The hub of a mapping. Requests carry the token of the hub's `[[daemon]]` entry. Each method throws `MappingFault`.
 */
export interface MappingHub {
  resolve(name: string): Promise<HubProject | "missing">;
  /** Creates the project, or finds it. */
  create(name: string, actor: string): Promise<HubProject>;
  /** Makes the daemon the hub of the project, if it is not. */
  enable(project: HubProject, actor: string): Promise<HubBaseline>;
  /**
   * Enrolls the token, or finds its enrollment. `rotate` ends other enrollments of this daemon for the project.
   * `refused`: the token has an enrollment that was revoked, or has other attributes.
   */
  enroll(how: "create" | "rotate", asked: EnrollmentRequest): Promise<MadeEnrollment | "refused">;
  /**
   * Finds the enrollment by a request that carries the enrollment's own token, not the token of the entry. `refused`:
   * the enrollment was revoked.
   */
  lookUp(asked: EnrollmentRequest): Promise<MadeEnrollment | "refused">;
  /** Repeating the call changes nothing. */
  revoke(enrollmentId: number): Promise<void>;
  close(): void;
}

export interface EnrollmentRequest {
  readonly token: string;
  readonly project_id: number;
  readonly spoke_instance_uid: string;
  readonly capabilities: readonly string[];
  readonly actor: string;
}

export interface MadeEnrollment {
  /** 0 for an enrollment that was looked up. */
  readonly id: number;
  /** The actor of the enrollment, as the hub has stored it. */
  readonly actor: string;
}

/**
 * Why an attempt to reconcile a mapping failed. Its fields say nothing about the hub, the project or the token, so they
 * may be logged and shown in the daemon's health. The cause may say more, and is not logged.
 */
export class MappingFault extends Error {
  override readonly name = "MappingFault";
  readonly category: MappingError;
  /** What differs, or the code of an error. */
  readonly reason: string | undefined;
  /** The HTTP status of the hub's answer; undefined if there was none. */
  readonly status: number | undefined;

  constructor(
    category: MappingError,
    {
      reason,
      status,
      cause,
    }: { readonly reason?: string; readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(`a mapping was not reconciled: ${category}`, { cause });
    this.category = category;
    this.reason = reason;
    this.status = status;
  }
}
