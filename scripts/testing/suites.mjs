import { randomInt } from "node:crypto";
import path from "node:path";
import { buildEnvironment } from "../bootstrap/build.mjs";
import { installedProgram, root } from "../bootstrap/project.mjs";
import { findOrInstallChromium } from "./chromium.mjs";
import { countPlaywright, countVitest } from "./counts.mjs";
import { findOrInstallPhp } from "./php.mjs";
import { findOrInstallPrometheus } from "./prometheus.mjs";
import { findOrInstallPython } from "./python.mjs";
import { runSuiteProgram } from "./suite-program.mjs";
import { testWordPressPlugin } from "./wordpress.mjs";

/**
 * @typedef {{report: string, environment: NodeJS.ProcessEnv, signal: AbortSignal}} SuiteContext
 * @typedef {{passed: number, failed: number, skipped: number, note?: string, failures?: readonly import("./results.mjs").Failure[]}} Counts
 * `onDisk`: what a commit costs is measured, so that nothing is written to memory instead.
 * @typedef {{name: string, what: string, needsBuild: boolean, onDisk?: boolean, fullOnly?: boolean, run: (context: SuiteContext) => Promise<Counts>}} Suite
 */

/** All suites, in the order of running. @type {readonly Suite[]} */
export const suites = [
  {
    name: "build",
    what: "every room, what is stale",
    needsBuild: false,
    run: (context) =>
      check(context, [[installedProgram("turbo"), ["run", "build", "--output-logs=errors-only"]]]),
  },
  {
    name: "types",
    what: "the compiler in every room",
    needsBuild: true,
    run: (context) =>
      check(context, [
        [installedProgram("turbo"), ["run", "typecheck", "--output-logs=errors-only"]],
        [installedProgram("tsgo"), ["--noEmit", "-p", "scripts"]],
      ]),
  },
  {
    name: "lint",
    what: "format, lint and import directions",
    needsBuild: false,
    run: (context) => check(context, [["npm", ["run", "--silent", "lint"]]]),
  },
  {
    name: "dependencies",
    what: "every library may be passed on, and has no fault that npm knows of",
    needsBuild: false,
    run: (context) => check(context, [[process.execPath, ["scripts/testing/dependencies.mjs"]]]),
  },
  {
    name: "drift",
    what: "the migrations make the tables of schema.prisma; a running database is what the files make",
    needsBuild: true,
    run: (context) => check(context, [[process.execPath, ["scripts/testing/drift.mjs"]]]),
  },
  {
    name: "unit",
    what: "no database, no network",
    needsBuild: true,
    run(context) {
      findOrInstallPhp();
      findOrInstallPython();
      // None of these tests needs another of its file before it.
      return vitest(context, "unit", ["--sequence.shuffle.tests"]);
    },
  },
  {
    name: "integration",
    what: "real PostgreSQL, real HTTP",
    needsBuild: true,
    run(context) {
      findOrInstallPhp();
      findOrInstallPython();
      findOrInstallPrometheus();
      return vitest(context, "integration");
    },
  },
  {
    name: "no-group-commit",
    what: "orders, payments, refunds and payouts again, without group commit",
    needsBuild: true,
    fullOnly: true,
    run: (context) => vitest(context, "no-group-commit"),
  },
  {
    name: "woocommerce-rest",
    what: "what a WooCommerce store does, shown by the demo shop (or by WOO_URL)",
    needsBuild: true,
    run: (context) => vitest(context, "woocommerce-rest"),
  },
  {
    name: "connector",
    what: "the connector between the real shop and the real api: random orders of events, faults, the set-up",
    needsBuild: true,
    run: (context) => vitest(context, "connector"),
  },
  {
    name: "wordpress",
    what: "the WordPress plugin's PHP: syntax for 7.4 and 8, its own tests, the shared vectors",
    needsBuild: true,
    run: testWordPressPlugin,
  },
  {
    name: "e2e",
    what: "whole checkouts in a real browser",
    needsBuild: true,
    run: playwright,
  },
  {
    name: "drill",
    what: "a primary is killed and its standby takes over: nothing acknowledged is lost, and without the standby's word something is",
    needsBuild: true,
    onDisk: true,
    fullOnly: true,
    run: (context) => check(context, [[process.execPath, ["scripts/drill.mjs", "--short"]]]),
  },
  {
    name: "bench",
    what: "every figure of the bench can be measured; so briefly that no target is judged",
    needsBuild: true,
    onDisk: true,
    run: (context) => check(context, [[process.execPath, ["scripts/bench.mjs", "--short"]]]),
  },
];

/** A suite without tests of its own counts as one: all its commands succeed, or it failed. */
async function check({ environment, signal }, commands) {
  let failed = 0;
  for (const [command, commandArguments] of commands) {
    const code = await runSuiteProgram(command, commandArguments, {
      signal,
      environment: { ...environment, ...buildEnvironment() },
    });
    if (code !== 0) failed = 1;
  }
  return { passed: 1 - failed, failed, skipped: 0 };
}

async function vitest({ report, environment, signal }, project, options = []) {
  const order = ["run", "--project", project, `--sequence.seed=${randomInt(1_000_000)}`, ...options];
  const code = await runSuiteProgram(
    installedProgram("vitest"),
    [...order, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    { signal, environment },
  );
  const counts = await countVitest(report, code);
  if (counts.failed === 0) return counts;
  return {
    ...counts,
    note: [counts.note, `in this order: npx vitest ${order.join(" ")}`].filter(Boolean).join("; "),
  };
}

async function playwright({ report, environment, signal }) {
  const code = await runSuiteProgram(installedProgram("playwright"), ["test", "--reporter=list,json"], {
    signal,
    folder: path.join(root, "e2e"),
    environment: {
      ...environment,
      PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
      PLAYWRIGHT_CHROMIUM_PATH: findOrInstallChromium(environment),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    },
  });
  return countPlaywright(report, code);
}
