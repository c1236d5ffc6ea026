import type { Credential } from "../../domain/access/exposure.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { ExposureReport } from "../exposure/exposure.ts";
import type { ExposedListener } from "../exposure/listener.ts";
import { type ExposedPages, openersText } from "../exposure/pages.ts";
import type { View } from "../output/output.ts";

const MODES: Readonly<Record<ExposureReport["mode"], string>> = {
  open: "no token is asked for",
  tokenless: "everybody writes without a token",
  readonly: "read-only, without a token",
  static: "every request needs the daemon's token",
  identity: "every request needs a token, and writes that of a person",
};

const CREDENTIALS: Readonly<Record<Credential, string>> = {
  none: "whoever reaches it",
  daemon_token: "whoever has [auth] token",
  person_token: "whoever has a token of svc tokens create",
};

const NAMES = {
  request: ", as any actor",
  token: ", as the actor of the token",
  header: ", as the actor that the proxy names",
} as const;

export const exposureView: View<ExposureReport> = {
  human: (report, { paint }) => {
    const { source, pid, mode, listeners, pages, web, after_restart: next, unchecked } = report;
    const from = source === "daemon" ? `the daemon with pid ${pid}` : "the next daemon";
    const warningText = (text: string): string => paint("priority2", text);
    const against = (refused: ExposureReport["web"]): readonly string[] =>
      refused?.refusal === undefined
        ? []
        : refusalLines(refused.refusal, refused.cure, warningText);
    const listenerLines = (all: readonly ExposedListener[]): readonly string[] =>
      all.flatMap((listener) => blockOf(listener, warningText));
    return [
      `${from}: ${MODES[mode]} (${mode})`,
      ...listenerLines(listeners),
      ...pagesBlock(pages, warningText),
      ...against(web),
      ...(next === undefined
        ? []
        : [`by the settings, after svc daemon restart: ${MODES[next.mode]} (${next.mode})`]),
      ...listenerLines(next?.listeners ?? []),
      ...pagesBlock(next?.pages, warningText),
      ...against(next?.web),
      ...(unchecked.length === 0
        ? []
        : ["not checked:", ...unchecked.map((text) => `  ${oneLine(text)}`)]),
    ].join("\n");
  },
  agent: ({ source, pid, mode, listeners, pages, after_restart, unchecked }, quiet) =>
    agentOutput(
      header("exposure", { source, pid, mode, after_restart: after_restart?.mode }),
      [
        ...listeners.map(rowOf),
        ...pagesRows(pages),
        ...unchecked.map((text) => row({ unchecked: text })),
      ],
      quiet,
    ),
};

function blockOf(listener: ExposedListener, warned: (text: string) => string): readonly string[] {
  const { address, https, row: number, rule, reached_by, read, write, administer } = listener;
  const names = write.length === 0 ? "" : NAMES[listener.writes_as];
  return [
    `  ${oneLine(address)}${https ? " over HTTPS" : ""}, row ${number} of the start-up table: ${rule}`,
    `    reached by   ${oneLine(reached_by)}`,
    `    reads        ${has(read)}`,
    `    writes       ${has(write)}${names}`,
    `    administers  ${has(administer)}`,
    ...(listener.pages_opened_by === undefined
      ? []
      : [`    pages        opened by ${openersText(listener.pages_opened_by)}`]),
    ...(listener.refusal === undefined
      ? []
      : refusalLines(listener.refusal, listener.cure, warned)),
    ...listener.warnings.map((text) => warned(`    ! ${oneLine(text)}`)),
  ];
}

function pagesBlock(
  pages: ExposedPages | undefined,
  warned: (text: string) => string,
): readonly string[] {
  if (pages === undefined) return [];
  const { address, origin, opened_by, warnings } = pages;
  const at = origin === undefined ? "" : ` (${oneLine(origin)})`;
  return [
    `  ${oneLine(address)}, for pages${at}`,
    `    opened by    ${openersText(opened_by)}`,
    ...warnings.map((text) => warned(`    ! ${oneLine(text)}`)),
  ];
}

function pagesRows(pages: ExposedPages | undefined): readonly string[] {
  if (pages === undefined) return [];
  const { address, origin, opened_by, warnings } = pages;
  const joined = warnings.length === 0 ? undefined : warnings.join("; ");
  return [row({ pages: address, origin, opened_by, warnings: joined })];
}

function refusalLines(
  refusal: string,
  cure: string | undefined,
  warned: (text: string) => string,
): readonly string[] {
  const line = warned(`    ! does not start: ${oneLine(refusal)}`);
  return cure === undefined ? [line] : [line, `      ${oneLine(cure)}`];
}

function has(credentials: readonly Credential[]): string {
  return credentials.length === 0
    ? "nobody"
    : credentials.map((credential) => CREDENTIALS[credential]).join(", or ");
}

function rowOf(listener: ExposedListener): string {
  const { address, https, row: number, reach, read, write, administer, writes_as } = listener;
  return row({
    address,
    https,
    row: number,
    reach,
    read,
    write,
    administer,
    writes_as,
    proxy_user: listener.proxy_user,
    pages_opened_by: listener.pages_opened_by,
    refusal: listener.refusal,
    warnings: listener.warnings.length === 0 ? undefined : listener.warnings.join("; "),
  });
}
