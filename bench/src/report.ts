import { appendFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describeTarget, type Result, type Verdict } from "./figure.js";
import type { Machine } from "./machine.js";

const FOLDER = path.resolve(import.meta.dirname, "../results");

/** The report file of a run: one line of JSON for the machine, then one line per row, written as soon as the row is measured. */
export type Report = {
  file: string;
  row(figure: string, result: Result, verdict: Verdict): Promise<void>;
  failure(figure: string, reason: string): Promise<void>;
};

export async function openReport(run: { machine: Machine; short: boolean }): Promise<Report> {
  await mkdir(FOLDER, { recursive: true });
  const file = path.join(FOLDER, `${new Date().toISOString().replaceAll(":", "-")}.jsonl`);
  await writeFile(file, toJsonLine({ startedAt: new Date().toISOString(), ...run }));
  return {
    file: path.relative(process.cwd(), file),
    row: (figure, result, verdict) =>
      appendFile(file, toJsonLine({ figure, ...result, target: describeTarget(result.target), verdict })),
    failure: (figure, reason) => appendFile(file, toJsonLine({ figure, failed: reason })),
  };
}

const toJsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;
