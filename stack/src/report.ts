import { fstatSync } from "node:fs";
import { SettingsError } from "@tillgate/service/settings";
import { StackError } from "./stack-error.js";

const STDERR = 2;

/** Level "error" marks messages that an operator must act on. */
export type Report = (line: string, level?: "error") => void;

export const print: Report = (line, level) => {
  if (level === undefined) console.log(line);
  else console.error(`${isJournal() ? "<3>" : ""}ERROR ${line}`);
};

/** Prints why a command failed, without a stack trace if the operator can fix the cause. */
export function printFailure(error: unknown): void {
  console.error(isUserError(error) ? `\n${error.message}\n` : error);
}

/**
 * Returns whether an error is meant for the user. Errors of the operating system, such as a port in use, are included, because their messages name
 * the path and the cause.
 */
const isUserError = (error: unknown): error is Error =>
  error instanceof StackError ||
  error instanceof SettingsError ||
  (error instanceof Error && "syscall" in error);

/** Returns whether standard error is systemd's journal, which reads a priority from the start of a line (sd-daemon(3)). */
function isJournal(): boolean {
  const { dev, ino } = fstatSync(STDERR);
  return process.env.JOURNAL_STREAM === `${dev}:${ino}`;
}
