import { spawn } from "node:child_process";

/** Runs a program in this process group, so that Ctrl-C reaches it. @returns {Promise<number>} its exit code; 1 if killed or not started */
export function runProgram(command, commandArguments, options) {
  return new Promise((resolve) => {
    const child = spawn(command, commandArguments, { ...options, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve(1);
    });
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
