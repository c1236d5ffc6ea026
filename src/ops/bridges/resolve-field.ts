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
  isMapped,
  localValues,
  mappedOf,
  noteAgreed,
  noteConflict,
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
    if (found === undefined) throw none();
    const state = await tx.bridges.fieldState(now.bridge.uid, found.uid);
    if (state?.conflicted !== 1) throw none();
    return { mapping: found, bridge: now.bridge };
  });
  const { capabilities } = await describeBound(run, bridge);
  requireFields(capabilities);
  await readBound(run, bridge);
  const [found] = await readFields(run, rootKey, [mapping]);
  if (found === undefined) throw changed();
  const sides = await run.write(async (tx, now) => await shownSides(run, tx, now, found));
  if (sides === undefined) throw changed();
  const isResolved = await (use === "local"
    ? useLocal(run, rootKey, found, { sides, actor })
    : useExternal(run, found, actor));
  if (!isResolved) throw changed();
}

interface Sides {
  readonly local: FieldValue;
  readonly external: FieldValue;
}

/** Gives the root the value of the issue. False if the root has another value by now, which the conflict then shows. */
async function useLocal(
  run: Run,
  rootKey: string,
  found: FoundField,
  { sides, actor }: { readonly sides: Sides; readonly actor: string },
): Promise<boolean> {
  const { mapping } = found;
  const { local: value, external: expected } = sides;
  if (!accepts(mappedOf(mapping), value)) return false;
  const external = await writeField(run, rootKey, mapping, { value, expected });
  return await run.write(async (tx, now) => {
    if (!(await isMapped(tx, mapping))) return false;
    const by = { ...now, act: { actor, now: tx.now } };
    const isAgreed = sameValue(external, value);
    if (isAgreed) await noteAgreed(tx, by, mapping, value);
    else await showCurrent(run, tx, now, { ...found, external });
    return isAgreed;
  });
}

/** Gives the issue the value of the root. False if one of the values is another one than the conflict showed. */
async function useExternal(run: Run, found: FoundField, actor: string): Promise<boolean> {
  const { mapping } = found;
  return await run.write(async (tx, now) => {
    const sides = await shownSides(run, tx, now, found);
    if (sides === undefined) return false;
    requireOneZone(run, now, mapping, sides.external);
    const by = { ...now, act: { actor, now: tx.now } };
    const issue = await takeValue(tx, by, mapping.svc_field, sides.external);
    await noteAgreed(tx, { ...by, issue }, mapping, sides.external);
    return true;
  });
}

/**
 * Returns both values if they, and the field itself, are what the conflict shows. Otherwise the conflict shows the
 * current ones from now on, so that somebody can decide again.
 */
async function shownSides(
  run: Run,
  tx: Tx,
  now: RunWrite,
  found: FoundField,
): Promise<Sides | undefined> {
  const { mapping, descriptor, external } = found;
  if (!(await isMapped(tx, mapping))) return undefined;
  const state = await tx.bridges.fieldState(now.bridge.uid, mapping.uid);
  const shown = {
    local: storedValue(state?.conflict_local ?? null),
    external: storedValue(state?.conflict_external ?? null),
  };
  const local = localOf(run, now, mapping);
  const isField = descriptor !== undefined && isSameField(descriptor, mappedOf(mapping));
  const isShown = isSame(local, shown.local) && isSame(external, shown.external);
  if (isField && isShown && local !== undefined) return { local, external };
  await showCurrent(run, tx, now, found);
  return undefined;
}

function isSame(left: FieldValue | undefined, right: FieldValue | undefined): boolean {
  return left !== undefined && right !== undefined && sameValue(left, right);
}

async function showCurrent(run: Run, tx: Tx, now: RunWrite, found: FoundField): Promise<void> {
  await noteConflict(tx, now, found, localOf(run, now, found.mapping));
}

function localOf(
  { deps }: Run,
  { issue }: RunWrite,
  { svc_field }: FieldMapping,
): FieldValue | undefined {
  return localValues(issue, deps.settings.timezone).get(svc_field);
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

function none(): SvcError {
  const hint = "there is nothing to decide";
  return new SvcError(
    "external_field_conflict",
    {},
    { message: "the field is not in conflict", hint },
  );
}

function changed(): SvcError {
  return new SvcError("external_field_conflict", {});
}
