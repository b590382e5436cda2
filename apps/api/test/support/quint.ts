import { execFile } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../../..");

/** The model of orders, refunds and payouts. */
export const MODEL_FILE = path.join(root, "docs/model/payments.qnt");

/** The invariants of the model: its values that depend on the state. */
export const listInvariants = (model: string): string[] =>
  [...model.matchAll(/^ {2}val (\w+)/gm)].map(([, name = ""]) => name);

export type QuintResult = { passed: boolean; output: string };

/** Runs Quint with its TypeScript evaluator, because it downloads the other one. */
export const runQuint = (command: "test" | "run", file: string, options: string[]): Promise<QuintResult> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(root, "node_modules/.bin/quint"), command, file, "--backend=typescript", ...options],
      { maxBuffer: 2 ** 24 },
      (error, stdout, stderr) => resolve({ passed: error === null, output: stdout + stderr }),
    );
  });
