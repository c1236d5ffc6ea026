import * as contract from "../../../../src/contract/bridges.ts";
import { STALE_MS } from "../../../../src/domain/bridges/claim.ts";
import { BRIDGE, mapDates } from "./bridge.ts";
import { FIELD_NAMES } from "./dates.ts";
import { HERE } from "./here.ts";
import type { World } from "./world.ts";

const MOST_RUNS = 40;

/** Lets the provider answer and the old claims end, and runs until nothing changes. People decide what waits for them. */
export async function settle(model: World): Promise<void> {
  const { b } = model;
  b.provider.forgetFaults();
  await BRIDGE.weather(model, 5);
  b.clock.advance(STALE_MS);
  await HERE.restore(model);
  await mapDates(model);
  for (let run = 0; run < MOST_RUNS; run++) if (await isAtRest(model, run)) return;
  model.faults.push(`it never comes to rest: ${JSON.stringify(await model.active())}`);
}

/** Runs once. Returns whether nothing changed. */
async function isAtRest(model: World, run: number): Promise<boolean> {
  const { b } = model;
  const bridge = await model.active();
  if (bridge === undefined) await BRIDGE.bind(model, run);
  if (bridge === undefined) return false;
  if (bridge.enabled === 0) await BRIDGE.resume(model);
  const before = (await b.store.read(async ({ events }) => await events.head())).last_event_id;
  await model.look();
  const code = await model.ask(contract.reconcileExternalRootBridge, {
    ...{ params: b.issue.path, body: {} },
  });
  await model.look();
  const after = await model.active();
  if (code !== "") return await answered(model, code, run);
  if (after?.last_error !== null) model.faults.push(`an error is left: ${after?.last_error}`);
  const { field_conflicts } = await b.show();
  if (field_conflicts.length > 0)
    for (const at of FIELD_NAMES.keys()) await BRIDGE.resolveField(model, at);
  const head = (await b.store.read(async ({ events }) => await events.head())).last_event_id;
  return head === before && after?.enabled === 1;
}

/** A run may fail only for a comment that people must decide about. */
async function answered(model: World, code: string, run: number): Promise<boolean> {
  const after = await model.active();
  if (after?.pending_comment_uid === null || code !== "connector_error")
    model.faults.push(`a run is refused: ${code}, ${after?.last_error}`);
  const isLate = run > 5;
  await BRIDGE.resolveComment(model, isLate ? 3 : run);
  return false;
}
