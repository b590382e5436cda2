import { describe, expect, it } from "vitest";
import { isBackupDue } from "../../../src/production/nightly-backups.js";

const at = (text: string): Date => new Date(`2026-11-${text}Z`);
const failed = (count: number, text: string) => ({ count, lastAt: at(text) });

describe("nightly backup", () => {
  it.each([
    ["runs immediately if there is no backup yet", at("26T14:00"), undefined, undefined, true],
    ["runs at night", at("26T02:00"), at("25T02:10"), undefined, true],
    ["does not run twice in a night", at("26T04:50"), at("26T02:10"), undefined, false],
    ["does not run during the day", at("26T14:00"), at("24T02:10"), undefined, false],
    ["runs ten minutes after a failure", at("26T02:15"), at("25T02:10"), failed(1, "26T02:05"), true],
    [
      "does not run nine minutes after a failure",
      at("26T02:14"),
      at("25T02:10"),
      failed(1, "26T02:05"),
      false,
    ],
    [
      "does not run ten minutes after a second failure",
      at("26T02:25"),
      at("25T02:10"),
      failed(2, "26T02:15"),
      false,
    ],
    [
      "runs twenty minutes after a second failure",
      at("26T02:35"),
      at("25T02:10"),
      failed(2, "26T02:15"),
      true,
    ],
    [
      "runs an hour after the last of many failures",
      at("26T04:30"),
      at("25T02:10"),
      failed(30, "26T03:30"),
      true,
    ],
    [
      "does not run during the day after failures",
      at("26T09:00"),
      at("25T02:10"),
      failed(3, "26T04:30"),
      false,
    ],
    ["runs during the day without a verified backup", at("26T09:00"), undefined, failed(3, "26T04:30"), true],
  ])("%s", (_when, now, verifiedAt, failures, expected) => {
    expect(isBackupDue(now, verifiedAt, failures)).toBe(expected);
  });
});
