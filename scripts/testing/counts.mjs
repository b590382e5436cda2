import { readFile } from "node:fs/promises";

/**
 * Counts the tests in a report of Vitest's JSON reporter. A file that could not even be loaded has no failed
 * test in it and counts as one.
 * @param {string} file
 * @param {number} exitCode of Vitest; a failure that no test shows (an error between tests) counts as one
 */
export async function countVitest(file, exitCode) {
  const report = await readReport(file);
  if (report === undefined)
    return { passed: 0, failed: 1, skipped: 0, note: `exit code ${exitCode}, no report` };
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  ).length;
  return withExitCode(exitCode, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  });
}

/**
 * Counts the tests in a report of Playwright's JSON reporter. A test that passed only when repeated counts as
 * failed: it does not hold what it is named for.
 */
export async function countPlaywright(file, exitCode) {
  const report = await readReport(file);
  if (report === undefined)
    return { passed: 0, failed: 1, skipped: 0, note: `exit code ${exitCode}, no report` };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return withExitCode(exitCode, { passed: expected, failed: unexpected + flaky, skipped });
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
