import { randomInt } from "node:crypto";
import path from "node:path";
import { buildEnvironment } from "../bootstrap/build.mjs";
import { installedProgram, root } from "../bootstrap/project.mjs";
import { findOrInstallChromium } from "./chromium.mjs";
import { countPlaywright, countVitest } from "./counts.mjs";
import { findOrInstallPrograms } from "./debian.mjs";
import { testNodeVersions } from "./node-versions.mjs";
import { findOrInstallPhp } from "./php.mjs";
import { runSuiteProgram } from "./suite-program.mjs";
import { testWordPressPlugin } from "./wordpress.mjs";

/**
 * @typedef {{report: string, environment: NodeJS.ProcessEnv, signal: AbortSignal}} SuiteContext
 * @typedef {{passed: number, failed: number, skipped: number, note?: string, failures?: readonly import("./results.mjs").Failure[]}} Counts
 * `onDisk`: writes to disk instead of memory, for example to measure the cost of commits.
 * `concurrentWith`: starts together with the named suite, which is listed before it, because both leave a core idle most of the time.
 * @typedef {{name: string, description: string, needsBuild: boolean, onDisk?: boolean, fullOnly?: boolean, concurrentWith?: string, run: (context: SuiteContext) => Promise<Counts>}} Suite
 */

const SINGLE_THREAD = "--singleThreaded";

/** All suites, in run order. @type {readonly Suite[]} */
export const suites = [
  {
    name: "build",
    description: "builds every package that is stale",
    needsBuild: false,
    run: (context) =>
      check(context, [[installedProgram("turbo"), ["run", "build", "--output-logs=errors-only"]]]),
  },
  {
    name: "types",
    description: "type checks every package",
    needsBuild: true,
    run: (context) =>
      check(context, [
        // Packages are checked in parallel. The threads of one check would repeat each other's work.
        // `--only`, because turbo would pass the option to stale builds too.
        [
          installedProgram("turbo"),
          ["run", "typecheck", "--only", "--output-logs=errors-only", "--", SINGLE_THREAD],
        ],
        [installedProgram("tsgo"), ["--noEmit", "-p", "scripts", SINGLE_THREAD]],
      ]),
  },
  {
    name: "lint",
    description: "format, lint and import directions",
    needsBuild: false,
    concurrentWith: "types",
    run: (context) => check(context, [["npm", ["run", "--silent", "lint"]]]),
  },
  {
    name: "dependencies",
    description: "licences permit redistribution; no known serious vulnerability",
    needsBuild: false,
    run: (context) => check(context, [[process.execPath, ["scripts/testing/dependencies.mjs"]]]),
  },
  {
    name: "drift",
    description: "migrations match schema.prisma; a running database matches both",
    needsBuild: true,
    run: (context) => check(context, [[process.execPath, ["scripts/testing/drift.mjs"]]]),
  },
  {
    name: "unit",
    description: "no database, no network",
    needsBuild: true,
    run(context) {
      findOrInstallPhp();
      findOrInstallPrograms(["python3"], ["python3"]);
      // Unit tests are independent of each other within a file too.
      return runVitest(context, "unit", ["--sequence.shuffle.tests"]);
    },
  },
  {
    name: "integration",
    description: "real PostgreSQL, real HTTP",
    needsBuild: true,
    run(context) {
      findOrInstallPhp();
      findOrInstallPrograms(["python3"], ["python3"]);
      findOrInstallPrograms(["prometheus", "promtool"], ["prometheus"]);
      findOrInstallPrograms(["pebble", "pebble-challtestsrv"], ["pebble"]);
      return runVitest(context, "integration");
    },
  },
  {
    name: "ablation",
    description:
      "a test fails if a guard of the schema is missing: 20 random guards, or all in GUARDS.md with full counts",
    needsBuild: true,
    run(context) {
      const guards = context.environment.TILLGATE_TEST_COUNTS === "full" ? ["--noticed"] : ["--sample", "20"];
      return check(context, [[process.execPath, ["scripts/ablation.mjs", ...guards]]]);
    },
  },
  {
    name: "mutation",
    description: "mutation testing: unit tests fail if the code for money, webhooks or decisions is changed",
    needsBuild: true,
    fullOnly: true,
    run: (context) =>
      check(context, [[installedProgram("stryker"), ["run", "scripts/mutation/stryker.config.mjs"]]]),
  },
  {
    name: "no-group-commit",
    description: "orders, payments, refunds and payouts again, without group commit",
    needsBuild: true,
    fullOnly: true,
    run: (context) => runVitest(context, "no-group-commit"),
  },
  {
    name: "woocommerce-rest",
    description: "WooCommerce REST behaviour, against the demo shop or WOO_URL",
    needsBuild: true,
    run: (context) => runVitest(context, "woocommerce-rest"),
  },
  {
    name: "connector",
    description: "the connector between a real shop and a real API: random event orders, faults, set-up",
    needsBuild: true,
    concurrentWith: "woocommerce-rest",
    run: (context) => runVitest(context, "connector"),
  },
  {
    name: "wordpress",
    description: "the WordPress plugin's PHP: syntax for 7.4 and 8, its own tests, the shared test vectors",
    needsBuild: true,
    concurrentWith: "woocommerce-rest",
    run: testWordPressPlugin,
  },
  {
    name: "e2e",
    description: "whole checkouts in a real browser",
    needsBuild: true,
    run: runPlaywright,
  },
  {
    name: "node",
    description: "build, unit tests and payments on every supported release line of Node",
    needsBuild: true,
    fullOnly: true,
    run: testNodeVersions,
  },
  {
    name: "drill",
    description:
      "failover after killing the primary: no acknowledged commit is lost; without synchronous replication some are",
    needsBuild: true,
    onDisk: true,
    fullOnly: true,
    run: (context) => check(context, [[process.execPath, ["scripts/drill.mjs", "--short"]]]),
  },
  {
    name: "history",
    description:
      "1,000,000 recorded calls over two HTTP processes are strictly serializable while both processes and PostgreSQL are killed",
    needsBuild: true,
    onDisk: true,
    fullOnly: true,
    run: (context) => check(context, [[process.execPath, ["scripts/drill.mjs", "--history"]]]),
  },
  {
    name: "deployment",
    description: "the compose file against its schema, the load balancer, the systemd units, log rotation",
    needsBuild: false,
    fullOnly: true,
    run(context) {
      const programs = ["docker-compose", "haproxy", "systemd-analyze", "logrotate"];
      findOrInstallPrograms(programs, ["docker-compose", "haproxy", "systemd", "logrotate"]);
      return check(context, [[process.execPath, ["scripts/testing/deployment-files.mjs"]]]);
    },
  },
  {
    name: "guide",
    description: "every command of the high-availability guides, on booted Debian machines; needs root",
    needsBuild: true,
    onDisk: true,
    fullOnly: true,
    run(context) {
      findOrInstallPrograms(
        ["debootstrap", "systemd-nspawn", "ip"],
        ["debootstrap", "systemd-container", "iproute2"],
      );
      return check(context, [[process.execPath, ["scripts/drill.mjs", "--guide"]]]);
    },
  },
  {
    name: "installation",
    description: "every command of docs/production.md, on a booted fresh Debian machine; needs root",
    needsBuild: true,
    onDisk: true,
    fullOnly: true,
    run(context) {
      findOrInstallPrograms(
        ["debootstrap", "systemd-nspawn", "ip", "pebble", "git"],
        ["debootstrap", "systemd-container", "iproute2", "pebble", "git"],
      );
      return check(context, [[process.execPath, ["scripts/drill.mjs", "--installation"]]]);
    },
  },
  {
    name: "image",
    description: "the steps of the Dockerfile and its command, without a container engine; needs root",
    needsBuild: true,
    onDisk: true,
    fullOnly: true,
    run(context) {
      findOrInstallPrograms(
        ["debootstrap", "systemd-nspawn", "ip", "openssl"],
        ["debootstrap", "systemd-container", "iproute2", "openssl"],
      );
      return check(context, [[process.execPath, ["scripts/drill.mjs", "--image"]]]);
    },
  },
  {
    name: "bench",
    description:
      "CPU time per call, compared with its baseline; with full counts, every benchmark runs briefly",
    needsBuild: true,
    onDisk: true,
    run(context) {
      // Only `cpu` has baselines in a short run.
      const figures = context.environment.TILLGATE_TEST_COUNTS === "full" ? [] : ["cpu"];
      return check(context, [[process.execPath, ["scripts/bench.mjs", "--short", ...figures]]]);
    },
  },
];

/** Runs the commands of a suite, which counts as one test and passes if all commands succeed. */
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

async function runVitest({ report, environment, signal }, project, options = []) {
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
    note: [counts.note, `repeat this order with: npx vitest ${order.join(" ")}`].filter(Boolean).join("; "),
  };
}

async function runPlaywright({ report, environment, signal }) {
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
