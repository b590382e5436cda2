import { spawnSync } from "node:child_process";
import { installDebianPackages } from "./debian.mjs";

const isThere = () => spawnSync("python3", ["--version"]).status === 0;

/** Finds Python, or installs Debian's: samples and verifiers are run in it. A test says so where there is none. */
export function findOrInstallPython() {
  if (isThere()) return;
  console.log("No Python found; installing Debian's …");
  installDebianPackages(["python3"]);
}
