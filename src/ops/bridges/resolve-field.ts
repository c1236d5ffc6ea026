import type { resolveExternalField as contract } from "../../contract/bridges.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Input, Output } from "../../contract/route.ts";
import { sameValue } from "../../domain/bridges/field-values.ts";
import { accepts, isSameField } from "../../domain/bridges/merge-field.ts";
import { withoutZoneClash } from "../../domain/bridges/merge-zones.ts";
import type { FieldValue } from "../../domain/bridges/values.ts";
import type { FieldMapping } from "../../store/types/bridges.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Principal } from "../deps.ts";
import { requireBound } from "./bound.ts";
import { bridgeOut } from "./bridge-out.ts";
import { asRefusal, conflict } from "./faults.ts";
import {
  type FoundField,
  localValues,
  mappedOf,
  noteAgreed,
  readFields,
  requireFields,
  storedValue,
  takeValue,
  writeField,
} from "./fields.ts";
import { describeBound, endRun, readBound } from "./reconcile.ts";
import { requireConnectors } from "./require-client.ts";
import { claimBridge, PausedRun, Run, type RunDeps, type RunWrite, TO_THE_END } from "./run.ts";

type Body = Input<typeof contract>["body"];

/**
 * Ends the conflict of a field by the value of one side. The two values must still be those that the conflict shows, and
 * the field the one that was mapped; otherwise `external_field_conflict`.
 */
export async function resolveExternalField(
  deps: RunDeps,
  who: Principal,
  { params, body }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const actor = actorOf(who, body.actor);
  requireConnectors(deps.roots);
  const { bridge } = await deps.store.read(async (reader) => await requireBound(reader, params));
  const claim = await claimBridge(deps, bridge.uid, true);
  if (claim === undefined) throw new SvcError("external_root_claim_lost", {});
  try {
    const run = Run.open(deps, claim, bridge.connector_instance, TO_THE_END);
    if (run === undefined) throw new SvcError("bridge_not_found");
    await resolve(run, bridge.external_root_key, body, actor);
  } catch (error) {
    if (error instanceof PausedRun)
      throw conflict("the connector has another account or root than at the bind");
    throw asRefusal(error);
  } finally {
    await endRun(deps, claim);
  }
  return await deps.store.read(async (reader) =>
    bridgeOut(reader, await requireBound(reader, params)),
  );
}

async function resolve(
  run: Run,
  rootKey: string,
  { field, use }: Body,
  actor: string,
): Promise<void> {
  const { mapping, bridge } = await run.write(async (tx, now) => {
    const found = await tx.bridges.mapping(now.bridge.connector_instance, field);
    if (found === undefined) throw changed();
    const state = await tx.bridges.fieldState(now.bridge.uid, found.uid);
    if (state?.conflicted !== 1) throw changed();
    return { mapping: found, bridge: now.bridge };
  });
  const { capabilities } = await describeBound(run, bridge);
  requireFields(capabilities);
  await readBound(run, bridge);
  const [found] = await readFields(run, rootKey, [mapping]);
  if (found === undefined) throw changed();
  const sides = await run.write(async (tx, now) => await requireShown(run, tx, now, found));
  if (use === "local") {
    const { local: value, external: expected } = sides;
    if (!accepts(mappedOf(mapping), value)) throw changed();
    if (!(await writeField(run, rootKey, found, { value, expected }))) throw changed();
  }
  await run.write(async (tx, now) => {
    const by = { ...now, act: { actor, now: tx.now } };
    if (use === "local") return await noteAgreed(tx, by, mapping, sides.local);
    const { external } = await requireShown(run, tx, now, found);
    requireOneZone(run, now, mapping, external);
    const issue = await takeValue(tx, by, field, external);
    return await noteAgreed(tx, { ...by, issue }, mapping, external);
  });
}

/** Returns both values. Throws if one of them, or the field itself, is not what the conflict shows. */
async function requireShown(
  { deps }: Run,
  tx: Tx,
  { bridge, issue }: RunWrite,
  { mapping, descriptor, external }: FoundField,
): Promise<{ readonly local: FieldValue; readonly external: FieldValue }> {
  const state = await tx.bridges.fieldState(bridge.uid, mapping.uid);
  const shown = {
    local: storedValue(state?.conflict_local ?? null),
    external: storedValue(state?.conflict_external ?? null),
  };
  const local = localValues(issue, deps.settings.timezone).get(mapping.svc_field);
  if (descriptor === undefined || !isSameField(descriptor, mappedOf(mapping))) throw changed();
  if (local === undefined || shown.local === undefined || shown.external === undefined)
    throw changed();
  if (!sameValue(local, shown.local) || !sameValue(external, shown.external)) throw changed();
  return { local, external };
}

function requireOneZone(
  { deps }: Run,
  { issue }: RunWrite,
  { svc_field }: FieldMapping,
  value: FieldValue,
): void {
  const take = new Map([[svc_field, { kind: "take", value } as const]]);
  const settled = withoutZoneClash(take, localValues(issue, deps.settings.timezone));
  if (settled.get(svc_field)?.kind === "take") return;
  throw new SvcError(
    "external_field_conflict",
    { field: svc_field },
    {
      message: "the other date of the issue is a time in another time zone",
      hint: "change the time zone of the issue, or make the other date a day",
    },
  );
}

function changed(): SvcError {
  return new SvcError("external_field_conflict", {});
}
