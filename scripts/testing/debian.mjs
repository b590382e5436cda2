import { spawnSync } from "node:child_process";

/**
 * Installs Debian's packages, where there is apt and the right to use it.
 * @param {readonly string[]} packages
 * @returns {boolean} whether they are there now
 */
export function installDebianPackages(packages) {
  if (spawnSync("apt-get", ["--version"]).status !== 0) return false;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && spawnSync("sudo", ["-n", "true"]).status !== 0) return false;
  const before = isRoot ? [] : ["sudo", "-n"];
  const run = (...words) => {
    const [command, ...rest] = [...before, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...words];
    return spawnSync(command, rest, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;
  };
  const get = ["install", "-y", "--no-install-recommends", ...packages];
  return run(...get) || (run("update") && run(...get));
}
