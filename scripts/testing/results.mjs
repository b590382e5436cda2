import { stripVTControlCharacters } from "node:util";

/**
 * @typedef {{test: string, why: string}} Failure
 * @typedef {{name: string, minutes: number, passed: number, failed: number, skipped: number, note?: string, failures?: readonly Failure[]}} SuiteResult
 */

/** Maximum number of lines of an error in the summary. The suite's output contains all of them. */
const maxErrorLines = 4;

/**
 * Formats the table of all suites.
 * @param {readonly SuiteResult[]} results
 * @param {number} totalMinutes duration of the run; less than the sum, because some suites run at the same time
 */
export function describeResults(results, totalMinutes) {
  const head = ["Suite", "Minutes", "Passed", "Failed", "Skipped"];
  const rows = results.map(({ name, minutes, passed, failed, skipped, note }) => [
    name,
    minutes.toFixed(1),
    String(passed),
    String(failed),
    `${skipped}${note === undefined ? "" : `   ${note}`}`,
  ]);
  const formatLine = ([name, ...numbers]) =>
    `${name.padEnd(18)}${numbers.map((cell, column) => (column < 3 ? cell.padStart(9) : `  ${cell}`)).join("")}`;
  return [
    "",
    formatLine(head),
    ...rows.map(formatLine),
    "",
    `${totalMinutes.toFixed(1)} minutes in total`,
  ].join("\n");
}

/**
 * Lists the failed tests with the first lines of their errors, at the end of the output, where a reader of CI looks first.
 * @param {readonly SuiteResult[]} results
 */
export function describeFailures(results) {
  const lines = results.flatMap(({ name, failures = [] }) =>
    failures.flatMap(({ test, why }) => [
      `FAILED ${name}: ${test}`,
      ...stripVTControlCharacters(why)
        .split("\n")
        .filter((line) => line.trim() !== "")
        .slice(0, maxErrorLines)
        .map((line) => `       ${line}`),
    ]),
  );
  return lines.length === 0 ? [] : ["", ...lines];
}

/** Formats the totals of all suites. @param {readonly SuiteResult[]} results */
export function formatLastLine(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  return `${sum("passed")} passed, ${sum("failed")} failed`;
}
