import { spawnSync } from "node:child_process";

/** Installs Debian packages if apt is usable, as root or with passwordless sudo. @returns whether the packages are installed now */
export function installDebianPackages(packages) {
  if (spawnSync("apt-get", ["--version"]).status !== 0) return false;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && spawnSync("sudo", ["-n", "true"]).status !== 0) return false;
  const prefix = isRoot ? [] : ["sudo", "-n"];
  const run = (...args) => {
    const [command, ...rest] = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...args];
    return spawnSync(command, rest, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;
  };
  const install = ["install", "-y", "--no-install-recommends", ...packages];
  return run(...install) || (run("update") && run(...install));
}

/** Installs the packages unless every program is installed. Tests that need a missing program are skipped. */
export function findOrInstallPrograms(programs, packages) {
  const missing = programs.filter((program) => spawnSync(program, ["--version"]).error !== undefined);
  if (missing.length === 0) return;
  console.log(`Not found: ${missing.join(", ")}. Installing the Debian packages…`);
  installDebianPackages(packages);
}
