/** `npm run -s sbom > tillgate.cdx.json`: the packages that a release installs, in CycloneDX. Reads only the lockfile. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./bootstrap/project.mjs";

const readJson = (file) => JSON.parse(readFileSync(path.join(root, file), "utf8"));

/**
 * Creates the SBOM with `npm sbom` from a reduced lockfile. Development dependencies are left out, because `--omit=dev` also omits packages that only
 * workspaces need. Packages that an override replaces with an empty folder are left out, because npm calls them invalid.
 * @throws Error with npm's output if npm fails.
 */
export function createSbom() {
  const { overrides, devDependencies: _tools, ...manifest } = readJson("package.json");
  const lock = readJson("package-lock.json");
  const replaced = Object.keys(overrides);
  for (const [location, entry] of Object.entries(lock.packages)) {
    if (entry.dev || replaced.some((name) => location.endsWith(`node_modules/${name}`)))
      delete lock.packages[location];
    delete entry.devDependencies;
    for (const kind of ["dependencies", "optionalDependencies", "peerDependencies"])
      for (const name of replaced) delete entry[kind]?.[name];
  }
  const folder = mkdtempSync(path.join(tmpdir(), "tillgate-sbom-"));
  try {
    writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(path.join(folder, "package-lock.json"), JSON.stringify(lock));
    for (const location of Object.keys(lock.packages)) {
      if (location === "" || location.includes("node_modules/")) continue;
      mkdirSync(path.join(folder, location), { recursive: true });
      const { devDependencies: _own, ...own } = readJson(path.join(location, "package.json"));
      writeFileSync(path.join(folder, location, "package.json"), JSON.stringify(own));
    }
    const options = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx"];
    const { status, stdout, stderr } = spawnSync("npm", options, {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) throw new Error(stderr);
    const sbom = JSON.parse(stdout);
    // npm uses the folder's name.
    sbom.metadata.component.name = manifest.name;
    return sbom;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(JSON.stringify(createSbom(), null, 2));
