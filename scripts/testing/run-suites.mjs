import { rm } from "node:fs/promises";
import path from "node:path";
import { installWhenNeeded } from "../bootstrap/install.mjs";
import { describeFailures, describeResults, formatLastLine } from "./results.mjs";
import { createScratchFolder } from "./scratch-folder.mjs";
import { suites } from "./suites.mjs";

/** Time limit of a run. Reduced counts take 20 to 40 minutes on two cores; the rest is margin for a slow or busy machine. */
const limitMinutes = { reduced: 70, full: 390 };

/**
 * Runs `build` and the named suites, and exits the process. The exit code is 0 only if every suite ran at least one test and none failed.
 * @param {readonly string[]} names if empty, all suites run; `fullOnly` suites only with full counts
 */
export async function runSuites(names) {
  const environment = process.env;
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    console.error(
      `Unknown suites: ${unknown.join(", ")}. Available suites: ${suites.map(({ name }) => name).join(", ")}.`,
    );
    process.exit(1);
  }
  if (!(await installWhenNeeded())) process.exit(1);

  const counts = environment.TILLGATE_TEST_COUNTS === "full" ? "full" : "reduced";
  const controller = abortOnSignalOrTimeout(counts);
  const scratch = await createScratchFolder();
  const selected = suites.filter(({ name, fullOnly = false }) =>
    names.length === 0 ? counts === "full" || !fullOnly : names.includes(name) || name === "build",
  );
  const results = [];
  const startedAt = Date.now();
  try {
    const options = { results, scratch, environment, signal: controller.signal };
    for (const group of groupConcurrent(selected)) {
      results.push(...(await Promise.all(group.map((suite) => runSuite(suite, options)))));
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  console.log(describeResults(results, minutesSince(startedAt)));
  for (const line of describeFailures(results)) console.log(line);
  if (controller.signal.aborted) console.log(`Not finished: ${controller.signal.reason}`);
  console.log(formatLastLine(results));
  process.exit(results.some(({ failed }) => failed > 0) || controller.signal.aborted ? 1 : 0);
}

const minutesSince = (startedAt) => (Date.now() - startedAt) / 60_000;

function groupConcurrent(selected) {
  const groups = [];
  for (const suite of selected) {
    const current = groups.at(-1);
    if (current !== undefined && current[0].name === suite.concurrentWith) current.push(suite);
    else groups.push([suite]);
  }
  return groups;
}

async function runSuite(suite, { results, scratch, environment, signal }) {
  const startedAt = Date.now();
  const finish = (counts) => ({ name: suite.name, minutes: minutesSince(startedAt), ...counts });
  const broken = results.find(({ name, failed }) => name === "build" && failed > 0);
  if (signal.aborted) return finish({ passed: 0, failed: 1, skipped: 0, note: "not run" });
  if (broken && suite.needsBuild) {
    return finish({ passed: 0, failed: 1, skipped: 0, note: "not run, because the build failed" });
  }
  console.log(`\n━━━ ${suite.name}: ${suite.description} ━━━`);
  try {
    const counts = await suite.run({
      report: path.join(scratch, `${suite.name}.json`),
      environment: suite.onDisk ? environment : { ...environment, TMPDIR: scratch },
      signal,
    });
    const result = finish(
      counts.passed + counts.failed > 0 ? counts : { ...counts, failed: 1, note: "ran no tests" },
    );
    console.log(`━━━ ${suite.name}: ${result.minutes.toFixed(1)} min ━━━`);
    return result;
  } catch (error) {
    console.error(error);
    return finish({ passed: 0, failed: 1, skipped: 0, note: error.message });
  }
}

/**
 * Returns a controller that Ctrl-C, SIGTERM, SIGHUP or the time limit aborts. The running suites are then stopped, and all results are still printed.
 */
function abortOnSignalOrTimeout(counts) {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(name, () => controller.abort(`stopped by ${name}`));
  const minutes = limitMinutes[counts];
  setTimeout(
    () => controller.abort(`the time limit of ${minutes} minutes was exceeded`),
    minutes * 60_000,
  ).unref();
  return controller;
}
