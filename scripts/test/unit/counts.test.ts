import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../bootstrap/project.mjs";
import { countPlaywright, countVitest } from "../../testing/counts.mjs";
import { describeFailures, describeResults, formatLastLine } from "../../testing/results.mjs";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-counts-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function report(content: unknown): Promise<string> {
  const file = path.join(folder, "report.json");
  await writeFile(file, JSON.stringify(content));
  return file;
}

describe("test counts of a Vitest run", () => {
  const passedFile = { status: "passed", assertionResults: [{ status: "passed" }] };
  const base = {
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [passedFile],
  };

  it("match its tests", async () => {
    expect(await countVitest(await report(base), 0)).toEqual({
      passed: 3,
      failed: 0,
      skipped: 1,
      failures: [],
    });
  });

  it("include a file that could not be loaded as one failure", async () => {
    const unloaded = {
      name: path.join(root, "a/b.test.ts"),
      status: "failed",
      message: "no module",
      assertionResults: [],
    };
    const broken = { ...base, testResults: [passedFile, unloaded] };
    expect(await countVitest(await report(broken), 1)).toMatchObject({
      passed: 3,
      failed: 1,
      failures: [{ test: "a/b.test.ts", why: "no module" }],
    });
  });

  it("list each failed test once, and not its file", async () => {
    const assertion = (status: string, fullName: string) => ({
      status,
      fullName,
      failureMessages: ["1 ≠ 2"],
    });
    const failedFile = {
      name: path.join(root, "a/c.test.ts"),
      status: "failed",
      message: "",
      assertionResults: [assertion("failed", "adds"), assertion("passed", "subtracts")],
    };
    const failed = { ...base, numFailedTests: 1, testResults: [passedFile, failedFile] };
    expect(await countVitest(await report(failed), 1)).toMatchObject({
      failed: 1,
      failures: [{ test: "a/c.test.ts > adds", why: "1 ≠ 2" }],
    });
  });

  it("include a failure if Vitest exits with a nonzero code or writes no report", async () => {
    expect(await countVitest(await report(base), 1)).toMatchObject({ failed: 1 });
    expect(await countVitest(path.join(folder, "none.json"), 0)).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe("test counts of a Playwright run", () => {
  it("include a test that passes only on retry as a failure", async () => {
    const file = await report({ stats: { expected: 5, unexpected: 1, flaky: 2, skipped: 3 }, suites: [] });
    expect(await countPlaywright(file, 1)).toMatchObject({ passed: 5, failed: 3, skipped: 3 });
  });

  it("list a flaky test of a nested suite, but no passed tests", async () => {
    const spec = (title: string, status: string) => ({
      file: "tests/pay.spec.ts",
      title,
      tests: [{ projectName: "phone", status, results: [{ errors: [{ message: "timed out" }] }] }],
    });
    const suites = [{ suites: [{ specs: [spec("flickers", "flaky"), spec("holds", "expected")] }] }];
    const file = await report({ stats: { expected: 1, unexpected: 0, flaky: 1, skipped: 0 }, suites });
    expect(await countPlaywright(file, 1)).toMatchObject({
      failures: [{ test: "tests/pay.spec.ts > flickers [phone]", why: "timed out" }],
    });
  });
});

describe("the summary of npm test", () => {
  const results = [
    { name: "unit", minutes: 0.5, passed: 40, failed: 1, skipped: 2 },
    { name: "e2e", minutes: 3, passed: 9, failed: 0, skipped: 0, note: "a note" },
  ];

  it("ends with one line with the sums of all suites", () => {
    expect(formatLastLine(results)).toBe("49 passed, 1 failed");
  });

  it("lists the failures with the first lines of their errors", () => {
    expect(describeFailures(results)).toEqual([]);
    const failures = [{ test: "a.test.ts > adds", why: "\u001b[31mone\u001b[39m\n\ntwo\nthree\nfour\nfive" }];
    expect(
      describeFailures([{ name: "unit", minutes: 1, passed: 0, failed: 1, skipped: 0, failures }]),
    ).toEqual([
      "",
      "FAILED unit: a.test.ts > adds",
      "       one",
      "       two",
      "       three",
      "       four",
    ]);
  });

  it("lists each suite's minutes, counts and note", () => {
    const table = describeResults(results, 3.1);
    expect(table).toMatch(/unit\s+0\.5\s+40\s+1\s+2\n/);
    expect(table).toMatch(/e2e\s+3\.0\s+9\s+0\s+0 {3}a note\n/);
    expect(table).toMatch(/\n3\.1 minutes in total$/);
  });
});
