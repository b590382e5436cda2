import { readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "../bootstrap/project.mjs";

/**
 * Counts the tests in a report of Vitest's JSON reporter. A file that could not be loaded contains no failed test and counts as one failure.
 * @param {string} file the report
 * @param {number} exitCode Vitest's exit code; if it is not 0 although no test failed (an error between tests), it counts as one failure
 */
export async function countVitest(file, exitCode) {
  const report = await readReport(file);
  if (report === undefined)
    return { passed: 0, failed: 1, skipped: 0, note: `exit code ${exitCode}, no report` };
  const failures = report.testResults.filter(({ status }) => status === "failed").flatMap(listFileFailures);
  return withExitCode(exitCode, {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    failures,
  });
}

function listFileFailures({ name, message, assertionResults }) {
  const file = path.relative(root, name);
  const failed = assertionResults.filter(({ status }) => status === "failed");
  if (failed.length === 0) return [{ test: file, why: message }];
  return failed.map(({ fullName, failureMessages }) => ({
    test: `${file} > ${fullName}`,
    why: failureMessages.join("\n"),
  }));
}

/** Counts the tests in a report of Playwright's JSON reporter. A test that passed only on retry counts as failed. */
export async function countPlaywright(file, exitCode) {
  const report = await readReport(file);
  if (report === undefined)
    return { passed: 0, failed: 1, skipped: 0, note: `exit code ${exitCode}, no report` };
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failures = report.suites.flatMap(listSuiteFailures);
  return withExitCode(exitCode, { passed: expected, failed: unexpected + flaky, skipped, failures });
}

function listSuiteFailures({ specs = [], suites = [] }) {
  const ofSpecs = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ projectName, results }) => ({
        test: `${file} > ${title} [${projectName}]`,
        why: results.flatMap(({ errors }) => errors.map(({ message }) => message)).join("\n"),
      })),
  );
  return [...ofSpecs, ...suites.flatMap(listSuiteFailures)];
}

function withExitCode(exitCode, counts) {
  if (exitCode === 0 || counts.failed > 0) return counts;
  return { ...counts, failed: 1, note: `exit code ${exitCode}` };
}

async function readReport(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}
