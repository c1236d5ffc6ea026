import type { testIssueSync as contract } from "../../contract/issue-sync.ts";
import type { Output } from "../../contract/route.ts";
import { type BindingRow, configOf } from "../../domain/issue-sync/run.ts";
import type { Reader } from "../../store/types/store.ts";
import { requireWriter } from "../actor.ts";
import type { Deps, Principal } from "../deps.ts";
import { eachBinding } from "./claim.ts";
import type { FarSide } from "./far-side.ts";

type Needs = Pick<Deps, "store" | "clock"> & { readonly farSide: FarSide };
type Answer = Output<typeof contract>;

/** How many bindings an answer names. */
const MAX_BINDINGS = 1000;

/** `svc doctor` waits for ten seconds, so the answer must come before that. */
const EACH_MS = 3000;
const ALL_MS = 7000;
const AT_ONCE = 4;

interface Enabled {
  readonly project: string;
  readonly binding: BindingRow;
}

/** Tests some bindings at a time. Bindings whose turn does not come in time are returned as not tested. */
export async function testIssueSync(
  { store, clock, farSide }: Needs,
  who: Principal,
): Promise<Answer> {
  requireWriter(who);
  const until = clock.nowMs() + ALL_MS;
  const enabled = await store.read(enabledBindings);
  const tested: Answer["tested"] = enabled.map((one) => ({ ...namesOf(one), result: "untested" }));
  const places = enabled.entries();
  const work = async (): Promise<void> => {
    for (const [place, one] of places) {
      const left = Math.min(EACH_MS, until - clock.nowMs());
      if (left <= 0) return;
      tested[place] = { ...namesOf(one), ...(await farSide.test(one.binding, left)) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { tested };
}

async function enabledBindings(reader: Reader): Promise<readonly Enabled[]> {
  const found: Enabled[] = [];
  for await (const binding of eachBinding(reader)) {
    if (binding.enabled !== 1) continue;
    const project = await reader.projects.find(binding.project_uid);
    if (project === undefined || project.deleted_at !== null) continue;
    found.push({ project: project.name, binding });
    if (found.length === MAX_BINDINGS) break;
  }
  return found;
}

function namesOf({ project, binding }: Enabled) {
  const { provider, display_name } = binding;
  return { project, provider, host: configOf(binding).host, display_name };
}
