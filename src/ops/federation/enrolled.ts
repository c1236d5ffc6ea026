import { EVENT_FEATURES, featuresOf } from "../../contract/capabilities.ts";
import { SvcError } from "../../contract/errors.ts";
import type { FederationCapability } from "../../domain/federation/capabilities.ts";
import type { EnrollmentRow } from "../../store/types/federation.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { Principal } from "../deps.ts";
import { type BindingRow, findBinding, requiredFeatures } from "./binding.ts";

export interface Enrolled {
  readonly enrollment: EnrollmentRow;
  readonly project: StoredProject;
  readonly binding: BindingRow;
}

/** What a spoke asks for, and the daemon that it claims to be. */
interface ReaderRequest {
  readonly project_id: number;
  readonly instance: string | undefined;
  readonly capability: FederationCapability;
}

/**
 * Returns the enrollment of the caller for the project. Reads the enrollment in the caller's transaction, so that a
 * revocation takes effect at once (docs/contract/federation.md#33-transport-routes). Throws `auth_invalid` without a
 * reason if the token does not permit the request, or if the enrollment was made for another daemon.
 */
export async function requireEnrolled(
  reader: Reader,
  { enrollmentHash }: Principal,
  { project_id, instance, capability }: ReaderRequest,
): Promise<Enrolled> {
  const enrollment =
    enrollmentHash === undefined ? undefined : await reader.federation.byToken(enrollmentHash);
  if (enrollment === undefined || enrollment.revoked_at !== null) throw notPermitted();
  if (!enrollment.capabilities.includes(capability)) throw notPermitted();
  if (enrollment.spoke_instance_uid !== instance?.toUpperCase()) throw notPermitted();
  const project = await reader.projects.findById(project_id);
  if (enrollment.project_uid !== null && enrollment.project_uid !== project?.uid)
    throw notPermitted();
  if (project === undefined || project.deleted_at !== null)
    throw new SvcError("project_not_found", { project_id });
  const binding = await findBinding(reader, project);
  if (binding?.role !== "hub" || binding.enabled !== 1) throw notPermitted();
  return { enrollment, project, binding };
}

function notPermitted(): SvcError {
  const message = "the token of the enrollment does not permit this";
  const hint =
    "the enrollment must be active, for this project, and for the daemon in X-Svc-Instance: svc federation enrollments list on the hub shows it";
  return new SvcError("auth_invalid", {}, { message, hint });
}

/**
 * Returns the features that the events of the project need. Throws `unsupported_event_features` if the reader lacks one
 * of them, before it is told any cursor (docs/contract/federation.md#13-outcomes, rows 55 and 60). `header` lists the
 * features that the reader supports.
 */
export async function requireFeatures(
  reader: Reader,
  project: StoredProject,
  header: string | undefined,
): Promise<readonly string[]> {
  const required = await requiredFeatures(reader, project);
  const supported = new Set(featuresOf(header));
  const missing = required.filter((feature) => !supported.has(feature));
  if (missing.length > 0) throw new SvcError("unsupported_event_features", { required, missing });
  return required;
}

/** The header of an answer with the features that this daemon supports. */
export function ownFeatures(): Readonly<Record<string, string>> {
  return { "x-svc-event-features": EVENT_FEATURES.join(", ") };
}

/** The headers of an answer about a federated project. */
export function featureHeaders({
  required_event_features,
}: {
  readonly required_event_features: readonly string[];
}): Readonly<Record<string, string>> {
  return {
    ...ownFeatures(),
    "x-svc-required-event-features": required_event_features.join(", "),
  };
}
