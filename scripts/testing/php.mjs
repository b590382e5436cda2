import { spawnSync } from "node:child_process";
import { installDebianPackages } from "./debian.mjs";

/** Debian packages for the tests of the WordPress plugin. */
const packages = ["php-cli", "php-cgi", "php-xml", "php-mbstring", "php-sqlite3", "phpunit"];
const neededExtensions = ["dom", "mbstring", "pdo_sqlite", "sodium"];

/** Finds PHP with PHPUnit, or installs Debian's packages if apt is usable. @returns {boolean} whether PHP and PHPUnit are installed now */
export function findOrInstallPhp() {
  if (isInstalled()) return true;
  console.log(
    "PHP, php-cgi, PHPUnit or a required PHP extension was not found. Installing the Debian packages…",
  );
  installDebianPackages(packages);
  return isInstalled();
}

function isInstalled() {
  const modules = spawnSync("php", ["-m"], { encoding: "utf8" });
  if (modules.status !== 0) return false;
  const present = modules.stdout.toLowerCase().split("\n");
  return (
    neededExtensions.every((name) => present.includes(name)) &&
    spawnSync("phpunit", ["--version"]).status === 0 &&
    spawnSync("php-cgi", ["--version"]).status === 0
  );
}
