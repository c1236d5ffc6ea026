import { expect, test } from "vitest";
import { type Bom, isAllowed, releaseBom } from "../scripts/build/sbom.ts";

const DEVELOPMENT = { name: "cdx:npm:package:development", value: "true" };

function component(ref: string, license = "MIT", properties = [DEVELOPMENT]) {
  const at = ref.lastIndexOf("@");
  const [name, version] = [ref.slice(0, at), ref.slice(at + 1)];
  return { "bom-ref": ref, name, version, properties, licenses: [{ license: { id: license } }] };
}

function bom(...components: Bom["components"]): Bom {
  return {
    serialNumber: "urn:uuid:1",
    metadata: {
      timestamp: "2026-12-01T00:00:00.000Z",
      component: { ...component("svc@1.0.0"), name: "folder" },
    },
    components,
    dependencies: [
      { ref: "svc@1.0.0", dependsOn: ["tool@1.0.0", "some@2.0.0", "@a/b@1.0.0"] },
      { ref: "tool@1.0.0", dependsOn: ["some@2.0.0"] },
      { ref: "some@2.0.0" },
    ],
  };
}

const bundled = [{ name: "some", version: "2.0.0", license: "MIT" }];

test("the bill of materials has what is bundled and what is installed, and no tool of development", () => {
  const all = bom(
    component("tool@1.0.0", "GPL-3.0"),
    component("some@1.0.0"),
    component("some@2.0.0"),
    component("@a/b@1.0.0", "ISC", []),
  );
  const { components, dependencies } = releaseBom(all, bundled);
  expect(components.map((one) => [one["bom-ref"], one.properties])).toEqual([
    ["@a/b@1.0.0", []],
    ["some@2.0.0", [{ name: "cdx:npm:package:bundled", value: "true" }]],
  ]);
  expect(dependencies).toEqual([
    { ref: "some@2.0.0", dependsOn: [] },
    { ref: "svc@1.0.0", dependsOn: ["@a/b@1.0.0", "some@2.0.0"] },
  ]);
});

test("the bill of materials has no serial number, no instant and no name of a folder", () => {
  const made = releaseBom(bom(component("some@2.0.0")), bundled);
  expect(made).not.toHaveProperty("serialNumber");
  expect(made.metadata).not.toHaveProperty("timestamp");
  expect(made.metadata.component.name).toBe("svc");
});

test("a bundled package that package-lock.json does not have in this version is refused", () => {
  expect(() => releaseBom(bom(component("some@1.0.0")), bundled)).toThrow(
    "some@2.0.0 is in a bundle, but not in package-lock.json",
  );
});

test("a package with a licence that is not allowed, or with none, is refused", () => {
  expect(() => releaseBom(bom(component("some@2.0.0", "GPL-3.0")), bundled)).toThrow(
    "some@2.0.0 has GPL-3.0",
  );
  const bare = { ...component("some@2.0.0"), licenses: [] };
  expect(() => releaseBom(bom(bare), bundled)).toThrow("some@2.0.0 has no licence");
});

test.each([
  ["MIT", true],
  ["(BSD-3-Clause OR GPL-2.0)", true],
  ["GPL-2.0 OR ISC", true],
  ["GPL-2.0", false],
  ["GPL-2.0 OR GPL-3.0", false],
  ["MIT AND GPL-2.0", false],
  ["(MIT OR ISC) AND GPL-2.0", false],
  ["GPL-2.0 WITH Classpath-exception-2.0", false],
  ["", false],
])("the licence %j is allowed: %s", (expression, allowed) => {
  expect(isAllowed(expression)).toBe(allowed);
});
