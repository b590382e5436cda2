import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { signalTree } from "../../src/program.js";

/** A duration that no other process sleeps, in seconds. Surviving processes exit on their own. */
const SLEEP = `30.${process.pid}`;

const countSleepers = (): number =>
  execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line === `sleep ${SLEEP}`).length;

it("signalTree kills every descendant, even of a process that keeps forking", async () => {
  const program = spawn("sh", ["-c", `while :; do sleep ${SLEEP} & sleep 0.001; done`], { stdio: "ignore" });
  const ended = once(program, "exit");
  while (countSleepers() < 5) await delay(10);
  await signalTree(program.pid ?? 0, "SIGKILL");
  await ended;
  await expect.poll(countSleepers).toBe(0);
});
