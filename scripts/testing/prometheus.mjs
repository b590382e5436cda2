import { spawnSync } from "node:child_process";
import { installDebianPackages } from "./debian.mjs";

const programs = ["prometheus", "promtool"];
const isThere = () => programs.every((program) => spawnSync(program, ["--version"]).status === 0);

/** Finds Prometheus, or installs Debian's: the alert rules are tried in a real one. A test says so where there is none. */
export function findOrInstallPrometheus() {
  if (isThere()) return;
  console.log("No Prometheus found; installing Debian's …");
  installDebianPackages(["prometheus"]);
}
