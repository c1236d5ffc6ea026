import * as contract from "../../../../src/contract/bridges.ts";
import { ConnectorFault } from "../../../../src/ops/bridges/far-side.ts";
import { pick } from "./acts.ts";
import { FIELD_NAMES, FIELDS } from "./dates.ts";
import { HERE } from "./here.ts";
import type { World } from "./world.ts";

const METHODS = [
  ...["describe", "read_root", "list_comments", "publish_comment", "publish_comment"],
  ...["complete_root", "list_fields", "read_fields", "write_fields", "write_fields"],
];
/** Whatever happens within a run, it does not make a fresh claim stale. */
const LONGEST_WAIT_MS = 90_000;

/** What people do with the bridge, and what happens to the connector. */
export const BRIDGE = {
  async pause(m: World, number: number): Promise<void> {
    if (number % 3 === 0) await m.ask(contract.pauseExternalRootBridge, { ...m.at, body: {} });
  },

  async resume(m: World): Promise<void> {
    await m.ask(contract.resumeExternalRootBridge, { ...m.at, body: {} });
  },

  async unbind(m: World, number: number): Promise<void> {
    if (number % 4 === 0) await m.ask(contract.unbindExternalRoot, m.at);
    m.states.disturb();
  },

  async bind(m: World, number: number): Promise<void> {
    if ((await m.active()) !== undefined) return;
    for (const field of FIELD_NAMES) m.dates.beginMerge(field);
    m.states.beginBind();
    const body = { connector: "files", external: "r", publish_comments: number % 4 > 0 };
    await m.ask(contract.bindExternalRoot, { ...m.at, body });
    await m.look();
    if ((await m.active()) !== undefined) m.comments.bound();
  },

  /** Maps a date anew, so that it is merged as for the first time. */
  async remap(m: World, number: number): Promise<void> {
    const svc_field = FIELD_NAMES[number % 2] ?? "deadline_on";
    await m.ask(contract.unmapConnectorField, { params: { instance: "files", svc_field } });
    await mapDates(m);
  },

  async resolveField(m: World, number: number): Promise<void> {
    const field = FIELD_NAMES[number % 2] ?? "deadline_on";
    const use = number % 4 < 2 ? "local" : "external";
    m.dates.givenUp = { field, side: use === "local" ? "there" : "here" };
    await m.ask(contract.resolveExternalField, { ...m.at, body: { field, use } });
    await m.dates.look();
    m.dates.givenUp = undefined;
  },

  /** The comment is adopted if it is there, as a person sees it. Otherwise it is sent again or given up. */
  async resolveComment(m: World, number: number): Promise<string> {
    const pending = (await m.active())?.pending_comment_uid ?? undefined;
    const id = pending && m.comments.idThere(pending);
    const other = number % 2 === 0 ? "retry" : "skip";
    const body =
      id === undefined || number % 3 === 0
        ? ({ action: other } as const)
        : ({ action: "adopt", external_comment_id: id } as const);
    const code = await m.ask(contract.resolveExternalComment, { ...m.at, body });
    if (body.action === "adopt" && code === "validation")
      m.faults.push(`${id} was published from ${pending} and cannot be adopted`);
    return code;
  },

  async runAsked(m: World): Promise<void> {
    await m.ask(contract.reconcileExternalRootBridge, { ...m.at, body: {} });
  },

  async fault(m: World, number: number): Promise<void> {
    const kind = number % 2 === 0 ? "timeout" : "process";
    m.b.provider.failNext(pick(METHODS, number) ?? "", new ConnectorFault(kind), number % 3 > 0);
  },

  /** The answer to the next comment is lost. */
  async sayInVain(m: World): Promise<void> {
    await HERE.sayHere(m);
    m.b.provider.failNext("publish_comment", new ConnectorFault("timeout"), true);
  },

  async dateInVain(m: World, number: number): Promise<void> {
    await HERE.dateHere(m, number);
    m.b.provider.failNext("write_fields", new ConnectorFault("timeout"), true);
  },

  async weather(m: World, number: number): Promise<void> {
    const { provider } = m.b;
    const kind = number % 12;
    provider.isOffline = kind === 0;
    provider.account = kind === 1 ? "account-4712" : "account-4711";
    if (kind === 2) provider.hide("r");
    else provider.show("r");
  },

  async wait(m: World, number: number): Promise<void> {
    m.b.clock.advance((number % 10) * (LONGEST_WAIT_MS / 10));
  },
};

/** Maps each date that is not mapped. */
export async function mapDates(m: World): Promise<void> {
  for (const svc_field of FIELD_NAMES) {
    const found = await m.b.store.read(
      async ({ bridges }) => await bridges.mapping("files", svc_field),
    );
    if (found !== undefined) continue;
    const params = { instance: "files", svc_field };
    const body = { external_field: FIELDS[svc_field] };
    const code = await m.ask(contract.mapConnectorField, { params, body });
    if (code === "") m.dates.beginMerge(svc_field);
  }
}
