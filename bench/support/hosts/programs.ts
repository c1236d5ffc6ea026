import path from "node:path";
import type { HostName } from "../../../src/cli/agent-hosts/hosts.ts";
import { besidePackages } from "./installed.ts";

/** An agent host, or a library for writing one, in a version that npm has. */
export interface Program {
  readonly title: string;
  /** Its name for `svc mcp install --client`; absent for a library, which gets what `svc mcp config` prints. */
  readonly client?: HostName;
  /** The packages with their versions. The first is the one that the table names. */
  readonly packages: readonly string[];
  /** The command line that gives the model one task and ends when the task is done. */
  readonly run: (place: Place) => readonly string[];
  /** Variables that direct the program to the mock model. It gets `PATH` and `HOME` in addition. */
  readonly env: (place: Place) => Readonly<Record<string, string>>;
}

export interface Place {
  /** The origin of the mock model. */
  readonly model: string;
  /** The folder with the `node_modules` of the packages. */
  readonly packages: string;
  readonly home: string;
  /** The entry of the tool server, for libraries: a file in the form of `svc mcp config`. */
  readonly entry: string;
}

const TASK = "Work on the next issue.";
/** Programs require a key, but the mock model does not check it. */
const KEY = "no-key";

export const PROGRAMS: readonly Program[] = [
  {
    title: "Codex",
    client: "codex",
    packages: ["@openai/codex@0.171.0"],
    run: ({ packages, model }) => [
      bin(packages, "codex"),
      ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
      ...["-c", 'model_provider="mock"', "-c", 'model="mock"'],
      ...["-c", `model_providers.mock={name="mock",base_url="${model}/v1",wire_api="responses"}`],
      TASK,
    ],
    env: () => ({}),
  },
  {
    title: "Claude Code",
    client: "claude-code",
    packages: ["@anthropic-ai/claude-code@2.1.332"],
    run: ({ packages }) => [
      bin(packages, "claude"),
      ...["-p", TASK, "--model", "mock", "--dangerously-skip-permissions"],
    ],
    env: ({ model }) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // This variable says that the environment is a sandbox. Without it, Claude Code refuses to run as root.
      IS_SANDBOX: "1",
    }),
  },
  {
    title: "Gemini CLI",
    client: "gemini",
    packages: ["@google/gemini-cli@0.61.0"],
    run: ({ packages }) => [
      bin(packages, "gemini"),
      ...["-p", TASK, "--yolo", "-m", "gemini-2.5-pro"],
    ],
    // With only an API key, Gemini CLI refuses all servers except Google's, so it is configured for Vertex AI.
    env: ({ model }) => ({
      GOOGLE_GENAI_USE_VERTEXAI: "true",
      GOOGLE_VERTEX_BASE_URL: model,
      GOOGLE_API_KEY: KEY,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
  },
  {
    title: "opencode",
    client: "opencode",
    packages: ["opencode-ai@1.18.33"],
    run: ({ packages }) => [bin(packages, "opencode"), "run", TASK, "-m", "mock/mock"],
    env: ({ model }) => ({
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          mock: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${model}/v1`, apiKey: KEY },
            models: { mock: { name: "mock", tool_call: true } },
          },
        },
      }),
    }),
  },
  library("LangChain adapters", "langchain.mjs", [
    "@langchain/mcp-adapters@1.1.4",
    "langchain@1.5.14",
    "@langchain/openai@1.6.0",
    "@langchain/core@1.4.0",
  ]),
  library("Vercel AI SDK", "vercel-ai.mjs", [
    "@ai-sdk/mcp@2.0.99",
    "ai@7.0.173",
    "@ai-sdk/openai-compatible@3.0.92",
  ]),
  library("OpenAI Agents SDK", "openai-agents.mjs", ["@openai/agents@0.20.0"]),
];

function library(title: string, file: string, packages: readonly string[]): Program {
  const script = path.join(import.meta.dirname, "libraries", file);
  return {
    title,
    packages,
    run: ({ packages, entry }) => [process.execPath, besidePackages(script, packages), entry, TASK],
    env: ({ model }) => ({
      OPENAI_BASE_URL: `${model}/v1`,
      OPENAI_API_KEY: KEY,
      OPENAI_AGENTS_DISABLE_TRACING: "1",
    }),
  };
}

function bin(packages: string, name: string): string {
  return path.join(packages, "node_modules/.bin", name);
}
