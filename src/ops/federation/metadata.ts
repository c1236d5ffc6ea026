import type { getFederationProjectMetadata as contract } from "../../contract/federation-transport.ts";
import { permitsAuthors } from "../../domain/federation/adoption.ts";
import type { Reader } from "../../store/types/store.ts";
import type { Op } from "../deps.ts";
import { metadataOf } from "./binding.ts";
import { requireEnrolled, requireFeatures } from "./enrolled.ts";
import { FEDERATION_ACTOR, isBaselineOutdated, renewBaseline } from "./hub-baseline.ts";

/**
 * Tells another daemon from which event it begins to read. If something was purged since the baseline was written,
 * writes a new baseline first, because the old one may contain what was purged.
 */
export const getFederationProjectMetadata: Op<
  typeof contract,
  "store" | "ids" | "smallWorkOnly"
> = async (deps, who, { params: { project_id }, headers }) => {
  const { store } = deps;
  const enrolled = async (reader: Reader) => {
    const instance = headers["x-svc-instance"];
    const found = await requireEnrolled(reader, who, { project_id, instance, capability: "pull" });
    await requireFeatures(reader, found.project, headers["x-svc-event-features"]);
    return { ...found, stale: await isBaselineOutdated(reader, found.binding) };
  };
  const before = await store.read(enrolled);
  if (before.stale) {
    const isDue = async (reader: Reader) => (await enrolled(reader)).stale;
    const project_uid = before.project.uid;
    await renewBaseline(deps, { project_uid, actor: FEDERATION_ACTOR, isDue });
  }
  await store.write(async (tx) => {
    const { enrollment, project } = await enrolled(tx);
    const key = { enrollment_id: enrollment.id, project_uid: project.uid };
    const known = await tx.unfolded.find("federation_replica", key);
    const unread = { stamp: null, former_stamp: null, after_event_id: 0 };
    await tx.unfolded.put("federation_replica", { ...unread, ...known, ...key, seen_at: tx.now });
  });
  return await store.read(async (reader) => {
    const { enrollment, project, binding } = await enrolled(reader);
    const { bound_actor: actor, capabilities } = enrollment;
    const metadata = await metadataOf(reader, project, binding);
    return {
      ...metadata,
      enrollment: {
        ...{ actor, capabilities: [...capabilities] },
        allow_adoption_snapshot_authors: permitsAuthors(enrollment),
      },
    };
  });
};
