import { systemClock } from "../base/clock.ts";
import { silentLog } from "../base/log.ts";
import type { ConnectorEntry } from "../config/connectors.ts";
import type { Env } from "../config/env.ts";
import { ConnectorFault } from "../ops/bridges/far-side.ts";
import { redactorOf } from "./client.ts";
import { BEHAVIOURS } from "./kit/behaviours.ts";
import { type Behaviour, Bench, Broken, type Heard, Skipped } from "./kit/bench.ts";
import { FixtureFault } from "./kit/fixture.ts";
import { requireDescribed } from "./kit/read-behaviours.ts";
import type { Ran } from "./process.ts";
import { Reaper } from "./reaper.ts";
import { RULES, type RuleId } from "./rules.ts";

export interface ConnectorTestInput {
  readonly entry: Pick<ConnectorEntry, "command" | "args" | "timeoutMs" | "env" | "settings">;
  /** What names the root of the test, if there is no fixture. */
  readonly root?: string | undefined;
  /** The program that changes the provider for the test, with its arguments. */
  readonly fixture?: readonly string[] | undefined;
  /** The numbers of the behaviours to show; absent for all. */
  readonly only?: readonly number[] | undefined;
  readonly environment: Env;
  readonly signal: AbortSignal;
}

/** What a behaviour was found to be. All texts are without the secrets of the settings. */
export interface Tested {
  readonly number: number;
  readonly name: string;
  readonly status: "ok" | "failed" | "skipped";
  /** What the program does wrong, or why the behaviour was not tried. */
  readonly why?: string;
  readonly sent?: string;
  readonly came?: string;
  readonly rule?: RuleId;
  /** The sentence of docs/connectors.md. */
  readonly rule_text?: string;
}

/** Shows the twelve behaviours of docs/connectors.md with a connector, which it starts about a hundred times. */
export async function testConnector(input: ConnectorTestInput): Promise<readonly Tested[]> {
  // The programs have groups of their own, so they would go on if this process were ended by a signal.
  const reaper = new Reaper(silentLog);
  try {
    return await showAll(input, reaper);
  } finally {
    reaper.stop();
  }
}

async function showAll(input: ConnectorTestInput, reaper: Reaper): Promise<readonly Tested[]> {
  const { entry, root, fixture, only, environment, signal } = input;
  const [command = "", ...args] = fixture ?? [];
  const bench = new Bench(
    { program: entry, root, fixture: fixture && { ...entry, command, args } },
    { clock: systemClock, environment, signal, reaper, keepsStderr: true },
  );
  const redact = redactorOf(entry, { environment });
  const tested: Tested[] = [];
  for (const behaviour of [...BEHAVIOURS, SAME_AT_THE_END]) {
    if (only?.includes(behaviour.number) === false) continue;
    signal.throwIfAborted();
    const found = await show(behaviour, bench, redact);
    // The first behaviour is looked at again at the end.
    const earlier = tested.findIndex(({ number }) => number === found.number);
    if (earlier === -1) tested.push(found);
    else if (tested[earlier]?.status === "ok") tested[earlier] = found;
  }
  return tested.toSorted((left, right) => left.number - right.number);
}

const SAME_AT_THE_END: Behaviour = {
  ...{ number: 1, name: BEHAVIOURS[0]?.name ?? "" },
  run: async (bench) => {
    await requireDescribed(bench, await bench.described());
    return undefined;
  },
};

async function show(
  { number, name, run }: Behaviour,
  bench: Bench,
  redact: (text: string) => string,
): Promise<Tested> {
  bench.forget();
  try {
    const why = await run(bench);
    return { number, name, status: "ok", ...(why === undefined ? {} : { why }) };
  } catch (fault) {
    bench.deps.signal.throwIfAborted();
    if (fault instanceof Skipped) return { number, name, status: "skipped", why: fault.message };
    if (fault instanceof FixtureFault)
      return {
        number,
        name,
        status: "failed",
        why: redact(`the fixture failed: ${fault.message}`),
      };
    const rule = ruleOf(fault);
    if (rule === undefined) throw fault;
    const why = redact(whyOf(fault));
    return {
      ...{ number, name, status: "failed", why, rule, rule_text: RULES[rule] },
      ...(bench.last === undefined ? {} : heardTexts(bench.last, redact)),
    };
  }
}

function ruleOf(fault: unknown): RuleId | undefined {
  if (fault instanceof Broken) return fault.rule;
  if (!(fault instanceof ConnectorFault)) return undefined;
  return (fault.rule as RuleId | undefined) ?? "method.result";
}

function whyOf(fault: unknown): string {
  if (!(fault instanceof ConnectorFault)) return fault instanceof Error ? fault.message : "";
  if (fault.kind === "request") return `it answered with the error ${fault.code}: ${fault.detail}`;
  return fault.detail ?? "the answer breaks the rule";
}

const MOST_SHOWN = 600;

function heardTexts({ sent, ran }: Heard, redact: (text: string) => string) {
  return { sent: shortened(redact(sent)), came: shortened(redact(cameText(ran))) };
}

function cameText(ran: Ran): string {
  const printed = "stdout" in ran ? ran.stdout : ran.printed;
  const text = Buffer.from(printed ?? [])
    .toString()
    .trim();
  if ("stdout" in ran) return text === "" ? "nothing" : text;
  const complaint = Buffer.from(ran.complaint ?? [])
    .toString()
    .trim();
  return [
    ran.why,
    ...(text === "" ? [] : [`it printed ${text}`]),
    ...(complaint === "" ? [] : [`its stderr ends with ${complaint}`]),
  ].join("; ");
}

function shortened(text: string): string {
  return text.length > MOST_SHOWN
    ? `${text.slice(0, MOST_SHOWN)} … (${text.length} characters)`
    : text;
}
