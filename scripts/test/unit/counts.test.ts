import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countPlaywright, countVitest } from "../../testing/counts.mjs";
import { describeResults, lastLine } from "../../testing/results.mjs";

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

describe("counts of a Vitest report", () => {
  const passedFile = { status: "passed", assertionResults: [{ status: "passed" }] };
  const base = {
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [passedFile],
  };

  it("are those of its tests", async () => {
    expect(await countVitest(await report(base), 0)).toEqual({ passed: 3, failed: 0, skipped: 1 });
  });

  it("count a file that could not be loaded as one failure", async () => {
    const broken = { ...base, testResults: [passedFile, { status: "failed", assertionResults: [] }] };
    expect(await countVitest(await report(broken), 1)).toMatchObject({ passed: 3, failed: 1 });
  });

  it("do not count a file twice whose tests failed", async () => {
    const failedFile = { status: "failed", assertionResults: [{ status: "failed" }] };
    const failed = { ...base, numFailedTests: 1, testResults: [passedFile, failedFile] };
    expect(await countVitest(await report(failed), 1)).toMatchObject({ failed: 1 });
  });

  it("are never clean when the exit code is not, or when there is no report", async () => {
    expect(await countVitest(await report(base), 1)).toMatchObject({ failed: 1 });
    expect(await countVitest(path.join(folder, "none.json"), 0)).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe("counts of a Playwright report", () => {
  it("take a test that passed only when repeated for failed", async () => {
    const file = await report({ stats: { expected: 5, unexpected: 1, flaky: 2, skipped: 3 } });
    expect(await countPlaywright(file, 1)).toEqual({ passed: 5, failed: 3, skipped: 3 });
  });
});

describe("the end of npm test", () => {
  const results = [
    { name: "unit", minutes: 0.5, passed: 40, failed: 1, skipped: 2 },
    { name: "e2e", minutes: 3, passed: 9, failed: 0, skipped: 0, note: "a note" },
  ];

  it("is one line with the sums of all suites", () => {
    expect(lastLine(results)).toBe("49 passed, 1 failed");
  });

  it("shows each suite's minutes and note", () => {
    expect(describeResults(results)).toMatch(/unit\s+0\.5\s+40\s+1\s+2\n/);
    expect(describeResults(results)).toMatch(/e2e\s+3\.0\s+9\s+0\s+0 {3}a note\n/);
  });
});
