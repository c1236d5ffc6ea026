import * as contract from "../../../src/contract/bridges.ts";
import type { Output, Route } from "../../../src/contract/route.ts";
import type { RunDeps } from "../../../src/ops/bridges/run.ts";
import { expectFolded } from "../../store/fold.ts";
import { FakeClock } from "../../support/clock.ts";
import { type CallInput, type OpenStore, world } from "../../support/world.ts";
import { Provider } from "./provider.ts";

type Action = "adopt" | "retry" | "skip";
type SvcField = "scheduled_on" | "deadline_on";

/** A daemon with an issue, and a connector to a tracker in memory with the record `r`. */
export async function bridgedWorld(store: OpenStore, { hasConnectors = true } = {}) {
  const clock = new FakeClock();
  const provider = new Provider(clock);
  provider.add("r");
  const w = await world({ store, clock, ...(hasConnectors ? { roots: provider } : {}) });
  const issue = await w.given.issue({ title: "old title", labels: ["mine"] });
  type Given = Pick<typeof issue, "path">;

  /** Sends a request; rejects with the error of a refusal. */
  const ask = async <T extends Route>(route: T, input: CallInput<T>): Promise<Output<T>> => {
    const response = await w.send(route, input);
    const body = (await response.json()) as { readonly error?: object };
    if (body.error !== undefined) throw new Refused(body.error);
    return route.response().parse(body) as Output<T>;
  };
  let place = issue.path;
  const at = (of?: Given) => ({ params: of?.path ?? place });
  /** Lets the requests that follow name another issue. */
  const lookAt = (path: typeof place) => {
    place = path;
  };

  const routes = {
    bind: async ({ external = "r", publish = false, connector = "files" } = {}, of?: Given) =>
      await ask(contract.bindExternalRoot, {
        ...at(of),
        body: { connector, external, publish_comments: publish },
      }),
    show: async () => await ask(contract.getExternalRootBridge, at()),
    run: async () => await ask(contract.reconcileExternalRootBridge, { ...at(), body: {} }),
    runByKey: async (root_key: string) =>
      await ask(contract.reconcileExternalRootByKey, {
        ...{ params: { instance: "files" }, body: { root_key } },
      }),
    pause: async (reason?: string) =>
      await ask(contract.pauseExternalRootBridge, {
        ...{ ...at(), body: reason === undefined ? {} : { reason } },
      }),
    resume: async () => await ask(contract.resumeExternalRootBridge, { ...at(), body: {} }),
    unbind: async () => await ask(contract.unbindExternalRoot, at()),
    resolveComment: async (action: Action, external_comment_id?: string) =>
      await ask(contract.resolveExternalComment, {
        ...at(),
        body: { action, ...(external_comment_id === undefined ? {} : { external_comment_id }) },
      }),
    resolveField: async (use: "local" | "external") =>
      await ask(contract.resolveExternalField, { ...at(), body: { field: "deadline_on", use } }),
    fields: async (instance = "files") =>
      await ask(contract.listConnectorFields, { params: { instance } }),
    map: async (svc_field: SvcField, external_field: string, instance = "files") =>
      await ask(contract.mapConnectorField, {
        ...{ params: { instance, svc_field }, body: { external_field } },
      }),
    unmap: async (svc_field: SvcField, instance = "files") =>
      await ask(contract.unmapConnectorField, { params: { instance, svc_field } }),
  };

  const comments = async () => {
    const rows = await w.store.read(async (reader) => await reader.comments.of(issue.uid));
    return rows.map(({ author, body }) => `${author}: ${body}`);
  };
  const shown = async () => {
    const found = await w.store.read(async ({ issues }) => await issues.find(issue.uid));
    if (found === undefined) throw new Error("the issue is gone");
    return found;
  };
  /** The row of the bridge. */
  const bridge = async () => {
    const found = await w.store.read(async ({ bridges }) => await bridges.active(issue.uid));
    if (found === undefined) throw new Error("there is no bridge");
    return found;
  };
  /** Claims the bridge, as a run that was killed leaves it. */
  const claimed = async () => {
    const { id: _, ...row } = await bridge();
    const claim = { claim_token: "T".padEnd(26, "0"), claim_started_at: clock.now() };
    await w.store.write(async (tx) =>
      tx.unfolded.put("external_root_binding", { ...row, ...claim }),
    );
  };
  const folded = async () => await expectFolded(w.store);
  /** What a run needs that no request asks for. */
  const { ids, settings, store: writes } = w;
  const runDeps: RunDeps = { clock, ids, settings, store: writes, roots: provider };
  const state = { provider, issue, comments, shown, bridge, claimed, folded, runDeps };
  return { ...w, ...routes, ...state, w, lookAt };
}

export type Bridged = Awaited<ReturnType<typeof bridgedWorld>>;

class Refused extends Error {
  readonly code: string;

  constructor(error: { readonly code?: string; readonly message?: string }) {
    super(`${error.code}: ${error.message}`);
    this.code = error.code ?? "";
  }
}

/** The code of the refusal that the work ends in. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refused) return error.code;
    throw error;
  }
  throw new Error("it was not refused");
}
