import { spawnSync } from "node:child_process";
import { installDebianPackages } from "./debian.mjs";

const programs = ["prometheus", "promtool"];
const isInstalled = () => programs.every((program) => spawnSync(program, ["--version"]).status === 0);

/** Finds Prometheus, or installs Debian's, to test the alert rules. Without it the test is skipped with a message. */
export function findOrInstallPrometheus() {
  if (isInstalled()) return;
  console.log("No Prometheus found; installing Debian's …");
  installDebianPackages(["prometheus"]);
}
