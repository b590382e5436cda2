import { spawnSync } from "node:child_process";
import { installDebianPackages } from "./debian.mjs";

const isInstalled = () => spawnSync("python3", ["--version"]).status === 0;

/** Finds Python, or installs Debian's, to run samples and verifiers. Without it those tests are skipped with a message. */
export function findOrInstallPython() {
  if (isInstalled()) return;
  console.log("No Python found; installing Debian's …");
  installDebianPackages(["python3"]);
}
