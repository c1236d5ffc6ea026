const OWN_TOOLS = "calls a tool that only the suite's own server has";
const TOOLS_ONLY = "asks for what svc does not announce: it has tools only";
const NO_HEADERS = "no tool of svc takes an argument by a header";

/** The reason why a scenario of the suite, or some of its checks, do not apply to `svc mcp serve`. */
export interface Reason {
  readonly why: string;
  /** The checks that do not apply. If absent, the whole scenario does not apply. */
  readonly checks?: readonly string[];
}

const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  [OWN_TOOLS]: [
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "json-schema-2020-12",
    "server-sse-polling",
    "input-required-result-basic-elicitation",
    "input-required-result-basic-sampling",
    "input-required-result-basic-list-roots",
    "input-required-result-request-state",
    "input-required-result-multiple-input-requests",
    "input-required-result-multi-round",
    "input-required-result-missing-input-response",
    "input-required-result-result-type",
    "input-required-result-tampered-state",
    "input-required-result-capability-check",
    "input-required-result-ignore-extra-params",
  ],
  [TOOLS_ONLY]: [
    "logging-set-level",
    "completion-complete",
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
    "sep-2164-resource-not-found",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
    "input-required-result-non-tool-request",
  ],
  [NO_HEADERS]: ["http-custom-header-server-validation"],
};

const PARTS: Readonly<Record<string, readonly Reason[]>> = {
  caching: [
    {
      why: TOOLS_ONLY,
      checks: [
        "sep-2549-prompts-list-caching-hints",
        "sep-2549-resources-list-caching-hints",
        "sep-2549-resources-templates-list-caching-hints",
        "sep-2549-resources-read-caching-hints",
      ],
    },
  ],
  "server-stateless": [
    {
      why: OWN_TOOLS,
      checks: [
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
        "sep-2575-server-sends-tools-list-changed-on-subscription",
      ],
    },
    { why: TOOLS_ONLY, checks: ["sep-2575-server-sends-prompts-list-changed-on-subscription"] },
  ],
};

/** Returns the reason why the check does not apply, or `undefined` if it has to pass. */
export function reasonFor(scenario: string, check: string): string | undefined {
  const whole = Object.entries(SCENARIOS).find(([, names]) => names.includes(scenario));
  return whole?.[0] ?? PARTS[scenario]?.find(({ checks }) => checks?.includes(check))?.why;
}

export function isLeftOut(scenario: string): boolean {
  return Object.values(SCENARIOS).some((names) => names.includes(scenario));
}
