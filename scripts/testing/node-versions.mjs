import { existsSync } from "node:fs";
import path from "node:path";
import { buildEnvironment } from "../bootstrap/build.mjs";
import { installedProgram, root } from "../bootstrap/project.mjs";
import { findOrInstallChromium } from "./chromium.mjs";
import { runSuiteProgram } from "./suite-program.mjs";

/** Release lines to test in addition to the oldest supported version, on which CI runs. */
const lines = [22, 24, 26];

/**
 * On each release line: builds everything, runs the unit tests, and pays orders in the browser. Each of these counts as one test.
 * @param {import("./suites.mjs").SuiteContext} context
 */
export async function testNodeVersions({ environment, signal }) {
  const run = (command, options, withNode, folder) =>
    runSuiteProgram(command, options, { signal, environment: withNode, folder });
  const failures = [];
  let passed = 0;
  for (const line of lines) {
    const program = await installNode(line, run, environment);
    const withNode = {
      ...environment,
      ...buildEnvironment(),
      PLAYWRIGHT_CHROMIUM_PATH: findOrInstallChromium(environment),
      PATH: `${path.dirname(program)}${path.delimiter}${environment.PATH}`,
    };
    const steps = {
      build: ["turbo", ["run", "build", "--force", "--output-logs=errors-only"]],
      "unit tests": ["vitest", ["run", "--project", "unit"]],
      payments: ["playwright", ["test", "paying.spec.ts", "--project=desktop"], path.join(root, "e2e")],
    };
    for (const [step, [command, options, folder]] of Object.entries(steps)) {
      console.log(`\nNode ${line}: ${step}`);
      const code = await run(installedProgram(command), options, withNode, folder);
      if (code === 0) passed += 1;
      else failures.push({ test: `Node ${line}: ${step}`, why: `exit code ${code}` });
    }
  }
  return { passed, failed: failures.length, skipped: 0, failures };
}

/** Installs the newest version of a release line from npm, unless a version is already installed. @returns {Promise<string>} path of its program */
async function installNode(line, run, environment) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = path.join(root, "node_modules/.cache/node", String(line));
  const program = path.join(folder, "node_modules", name, "bin/node");
  if (!existsSync(program))
    await run(
      "npm",
      ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, `${name}@${line}`],
      environment,
    );
  if (!existsSync(program)) throw new Error(`Node ${line} could not be installed.`);
  return program;
}
