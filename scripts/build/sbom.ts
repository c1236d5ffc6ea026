import { execFileSync } from "node:child_process";
import type { Bundled } from "./notices.ts";

interface Property {
  readonly name: string;
  readonly value: string;
}

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly (
    | { readonly license: { readonly id?: string; readonly name?: string } }
    | { readonly expression: string }
  )[];
  readonly properties: readonly Property[];
}

/** A bill of materials in the form CycloneDX 1.5, with the parts that are read here. */
export interface Bom {
  readonly serialNumber?: string;
  readonly metadata: {
    readonly timestamp?: string;
    readonly component: Component;
  };
  readonly components: readonly Component[];
  readonly dependencies: readonly {
    readonly ref: string;
    readonly dependsOn?: readonly string[];
  }[];
}

/** The licences that a package may have whose code we ship or that an installation brings. */
export const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
]);

/** What `npm sbom` says of all packages of package-lock.json in `root`, those for development included. */
export function npmBom(root: string): Bom {
  // Settings of an npm that runs this script must not reach this one.
  const env = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const words = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
  const options = { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
  return JSON.parse(execFileSync("npm", words, { ...options, env: Object.fromEntries(env) }));
}

/**
 * The bill of materials of a release, made from that of all packages: the packages whose code is in the bundles, and those
 * that npm installs with svc. The same input gives the same text: there is no serial number, no instant and no name of a
 * folder. Throws if a bundled package is not in package-lock.json in this version, or if a licence is not allowed.
 */
export function releaseBom(all: Bom, bundled: readonly Bundled[]): Bom {
  const refs = new Set(bundled.map(({ name, version }) => `${name}@${version}`));
  const components = all.components
    .filter((one) => refs.has(one["bom-ref"]) || !isForDevelopment(one))
    .map((one) => (refs.has(one["bom-ref"]) ? asBundled(one) : one))
    .sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1));
  const kept = new Set(components.map((one) => one["bom-ref"]));
  for (const ref of refs)
    if (!kept.has(ref)) throw new Error(`${ref} is in a bundle, but not in package-lock.json`);
  for (const one of components) requireAllowed(one);
  const { serialNumber: _serial, ...rest } = all;
  const { timestamp: _at, ...metadata } = all.metadata;
  const { component } = metadata;
  const own = component["bom-ref"];
  return {
    ...rest,
    metadata: {
      ...metadata,
      component: { ...component, name: own.slice(0, own.lastIndexOf("@")) },
    },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => ref === own || kept.has(ref))
      .map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: dependsOn.filter((to) => kept.has(to)).sort(),
      }))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  };
}

/** Whether a licence, as an SPDX expression, allows what we do. Of alternatives one is enough. */
export function isAllowed(expression: string): boolean {
  const inner = expression.replace(/^\((.*)\)$/, "$1");
  if (/ (AND|WITH) |[()]/.test(inner)) return false;
  return inner.split(" OR ").some((id) => ALLOWED_LICENCES.has(id));
}

/** The licences of a component as SPDX expressions. */
export function licencesOf({ licenses = [] }: Component): readonly string[] {
  return licenses.map((one) =>
    "expression" in one ? one.expression : (one.license.id ?? one.license.name ?? ""),
  );
}

function requireAllowed(component: Component): void {
  const licences = licencesOf(component);
  if (licences.length > 0 && licences.every(isAllowed)) return;
  const named = licences.join(", ") || "no licence";
  throw new Error(
    `${component["bom-ref"]} has ${named}, which scripts/build/sbom.ts does not allow`,
  );
}

const DEVELOPMENT = "cdx:npm:package:development";

function isForDevelopment({ properties }: Component): boolean {
  return properties.some(({ name }) => name === DEVELOPMENT);
}

/** For npm it is a package for development, but its code is in the bundles. */
function asBundled(component: Component): Component {
  const properties = component.properties.filter(({ name }) => name !== DEVELOPMENT);
  const bundled = { name: "cdx:npm:package:bundled", value: "true" };
  return { ...component, ...{ scope: "required" }, properties: [...properties, bundled] };
}
