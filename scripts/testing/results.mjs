/**
 * @typedef {{name: string, minutes: number, passed: number, failed: number, skipped: number, note?: string}} SuiteResult
 */

/** @param {readonly SuiteResult[]} results */
export function describeResults(results) {
  const head = ["Suite", "Minutes", "Passed", "Failed", "Skipped"];
  const rows = results.map(({ name, minutes, passed, failed, skipped, note }) => [
    name,
    minutes.toFixed(1),
    String(passed),
    String(failed),
    `${skipped}${note === undefined ? "" : `   ${note}`}`,
  ]);
  const total = results.reduce((sum, { minutes }) => sum + minutes, 0);
  const line = ([name, ...numbers]) =>
    `${name.padEnd(18)}${numbers.map((cell, column) => (column < 3 ? cell.padStart(9) : `  ${cell}`)).join("")}`;
  return ["", line(head), ...rows.map(line), "", `${total.toFixed(1)} minutes in all`].join("\n");
}

/** @param {readonly SuiteResult[]} results */
export function lastLine(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  return `${sum("passed")} passed, ${sum("failed")} failed`;
}
