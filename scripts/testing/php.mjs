import { spawnSync } from "node:child_process";

/** What the tests of the WordPress plugin run with, as Debian names it. */
const packages = ["php-cli", "php-xml", "php-mbstring", "php-sqlite3", "phpunit"];
const neededExtensions = ["dom", "mbstring", "pdo_sqlite", "sodium"];

/**
 * Finds PHP with PHPUnit, or installs Debian's where there is apt and the right to use it.
 * @returns {boolean} whether both are here now
 */
export function findOrInstallPhp() {
  if (isThere()) return true;
  console.log("No PHP with PHPUnit found; installing Debian's …");
  install();
  return isThere();
}

function isThere() {
  const modules = spawnSync("php", ["-m"], { encoding: "utf8" });
  if (modules.status !== 0) return false;
  const present = modules.stdout.toLowerCase().split("\n");
  return (
    neededExtensions.every((name) => present.includes(name)) &&
    spawnSync("phpunit", ["--version"]).status === 0
  );
}

function install() {
  if (spawnSync("apt-get", ["--version"]).status !== 0) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && spawnSync("sudo", ["-n", "true"]).status !== 0) return;
  const before = isRoot ? [] : ["sudo", "-n"];
  const run = (...words) => {
    const [command, ...rest] = [...before, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...words];
    return spawnSync(command, rest, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;
  };
  const get = ["install", "-y", "--no-install-recommends", ...packages];
  if (!run(...get)) run("update") && run(...get);
}
