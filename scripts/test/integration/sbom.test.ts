import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { z } from "zod";

const root = path.resolve(import.meta.dirname, "../../..");

/** What CycloneDX 1.5 requires of the parts that npm writes. */
const sbomSchema = z.object({
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.5"),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f-]{36}$/),
  version: z.literal(1),
  metadata: z.object({ timestamp: z.iso.datetime(), component: z.object({ name: z.literal("tillgate") }) }),
  components: z.array(
    z.object({
      "bom-ref": z.string().min(1),
      type: z.enum(["library", "application"]),
      name: z.string().min(1),
      version: z.string().min(1),
      purl: z.string().startsWith("pkg:npm/"),
      hashes: z
        .array(z.object({ alg: z.enum(["SHA-512", "SHA-1"]), content: z.string().regex(/^[0-9a-f]+$/) }))
        .optional(),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
      resolved: z.string().optional(),
    }),
  ),
});

it("npm run sbom lists each package that a release installs, in CycloneDX", async () => {
  const { stdout } = await promisify(execFile)("npm", ["run", "-s", "sbom"], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { components, dependencies } = sbomSchema.parse(JSON.parse(stdout));
  const { packages } = lockSchema.parse(
    JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")),
  );
  const installed = Object.entries(packages).flatMap(([location, { version, dev, link, resolved }]) => {
    const name =
      location.split("node_modules/")[1] === undefined ? undefined : location.split("node_modules/").at(-1);
    // Empty folders replace two packages.
    return name === undefined || dev || link || resolved?.startsWith("file:") ? [] : [`${name}@${version}`];
  });
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter((entry) => !listed.has(entry))).toEqual([]);
  const refs = new Set(components.map((component) => component["bom-ref"]));
  const unknown = dependencies.flatMap(({ dependsOn }) => dependsOn.filter((ref) => !refs.has(ref)));
  expect([refs.size, unknown]).toEqual([components.length, []]);
}, 60_000);
