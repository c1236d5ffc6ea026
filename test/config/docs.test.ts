import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatDuration } from "../../src/base/durations.ts";
import type { SettingDefinition } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { golden } from "../support/golden.ts";

const PATH = "docs/configuration.md";
const HEADING = "## Settings\n\n";

test("docs/configuration.md lists every setting correctly", () => {
  const text = readFileSync(join(import.meta.dirname, "..", "..", PATH), "utf8");
  const [prose = "", ...rest] = text.split(HEADING);
  expect(rest).toHaveLength(1);
  const whole = prose + HEADING + table();
  expect(whole).toBe(golden(PATH, whole));
});

function table(): string {
  const rows = Object.values(SETTINGS as Readonly<Record<string, SettingDefinition<unknown>>>).map(
    line,
  );
  const head =
    "| config.toml | Environment | Value | Default | Meaning |\n| --- | --- | --- | --- | --- |\n";
  return `${head}${rows.join("\n")}\n`;
}

function line({
  key,
  flag,
  env = [],
  kind,
  default: value,
  help,
}: SettingDefinition<unknown>): string {
  const inFile = key === undefined ? "" : `\`${key}\``;
  const names = [
    ...(flag === undefined ? [] : [`\`--${flag}\``]),
    ...env.map((name) => `\`${name}\``),
  ];
  return `| ${inFile} | ${names.join(", ")} | ${kind.expects} | ${shown(value, kind)} | ${help} |`;
}

function shown(value: unknown, { expects }: SettingDefinition<unknown>["kind"]): string {
  if (value === undefined || typeof value === "object") return "";
  return typeof value === "number" && expects.includes("duration")
    ? formatDuration(value)
    : String(value);
}
